#!/usr/bin/env python3
"""How long one line alone takes, beside CTranslate2 with the same weights.

Gives build/release one line after the other through a pipe, each when the one before has been answered, and does the
same with the ctranslate2 package in this process, in turns of some lines. Prints the median ratio of the two times (below
1, xformer is faster) and for both sides the median and the 95th percentile. CTranslate2 runs with one and with as many
threads as there are cores, and the faster counts. Needs a Python with ctranslate2 and sentencepiece: build/venv/bin/python.

    build/venv/bin/python scripts/bench_latency.py --model DIR [--input FILE] [--lines N] [--pairs N]
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import ctranslate2
import sentencepiece

ROOT = pathlib.Path(__file__).resolve().parent.parent
XFORMER = ROOT / "build/release/src/xformer"


class Ours:
    """A process of xformer that answers line by line."""

    def __init__(self, model, precision, beam):
        command = [XFORMER, "translate", "--model", model, "--precision", precision, "--beam-size", str(beam),
                   "--length-penalty", "0.6", "--log-level", "warning"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def translate(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Theirs:
    def __init__(self, model, pieces, precision, beam, threads):
        self.translator = ctranslate2.Translator(str(model), device="cpu", compute_type=precision, inter_threads=1, intra_threads=threads)
        self.pieces, self.beam = pieces, beam

    def translate(self, line):
        result = self.translator.translate_batch([self.pieces.encode(line, out_type=str)], beam_size=self.beam, length_penalty=0.6)
        return self.pieces.decode(result[0].hypotheses[0])

    def close(self):
        pass


def times(side, lines):
    seconds = []
    for line in lines:
        start = time.perf_counter()
        side.translate(line)
        seconds.append(time.perf_counter() - start)
    return seconds


def fastest(candidates, lines):
    return min(candidates, key=lambda side: statistics.median(times(side, lines)))


def describe(seconds):
    ordered = sorted(seconds)
    return f"median {1000 * statistics.median(ordered):.1f} ms, 95th percentile {1000 * ordered[int(0.95 * len(ordered))]:.1f} ms"


def compare(name, ours, theirs, chunks):
    our_times, their_times, ratios = [], [], []
    for chunk in chunks:
        mine, other = times(ours, chunk), times(theirs, chunk)
        our_times += mine
        their_times += other
        ratios.append(statistics.median(mine) / statistics.median(other))
    print(f"{name}: median ratio {statistics.median(ratios):.2f} (min {min(ratios):.2f}, max {max(ratios):.2f}, {len(ratios)} pairs); "
          f"xformer {describe(our_times)}; CTranslate2 {describe(their_times)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, type=pathlib.Path, help="a model of xformer, with a shared vocabulary")
    parser.add_argument("--input", type=pathlib.Path, default=ROOT / "data/multi30k/test_2016_flickr.de")
    parser.add_argument("--lines", type=int, default=40, help="of one turn")
    parser.add_argument("--pairs", type=int, default=5)
    options = parser.parse_args()
    lines = options.input.read_text().splitlines()[: options.lines * options.pairs]
    chunks = [lines[i: i + options.lines] for i in range(0, len(lines), options.lines)]
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(options.model / "sentencepiece.model"))
    with tempfile.TemporaryDirectory() as folder:
        exported = pathlib.Path(folder) / "ct2"
        subprocess.run([XFORMER, "export", "--model", options.model, "--to", "ctranslate2", "--output", exported, "--log-level", "warning"], check=True)
        for precision in ("float32", "int8"):
            for search, beam in (("greedy", 1), ("beam4", 4)):
                ours = Ours(options.model, precision, beam)
                theirs = fastest([Theirs(exported, pieces, precision, beam, threads) for threads in {1, os.cpu_count()}], chunks[0])
                times(ours, chunks[0])
                compare(f"one_line_{precision}_{search}", ours, theirs, chunks)
                ours.close()


if __name__ == "__main__":
    main()
