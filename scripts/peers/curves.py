#!/usr/bin/env python3
"""curves.py: what training and translation cost by length of sentence, vocabulary and threads.

    curves.py --dragoman PROGRAM --config RECIPE [OPTION]...

Texts are made: words by rank as rare as in language (1/rank), every word at least once, all
sentences of a length. Training runs --updates updates, of which the second half is timed; the
translation's model is that of one update, so that its sentences have the longest length allowed.
Prints comma-separated values: words a second, and the peak of memory in MiB, medians of --rounds in
which the numbers of threads take turns; with --figures, also draws each column over lengths and over
vocabularies, a line for each number of threads. On two processors a round takes some minutes.
"""
import argparse
import itertools
import os
import random
import re
import statistics
import subprocess
import tempfile

from training import LOG_LINE, run

LENGTHS, VOCABULARIES = (10, 20, 40, 80, 120, 200), (10000, 20000, 40000, 64000)
USUAL_LENGTH, USUAL_VOCABULARY = 25, 10000
TRANSLATED = 2000  # words: as many as a search takes at once, whatever the length
AXES = {"length": "words of a sentence", "vocabulary": "words of the vocabulary"}
COLUMNS = ("training words/s", "training MiB", "translation words/s", "translation MiB")


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--config", required=True)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--updates", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lengths", type=int, nargs="+", default=LENGTHS)
    parser.add_argument("--vocabularies", type=int, nargs="+", default=VOCABULARIES)
    parser.add_argument("--figures", metavar="FOLDER", help="draw SVG files there")
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


def translate(options, scratch, length, threads):
    """Words written a second, start and loading included, and MiB. No speed where fewer words are
    written than read: of such short lines it would be that of starting."""
    lines = os.path.join(scratch, "lines")
    with open(os.path.join(scratch, "source"), encoding="ascii") as text, \
            open(lines, "w", encoding="ascii") as file:
        file.writelines(itertools.islice(text, max(1, TRANSLATED // length)))
    start = os.times().elapsed
    out, mebibytes = run([options.dragoman, "translate", "-q", "-m",
                          os.path.join(scratch, "model.gguf"), "-i", lines, "--threads",
                          str(threads)])
    words = len(out.split())
    is_long = words >= TRANSLATED // length * length
    return words / (os.times().elapsed - start) if is_long else None, mebibytes


def measure_once(options, scratch, length, threads):
    """A number for each of COLUMNS."""
    trained = train(options, scratch, threads, options.updates)
    train(options, scratch, threads, 1)
    return (*trained, *translate(options, scratch, length, threads))


def median(numbers):
    return "-" if None in numbers else f"{statistics.median(numbers):.0f}"


def measure(options, scratch, by, length, vocabulary):
    """A row for each number of threads."""
    rows = []
    for seed, side in enumerate(("source", "target")):
        make_text(os.path.join(scratch, side), seed, length, vocabulary)
    rounds = [[measure_once(options, scratch, length, threads) for threads in options.threads]
              for _ in range(options.rounds)]
    for threads, results in zip(options.threads, zip(*rounds)):
        rows.append(f"{by},{length},{vocabulary},{threads}," +
                    ",".join(median(column) for column in zip(*results)))
        print(rows[-1], flush=True)
    return rows


def draw(options, header, rows):
    """A figure of each column over each axis: by-length-training-words-s.svg and so on."""
    os.makedirs(options.figures, exist_ok=True)
    for by, column in itertools.product(("length", "vocabulary"), COLUMNS):
        name = f"by-{by}-{re.sub('[^a-z]+', '-', column.lower())}.svg"
        table = [header] + [row for row in rows if row.startswith(f"{by},")]
        subprocess.run([options.dragoman, "draw", "chart", "--type", "lines", "-x", by, "-y", column,
                        "-s", "threads", "--from", "0", "--x-label", AXES[by], "-o",
                        os.path.join(options.figures, name)],
                       input="\n".join(table) + "\n", text=True, check=True)


def main():
    options = read_arguments()
    header, rows = ",".join(("by", "length", "vocabulary", "threads", *COLUMNS)), []
    print(header)
    shapes = [("length", length, USUAL_VOCABULARY) for length in options.lengths]
    shapes += [("vocabulary", USUAL_LENGTH, vocabulary) for vocabulary in options.vocabularies]
    for shape in shapes:
        with tempfile.TemporaryDirectory(prefix="bench-peers-") as scratch:
            rows += measure(options, scratch, *shape)
    if options.figures:
        draw(options, header, rows)


if __name__ == "__main__":
    main()
