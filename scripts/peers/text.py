#!/usr/bin/env python3
"""text.py: the text tools here and the Python programs that they stand for; a table of seconds.

    text.py --dragoman PROGRAM [--rounds N] [--threads N] TEXT

Learning and applying BPE beside subword-nmt, cutting words beside sacremoses, BLEU of a text
against itself, shifted by a line, beside sacreBLEU. Whole runs of programs are timed, in turn,
and what they made is compared.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

MERGES = 2000


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text")
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1, help="of ours")
    return parser.parse_args()


def run(command, source, target):
    """Runs with the two files as standard input and output; its seconds."""
    with open(source, "rb") as given, open(target, "wb") as made:
        start = time.perf_counter()
        done = subprocess.run(command, stdin=given, stdout=made, stderr=subprocess.PIPE,
                              check=False)
        if done.returncode != 0:
            sys.exit(f"{done.stderr.decode()[-2000:]}failed: {' '.join(command)}")
        return time.perf_counter() - start


def outcome(path):
    """What is to be equal: of a score its number, else all of it."""
    with open(path, "rb") as file:
        made = file.read()
    number = re.search(rb'^(?:BLEU[^=]*=| "score":) *([\d.]+)', made, re.M)
    return number.group(1) if number else made


def compare(options, scratch):
    def file(name):
        return os.path.join(scratch, name)

    folder = os.path.dirname(sys.executable)

    def ours(*words):
        return [options.dragoman, *words, "-j", str(options.threads)]

    def theirs(program, *words):
        return [os.path.join(folder, program), *words]

    with open(options.text, "rb") as text, open(file("shifted"), "wb") as shifted:
        lines = text.readlines()
        shifted.writelines(lines[1:] + lines[:1])
    works = (
        ("BPE, learned", options.text,
         ours("bpe", "learn", "-s", str(MERGES)),
         theirs("subword-nmt", "learn-bpe", "-s", str(MERGES))),
        ("BPE, applied", options.text,
         ours("bpe", "apply", "-c", file("BPE, learned.ours")),
         theirs("subword-nmt", "apply-bpe", "-c", file("BPE, learned.theirs"))),
        ("words cut", options.text,
         ours("tok", "-l", "en"), theirs("sacremoses", "-q", "-l", "en", "tokenize")),
        ("BLEU", file("shifted"),
         ours("score", options.text), theirs("sacrebleu", options.text, "-tok", "13a")),
    )
    print("| work | dragoman, s | peer, s | ratio | outputs |\n|---|---|---|---|---|")
    for name, source, mine, other in works:
        targets = [file(name + ".ours"), file(name + ".theirs")]
        times = [[], []]
        for _ in range(options.rounds):
            for side, command in enumerate((mine, other)):
                times[side].append(run(command, source, targets[side]))
        a, b = map(statistics.median, times)
        print(f"| {name} | {a:.3f} | {b:.2f} | {b / a:.0f} | "
              f"{'equal' if outcome(targets[0]) == outcome(targets[1]) else 'DIFFERENT'} |",
              flush=True)


def main():
    with tempfile.TemporaryDirectory(prefix="bench-peers-") as scratch:
        compare(read_arguments(), scratch)


if __name__ == "__main__":
    main()
