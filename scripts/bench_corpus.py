#!/usr/bin/env python3
"""Encoding and memory on large text: repeats and perturbs a parallel text to the sizes asked for, starts a training on
each, and prints how fast it was encoded, how long a second start took and how much memory both held. One CPU second of
spm_encode on the same text stands beside it."""
import argparse
import pathlib
import re
import resource
import subprocess
import threading
import time

STEPS = 3


def lines_of(path):
    return path.read_text().splitlines()


def write_text(source, target, pairs, folder):
    """Line i of either side gets a number that no other line has."""
    files = [folder / f"{pairs}.{side}" for side in ("source", "target")]
    for file, lines in zip(files, (source, target)):
        if file.exists():
            continue
        with open(file, "w") as out:
            for i in range(pairs):
                out.write(f"{lines[i % len(lines)]} {i % 9973} {i // 9973}\n")
    return files


def watch(process, peaks):
    """Peak resident memory of a process, its own and that of mapped files apart, in MB."""
    while process.poll() is None:
        try:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            break
        for name in ("RssAnon", "RssFile"):
            found = re.search(name + r":\s+(\d+) kB", status)
            if found:
                peaks[name] = max(peaks.get(name, 0), int(found[1]) // 1024)
        time.sleep(0.02)


def train(arguments, files, folder):
    settings = {"data.train.source": files[0], "data.train.target": files[1], "data.valid.source": "", "data.valid.target": "",
                "data.cache": folder / "cache", "vocabulary.model": arguments.vocabulary, "model.N": 1, "model.d_model": 32,
                "model.d_ff": 32, "model.h": 2, "training.max_updates": STEPS, "training.average": 0, "training.batch_tokens": 512}
    command = [arguments.xformer, "train", "--config", "configs/multi30k_de_en.json", "--output", folder / "model", "--overwrite",
               *(item for key, value in settings.items() for item in ("--set", f"{key}={value}"))]
    start, peaks = time.monotonic(), {}
    process = subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, text=True)
    watcher = threading.Thread(target=watch, args=(process, peaks))
    watcher.start()
    log = process.stderr.read()
    watcher.join()
    if process.returncode != 0:
        raise SystemExit(log)
    speed = re.search(r"encoded \d+ pairs in .*?, (\d+) lines/s", log)
    return time.monotonic() - start, peaks, speed and int(speed[1])


def spm_encode_speed(arguments, file, lines=100_000):
    part = subprocess.run(["head", "-n", str(lines), file], capture_output=True, check=True).stdout
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["spm_encode", f"--model={arguments.vocabulary}", "--output_format=id"], input=part, capture_output=True,
                   check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return int(lines / (after.ru_utime - before.ru_utime))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xformer", default="build/release/src/xformer")
    parser.add_argument("--source", type=pathlib.Path, default="data/multi30k/train.de")
    parser.add_argument("--target", type=pathlib.Path, default="data/multi30k/train.en")
    parser.add_argument("--vocabulary", required=True, help="a SentencePiece model that xformer train wrote")
    parser.add_argument("--pairs", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--folder", type=pathlib.Path, default="build/bench_corpus")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    source, target = lines_of(arguments.source), lines_of(arguments.target)
    for pairs in arguments.pairs:
        files = write_text(source, target, pairs, arguments.folder)
        speed = spm_encode_speed(arguments, files[0])
        print(f"{pairs} pairs: spm_encode {speed} lines/s of CPU time", flush=True)
        for start in ("first", "second"):
            seconds, peaks, encoded = train(arguments, files, arguments.folder)
            print(f"{pairs} pairs, {start} start: {seconds:.1f} s, {encoded or 'no'} lines/s encoded, own memory {peaks['RssAnon']} MB,"
                  f" mapped {peaks['RssFile']} MB", flush=True)


if __name__ == "__main__":
    main()
