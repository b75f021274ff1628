#!/usr/bin/env python3
"""scores.py: `dragoman score` beside sacreBLEU: every digit, and seconds; tables in Markdown.

    scores.py --dragoman PROGRAM [--rounds N] FOLDER

Folders below FOLDER have hyp.* or hyp/* beside ref* or truth*. Scores with --confidence, all
tokenisers, --paired-bs, --paired-ar and LaTeX are compared as text, of these files and of 200
awkward lines; then whole runs of the paired tests are timed in turn.
"""
import argparse
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

SACREBLEU = [sys.executable, "-m", "sacrebleu"]
ALL = ["bleu", "chrf", "ter"]
SOME = 2  # systems of a folder that are looked at in every way
TOKENIZERS = ["13a", "none", "intl", "char", "zh"]
# What tokenisers and counters may disagree about.
AWKWARD = """a . , - 1,000.5 5. .5 3-4 a-b $5 &amp; &quot;x&quot; <skipped> don't (a) [b] {c} ~ ` ...
?! \\ \u201cx\u201d \u2019s \u20ac5 \u00ab \u00bb \u2026 \u0130 \u1e9e \u00df e\u0301 \u200b \ufeff
\u202e \u4f60\u597d\uff0cworld\u3002 \u65e5\u672c\u8a9e\u306e\u6587 \uff21\uff22 \U0001f600 \u2603
\U00020000x \u2a6e \u2a6d \u2f80 \u2f81 \u2fa1 \u2fa2 \ufe10 \uff0e \u3001 \u30a2 \u0e01\u0e34
\u0915\u094d \uac00\ub098 \u31a0 \u33ff \u4dc0 \u9fbc \ufa2e \ufada \uffe5""".split()
AWKWARD += ["", " ", "\u00a0x\u00a0", "x\u3000y", "\u2003", "\u2000a", "\u2001b"]


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--rounds", type=int, default=3, help="of the clock; 0: none")
    return parser.parse_args()


def run(command):
    """Standard output, and seconds."""
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stderr[-2000:]}failed: {' '.join(command)}")
    return done.stdout, time.perf_counter() - start


def groups(folder):
    """References and translations of each folder."""
    for path in sorted([folder] + [p for p in folder.rglob("*") if p.is_dir()]):
        files = [[str(found) for pattern in patterns for found in sorted(path.glob(pattern))
                  if found.is_file()] for patterns in (("ref*", "truth*"), ("hyp.*", "hyp/*"))]
        if files[0] and files[1]:
            yield files


def awkward(folder):
    """200 lines, and three translations that replace some of their words."""
    chance = random.Random(11)
    lines = [[chance.choice(AWKWARD) for _ in range(chance.randrange(1, 13))] for _ in range(200)]
    paths = [os.path.join(folder, f"awkward{number}") for number in range(4)]
    for path in paths:
        with open(path, "w", encoding="utf-8", newline="\n") as out:
            for line in lines:
                words = [chance.choice(AWKWARD) if chance.random() < 0.2 else word
                         for word in line]
                out.write(chance.choice([" ", " ", ""]).join(words) + "\n")
    return [paths[:1], paths[1:]]


def plain(text):
    """What both write alike: without versions and indentation, numbers without last zeros."""
    text = re.sub(r"\|version:\S*", "", text)
    text = re.sub(r'"version": .*|version:[^"]*', "", text)
    text = re.sub(r"(\": \d+\.\d+?)0+(?=,?$)", r"\1", text, flags=re.M)
    return [line.strip() for line in text.splitlines()]


def table(text):
    """The cells of a table of LaTeX: the names of ours have folders, and so another width."""
    rows = [[cell.strip() for cell in line.rstrip("\\ ").split("&")]
            for line in text.splitlines() if "&" in line]
    return [[re.sub(r"^Baseline: |.*/", "", row[0])] + row[1:] for row in rows]


class Check:
    """Counts what is equal, and shows what is not."""

    def __init__(self, options):
        self.command = [options.dragoman, "score", "--force"]
        self.equal, self.all = {}, {}

    def compare(self, what, common, read, only_ours=()):
        """Runs both with the same arguments."""
        ours = read(run(self.command + common + list(only_ours))[0])
        theirs = read(run(SACREBLEU + ["--force"] + common)[0])
        self.all[what] = self.all.get(what, 0) + 1
        self.equal[what] = self.equal.get(what, 0) + (ours == theirs)
        if ours != theirs:
            print(f"{what}: {' '.join(common)}\n  ours   {ours}\n  theirs {theirs}",
                  file=sys.stderr)

    def show(self):
        print("| what | equal | of |\n|---|---|---|")
        for what, count in self.all.items():
            print(f"| {what} | {self.equal[what]} | {count} |")


def check_group(check, references, systems):
    """All systems with an interval; some in all ways."""
    for number, system in enumerate(systems):
        common = references + ["-w", "9", "-i", system]
        metrics = ALL if number < SOME else ALL[:2]
        check.compare("--confidence -f json", common + ["-ci", "-f", "json", "-m"] + metrics, plain)
        if number >= SOME:
            continue
        check.compare("-f text -sh", common + ["-f", "text", "-sh", "-m"] + metrics, signed)
        for tokenizer in TOKENIZERS:
            check.compare(f"-tok {tokenizer}", common + ["-f", "text", "-tok", tokenizer], plain)
    some = references + ["-f", "latex", "-w", "4", "-m"] + ALL + ["-i"] + systems[:SOME + 1]
    check.compare("-f latex", some, table)
    for test in ("--paired-bs", "--paired-ar"):
        check.compare(f"{test} -f latex", some + [test], table, [f"{test}-p", "sacrebleu"])


def signed(text):
    """Lines with short signatures, without versions."""
    return [re.sub(r"\|v:\S*", "", line.strip()) for line in text.splitlines()]


def time_tests(options, references, systems):
    print("\n| two systems | dragoman | sacreBLEU | times as fast |\n|---|---|---|---|")
    for metrics in (ALL[:1], ALL[:2]):
        for test in ("--paired-bs", "--paired-ar"):
            for samples in ("1000", "10000"):
                common = references + ["-i"] + systems + ["-f", "latex", "--force", "-m"]
                common += metrics + [test, f"{test}-n", samples]
                rounds = [(run([options.dragoman, "score", "-j", "1"] + common)[1],
                           run(SACREBLEU + common)[1]) for _ in range(options.rounds)]
                ours, theirs = (statistics.median(column) for column in zip(*rounds))
                print(f"| {test} {samples}, {' '.join(metrics)} | {ours:.2f} s | {theirs:.2f} s "
                      f"| {theirs / ours:.0f} |", flush=True)


def main():
    options = read_arguments()
    check = Check(options)
    with tempfile.TemporaryDirectory() as folder:
        known = [awkward(folder)] + list(groups(options.folder))
        for references, systems in known:
            check_group(check, references, systems)
        check.show()
    if options.rounds > 0 and len(known) > 1:
        time_tests(options, known[-1][0][:1], known[-1][1][:2])


if __name__ == "__main__":
    main()
