#!/usr/bin/env python3
"""curves.py: what training and translation cost by length of sentence, vocabulary and threads.

    curves.py --dragoman PROGRAM --config RECIPE [OPTION]...

Texts are made: words by rank as rare as in language (1/rank), every word at least once, all
sentences of a length. Training runs --updates updates, of which the second half is timed; the
translation's model is that of one update, so that its sentences have the longest length allowed.
Prints comma-separated values: words a second, and the peak of memory in MiB.
"""
import argparse
import itertools
import os
import random
import re
import tempfile

from training import LOG_LINE, run

LENGTHS, VOCABULARIES = (10, 20, 40, 80, 120, 200), (10000, 20000, 40000, 64000)
USUAL_LENGTH, USUAL_VOCABULARY = 25, 10000
LINES = 100  # translated


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--config", required=True)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--updates", type=int, default=8)
    return parser.parse_args()


def make_text(path, seed, length, vocabulary):
    """Words named by their rank, all lines of a length."""
    generator = random.Random(seed)
    ranks = range(1, vocabulary + 1)
    words = list(ranks) + generator.choices(ranks, [1 / rank for rank in ranks], k=40000)
    generator.shuffle(words)
    with open(path, "w", encoding="ascii") as file:
        for start in range(0, len(words) - length + 1, length):
            print(*(f"w{word}" for word in words[start:start + length]), file=file)


def train(options, scratch, threads, updates):
    """Words a second behind the first half, and MiB; the model stays in the scratch folder."""
    speeds = []

    def log(line, _):
        found = LOG_LINE.search(line)
        if found:
            speeds.append(float(found.group(4)))

    sides = [os.path.join(scratch, side) for side in ("source", "target")]
    _, mebibytes = run(
        [options.dragoman, "train", "--config", options.config, "--bpe-merges", "0",
         "--train-sets", *sides, "--model", os.path.join(scratch, "model.gguf"), "--no-resume",
         "--overwrite", "--threads", str(threads), "--after", f"{updates}u", "--disp-freq",
         f"{max(1, updates // 2)}u", "--save-freq", "1000000u", "--average", "0",
         "--max-length", "1024"], log)
    return speeds[-1], mebibytes


def translate(options, scratch, threads):
    """Words written a second, start and loading included, and MiB."""
    lines = os.path.join(scratch, "lines")
    with open(os.path.join(scratch, "source"), encoding="ascii") as text, \
            open(lines, "w", encoding="ascii") as file:
        file.writelines(itertools.islice(text, LINES))
    start = os.times().elapsed
    out, mebibytes = run([options.dragoman, "translate", "-q", "-m",
                          os.path.join(scratch, "model.gguf"), "-i", lines, "--threads",
                          str(threads)])
    return len(re.findall(r"\S+", out)) / (os.times().elapsed - start), mebibytes


def measure(options, scratch, length, vocabulary):
    for seed, side in enumerate(("source", "target")):
        make_text(os.path.join(scratch, side), seed, length, vocabulary)
    for threads in options.threads:
        trained = train(options, scratch, threads, options.updates)
        train(options, scratch, threads, 1)
        translated = translate(options, scratch, threads)
        print(f"{length},{vocabulary},{threads}," +
              ",".join(f"{number:.0f}" for number in (*trained, *translated)), flush=True)


def main():
    options = read_arguments()
    print("length,vocabulary,threads,training words/s,training MiB,translation words/s,"
          "translation MiB")
    shapes = [(length, USUAL_VOCABULARY) for length in LENGTHS]
    shapes += [(USUAL_LENGTH, vocabulary) for vocabulary in VOCABULARIES]
    for length, vocabulary in shapes:
        with tempfile.TemporaryDirectory(prefix="bench-peers-") as scratch:
            measure(options, scratch, length, vocabulary)


if __name__ == "__main__":
    main()
