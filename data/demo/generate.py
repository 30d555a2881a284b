#!/usr/bin/env python3
"""Writes the demo corpus: train, valid and test, one sentence a line, German in .de, English in .en.

    python3 data/demo/generate.py [--output DIR]

Needs only Python 3.9 or newer and always writes the same bytes.
"""

import argparse
import sys
from pathlib import Path
from typing import List, Optional

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from grammar import corpus  # noqa: E402  (found through the line above)

SEED = 20170612  # the day "Attention Is All You Need" appeared
TRAIN, HELD_OUT = 12000, 500


def write(path: Path, lines: List[str]) -> None:
    path.write_bytes("".join(line + "\n" for line in lines).encode("utf-8"))


def main(arguments: Optional[List[str]] = None) -> None:
    parser = argparse.ArgumentParser(description="Writes the German-English demo corpus.")
    parser.add_argument("--output", type=Path, default=HERE, metavar="DIR",
                        help="where to write (default: beside this script)")
    output = parser.parse_args(arguments).output
    output.mkdir(parents=True, exist_ok=True)
    for name, pairs in corpus.make(SEED, TRAIN, HELD_OUT)._asdict().items():
        write(output / f"{name}.de", [pair.german for pair in pairs])
        write(output / f"{name}.en", [pair.english for pair in pairs])
        print(f"{output / name}.de and .en: {len(pairs)} pairs", file=sys.stderr)


if __name__ == "__main__":
    main()
