#!/usr/bin/env python3
"""Compares `dragoman langid` with py3langid: accuracy by length of text, and speed.

usage: langid.py DRAGOMAN FOLDER TEXT...

Each TEXT is named LANGUAGE.txt and holds sentences, one a line; line N of all of them is a translation of the same
sentence. A model of the odd lines is asked about the even ones, and one of the even lines about the odd ones: their
first 10, 20, 40 and 80 characters, and the whole lines. py3langid has its own model, restricted to the same languages.
Speed: processor time of one thread, without loading. Needs: pip install py3langid==0.4.0
"""
import os
import resource
import subprocess
import sys
import time

from py3langid.langid import MODEL_FILE, LanguageIdentifier

LENGTHS = 10, 20, 40, 80, None
REPEATED = 20  # times the text, for the speed


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")[:-1]


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)
    return path


def train(program, folder, texts, half):
    model = os.path.join(folder, f"langid{half}.gguf")
    named = [f"{code}={write(os.path.join(folder, code + '.train'), lines[half::2])}" for code, lines in texts.items()]
    subprocess.run([program, "langid", "train", "--quiet", "--overwrite", "-o", model] + named, check=True)
    return model


def ours(program, model, path):
    """The languages of the lines of a file, and processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    answers = subprocess.run([program, "langid", "apply", "-q", "-j", "1", "-m", model, "--codes-only",
                              "--min-probability", "0", "-i", path], check=True, stdout=subprocess.PIPE, text=True).stdout
    return answers.split("\n")[:-1], resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def theirs(identifier, lines):
    begun = time.process_time()
    return [identifier.classify(line)[0] for line in lines], time.process_time() - begun


def right(answers, languages):
    return 100 * sum(a == b for a, b in zip(answers, languages)) / len(languages)


def main():
    program, folder, paths = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
    os.makedirs(folder, exist_ok=True)
    texts = {os.path.basename(path).split(".")[0]: read(path) for path in paths}
    models = [train(program, folder, texts, half) for half in (0, 1)]
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(list(texts))
    asked = [[(code, line) for code, lines in texts.items() for line in lines[1 - half::2]] for half in (0, 1)]
    codes = [[code for code, _ in pairs] for pairs in asked]
    test = os.path.join(folder, "test")
    print(f"{len(texts)} languages, {sum(map(len, codes))} lines, models of {os.path.getsize(models[0])} bytes")
    print("| characters | dragoman: odd lines shown | even lines shown | both | py3langid |\n|---|---|---|---|---|")
    for length in LENGTHS:
        lines = [[line[:length] for _, line in pairs] for pairs in asked]
        a = [right(ours(program, models[half], write(test, lines[half]))[0], codes[half]) for half in (0, 1)]
        b = right(theirs(identifier, lines[0] + lines[1])[0], codes[0] + codes[1])
        print(f"| {length or 'all'} | {a[0]:.2f} | {a[1]:.2f} | {sum(a) / 2:.2f} | {b:.2f} |", flush=True)
    lines = [line for _, line in asked[0]]
    megabytes = sum(len(line.encode()) + 1 for line in lines) / 1e6
    seconds = ours(program, models[0], write(test, lines * REPEATED))[1] - ours(program, models[0], write(test, []))[1]
    print(f"MB/s: dragoman {REPEATED * megabytes / seconds:.1f}, py3langid {megabytes / theirs(identifier, lines)[1]:.2f}")


main()
