#!/usr/bin/env python3
"""F1 of sentence boundaries on treebanks: `dragoman sentences` beside three packages of PyPI.

usage: sentences.py DRAGOMAN FILE... [--errors]

FILE is a treebank in CoNLL-U (*.conllu, *.conllu.gz), whose language is told by the name of its
folder (en_ewt) or file (de.conllu); or text of a sentence a line (ja.txt). Its sentences, with SpaceAfter, are put together to paragraphs at
"# newpar" and "# newdoc", if it has them, and to one running text. A boundary is the end of a
sentence; that of a paragraph is one, too. Needs: pip install pysbd sentence-splitter syntok; a
package that does not know the language has a dash. --errors prints what dragoman does otherwise than
the treebank, in place of the table.
"""
import gzip
import os
import re
import subprocess
import sys
import time


def read(path):
    """Paragraphs: lists of sentences, each with the blank behind it, if there is one."""
    opener = gzip.open if path.endswith(".gz") else open
    if path.endswith(".txt"):
        with open(path, encoding="utf-8") as lines:
            blank = "" if language_of(path) in ("ja", "zh") else " "
            return [[line.strip() + blank for line in lines]]
    paragraphs, text, last, new = [], None, "", True
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith(("# newpar", "# newdoc")):
                new = True
            elif line.startswith("# text = "):
                text = line[9:].strip("\n")
            elif line[:1].isdigit() and not re.match(r"\d+\.", line):
                fields = line.rstrip("\n").split("\t")
                span = re.match(r"\d+-(\d+)$", fields[0])
                if span:
                    inside, last = int(span[1]), fields[9]
                elif not (last and int(fields[0]) <= inside):
                    inside, last = 0, fields[9]
                misc = last
                if inside == 0:
                    last = ""
            elif line == "\n" and text is not None:
                if new or not paragraphs:
                    paragraphs.append([])
                paragraphs[-1].append(text.strip() + ("" if "SpaceAfter=No" in misc else " "))
                text, last, new = None, "", False
    return paragraphs


def squeeze(text):
    return "".join(text.split())


def ends(text, pieces):
    """Boundaries, as counts of characters of the text that are no blanks. A piece that is not of the
    text, as packages make some, has none."""
    found, at, text = set(), 0, squeeze(text)
    for piece in pieces:
        piece = squeeze(piece)
        place = text.find(piece, at)
        if place >= 0 and piece:
            at = place + len(piece)
            found.add(at)
    return found


def dragoman(program, language):
    def cut(texts):
        run = subprocess.run([program, "sentences", "-p", "-q", "-l", language, "--threads", "1"],
                             input="\n".join(texts) + "\n", capture_output=True, text=True, check=True)
        return [part.split("\n") for part in run.stdout[:-2].split("\n\n")]
    return cut


def pysbd(language):
    import pysbd as package
    segmenter = package.Segmenter(language=language, clean=False)
    return lambda texts: [segmenter.segment(text) for text in texts]


def sentence_splitter(language):
    import sentence_splitter as package
    splitter = package.SentenceSplitter(language=language)
    return lambda texts: [splitter.split(text) for text in texts]


def syntok(language):
    import syntok.segmenter as package
    if language not in ("en", "de", "es", "fr", "it"):
        raise ValueError(language)

    def one(text):
        last = [sentence[-1] for paragraph in package.process(text) for sentence in paragraph]
        stops = [0] + [token.offset + len(token.value) for token in last]
        return [text[start:end] for start, end in zip(stops, stops[1:])]
    return lambda texts: [one(text) for text in texts]


def measure(gold, cut, texts):
    start = time.process_time()
    parts = cut(texts)
    seconds = time.process_time() - start
    right = got = want = 0
    for i, sentences in enumerate(gold):
        good, found = ends(texts[i], sentences), ends(texts[i], parts[i])
        right, got, want = right + len(good & found), got + len(found), want + len(good)
    return 200 * right / (got + want), 100 * right / got, 100 * right / want, seconds


def show_errors(gold, parts):
    for sentences, found in zip(gold, parts):
        text = "".join(sentences)
        good, got = ends(text, sentences), ends(text, found)
        at = 0
        for i, character in enumerate(text):
            at += not character.isspace()
            if character.isspace() or (at in good) == (at in got):
                continue
            print("MISSED" if at in good else "ADDED ", text[max(0, i - 50):i + 1] + " || " + text[i + 1:i + 40])


def language_of(path):
    name = os.path.basename(path).split(".")[0]
    return (name if len(name) == 2 else os.path.basename(os.path.dirname(path)))[:2]


def main():
    program, paths = sys.argv[1], [path for path in sys.argv[2:] if not path.startswith("--")]
    print("%-28s %-10s %s" % ("treebank", "text", "F1 (precision, recall) of dragoman, pysbd, sentence-splitter, syntok"))
    for path in paths:
        language, paragraphs = language_of(path), read(path)
        whole = [[sentence for paragraph in paragraphs for sentence in paragraph]]
        for name, gold in (("paragraphs", paragraphs), ("running", whole)):
            if len(gold) == 1 and name == "paragraphs":
                continue
            texts = ["".join(sentences).strip() for sentences in gold]
            if "--errors" in sys.argv:
                show_errors(gold, dragoman(program, language)(texts))
                continue
            row = []
            for make in (lambda l: dragoman(program, l),) if "--alone" in sys.argv else (lambda l: dragoman(program, l), pysbd, sentence_splitter, syntok):
                try:
                    row.append("%.1f (%.1f, %.1f)" % measure(gold, make(language), texts)[:3])
                except (ValueError, ImportError, Exception) as error:  # noqa: a package fails as it likes
                    row.append("-" if "sentences" not in str(error) else str(error))
            print("%-28s %-10s %s" % ("/".join(path.split("/")[-2:]), name, "  ".join(row)), flush=True)


main()
