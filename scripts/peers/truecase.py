#!/usr/bin/env python3
"""truecase.py: `dragoman truecase` beside the truecaser of sacremoses, on treebanks.

    truecase.py --dragoman PROGRAM LEARN HELD [LEARN HELD]...

Both learn from LEARN, a treebank (.conllu, .conllu.gz) or a text of tokens, and are compared on the
treebank HELD. The lemma says how the head of a sentence is written within one: with a
capital if the lemma has one. Three numbers in per cent: heads that come out so; words of the same
text all in capitals that do; words that come back by applying and undoing, of sentences that
begin with a capital.
"""
import argparse
import gzip
import subprocess
import tempfile

from sacremoses import MosesDetruecaser, MosesTruecaser


def read_treebank(path):
    """Sentences as lists of pairs: token, lemma of its (first) word."""
    sentence, until = [], 0
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if len(fields) < 10:
                if sentence:
                    yield sentence
                sentence, until = [], 0
            elif "-" in fields[0]:
                sentence.append(["_".join(fields[1].split()), None])
                until = int(fields[0].split("-")[1])
            elif "." not in fields[0]:
                if int(fields[0]) > until:
                    sentence.append(["_".join(fields[1].split()), fields[2]])
                elif sentence[-1][1] is None:
                    sentence[-1][1] = fields[2]
    if sentence:
        yield sentence


def read_learned(path):
    if ".conllu" in path:
        return [" ".join(form for form, _ in s) for s in read_treebank(path)]
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\n") for line in lines]


def head_of(sentence):
    """Where the first token with a letter or a digit is."""
    for i, (form, _) in enumerate(sentence):
        if any(c.isalnum() for c in form):
            return i
    return None


def true_words(sentence):
    """The words as they would stand within a sentence."""
    words = [form for form, _ in sentence]
    head = head_of(sentence)
    if head is not None:
        form, lemma = sentence[head]
        if not lemma[:1].isupper() and form[1:] == form[1:].lower():
            words[head] = form[:1].lower() + form[1:]
    return words


class Dragoman:
    def __init__(self, program, lines):
        self.program = program
        self.file = tempfile.NamedTemporaryFile(suffix=".case")
        self.run(["truecase", "train", "-o", self.file.name], lines)

    def run(self, words, lines):
        done = subprocess.run([self.program, *words], input="".join(x + "\n" for x in lines),
                              stdout=subprocess.PIPE, check=True, encoding="utf-8")
        return done.stdout.split("\n")[:-1]

    def apply(self, lines):
        return self.run(["truecase", "apply", "-m", self.file.name], lines)

    def undo(self, lines):
        return self.run(["truecase", "undo"], lines)


class Sacremoses:
    def __init__(self, lines):
        self.truecaser = MosesTruecaser()
        self.truecaser.train([line.split() for line in lines], progress_bar=False)

    def apply(self, lines):
        return [" ".join(self.truecaser.truecase(line)) for line in lines]

    def undo(self, lines):
        back = MosesDetruecaser()
        return [back.detruecase(line, return_str=True) for line in lines]


def share(pairs):
    pairs = list(pairs)
    return 100 * sum(a == b for a, b in pairs) / len(pairs)


def words_of(lines):
    return [line.split(" ") for line in lines]


def compare_words(got, want):
    for a, b in zip(got, want):
        assert len(a) == len(b)
        yield from zip(a, b)


def judge(tool, sentences):
    lines = [" ".join(form for form, _ in s) for s in sentences]
    true = [true_words(s) for s in sentences]
    heads = [head_of(s) for s in sentences]
    begun = [i for i, h in enumerate(heads)
             if h is not None and sentences[i][h][0][:1].isupper() and not lines[i].isupper()]
    made = tool.apply(lines)
    applied = words_of(made)
    shouted = words_of(tool.apply([line.upper() for line in lines]))
    back = words_of(tool.undo(made))
    return (share((applied[i][heads[i]], true[i][heads[i]]) for i in begun),
            share((a, b) for a, b in compare_words(shouted, true) if any(c.isalpha() for c in b)),
            share(compare_words([back[i] for i in begun], [lines[i].split(" ") for i in begun])))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    print("| learned from | text | program | heads | all in capitals | there and back |\n"
          "|---|---|---|---|---|---|")
    for learn, held in zip(options.files[::2], options.files[1::2]):
        learned = read_learned(learn)
        # sacremoses takes what stands between < and > for tags, and makes other tokens of it.
        sentences = [s for s in read_treebank(held) if not any("<" in w or ">" in w for w, _ in s)]
        for name, tool in (("dragoman", Dragoman(options.dragoman, learned)),
                           ("sacremoses", Sacremoses(learned))):
            print(f"| {learn} | {held} | {name} | " +
                  " | ".join(f"{x:.2f}" for x in judge(tool, sentences)) + " |", flush=True)


if __name__ == "__main__":
    main()
