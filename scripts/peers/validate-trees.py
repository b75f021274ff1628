"""Whether `convert trees --strict` and the validator of Universal Dependencies give the same verdicts.

    validate-trees.py DRAGOMAN SEED MUTANTS FILE...

Runs with the Python that has udtools (0.2.9). Each FILE (CoNLL-U, may be packed by gzip) is judged as
a whole, at levels 1 and 2 for the language `ud`. Then so many mutants are: a few neighbouring sentences of
a file with one change in one field or line. A line tells of each verdict that differs; the last one
says how many there were."""
import gzip
import os
import random
import subprocess
import sys
import tempfile
import unicodedata

from udtools import Validator

COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC".split()
ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)
SPACES = [" ", "\u00a0", "\u3000", "\x0b", "\u2009", "  ", "\x1c", "\u200b"]

# ---- one field --------------------------------------------------------------------------------


def any_field(rng, value):
    at = rng.randrange(len(value) + 1)
    return rng.choice([
        lambda: "", lambda: "_", lambda: value + "x", lambda: value[:at] + rng.choice(SPACES) + value[at:],
        lambda: rng.choice(SPACES) + value, lambda: value + rng.choice(SPACES),
        lambda: unicodedata.normalize("NFD", value), lambda: value + "e\u0301", lambda: value + "\u00e9",
        lambda: value.lower(), lambda: value.upper(), lambda: value + "\t_", lambda: value[1:],
        lambda: value + "\ufffd", lambda: value + "\r", lambda: "\u0301" + value,
    ])()


def ids(rng, value):
    n = int(value.split("-")[0].split(".")[0])
    return rng.choice([str(n + 1), str(max(n - 1, 0)), f"{n}.1", f"{n}-{n + 1}", f"{n - 1}.1", f"{n}.2", f"0{n}",
                       f"{n}-{n}", f"{n}-{n - 1}", f"{n}-99", "0", "-1", f"{n}.0", f"{n}..1", "x", "1e1"])


def feats(rng, value):
    parts = value.split("|")
    extra = rng.choice(["Abbr=Yes", "Zyz=1", "Case=Nom", "case=Nom", "Case=nom", "Case=", "=Nom", "Case", "Case=A,B",
                        "Case=B,A", "Case=A,A", "Case[psor]=A", "Case[]=A", "Case[PS]=A", "Cas-e=A", "Case=A=B",
                        "Case=Nom,", "Typo=Yes", "Case=\u00c9", "Number=Sing", "ABBR=Yes", "Case=a,B", "Case=Ab,AB,Ab"])
    return rng.choice([
        lambda: "|".join(reversed(parts)), lambda: "|".join(parts + [extra]), lambda: "|".join([extra] + parts),
        lambda: "|".join(sorted(parts + [extra], key=str.lower)) if value != "_" else extra, lambda: extra,
        lambda: "|".join(parts + parts[:1]), lambda: value + "|", lambda: value.replace("=", ":", 1)])()


def head(rng, value):
    return rng.choice([str(rng.randrange(0, 40)), "0", "_", "-1", "01", "1.1", "x", "999", "+1", "1 "])


def deprel(rng, value):
    return rng.choice(["root", "nsubj", "nsubj:pass", "nsubj:Pass", "ref", "sbj", "nsubj:", ":pass", "nsubj:a:b", "_",
                       "Nsubj", "dep:x1", "obl:\u00fcber", "conj", "case:x"])


def deps(rng, value):
    parts = value.split("|")
    word = rng.randrange(0, 12)
    extra = rng.choice([f"{word}:dep", f"{word}:ref", f"{word}.1:dep", f"{word}:conj:and", f"{word}:obl:in_front_of",
                        f"{word}:obl:\u00fcber:dat", f"{word}:obl:arg:\u00fcber:dat", f"{word}:obl:\u00fcber:\u00e4:dat",
                        f"{word}:obl:a:b:c:d", f"{word}:obl:_in", f"{word}:obl:a__b", f"{word}:obl:In", f"{word}:x",
                        f"{word}:", "dep", ":dep", "99:dep", f"0{word}:dep", f"{word}.0:dep", "0:root", f"{word}:obl:a1",
                        f"{word}:obl:\u01c5", f"{word}:obl:\u0939\u093f", f"{word}:obl:a:\u00e4", f"{word}:obl:\u00e4:a:b",
                        f"{word}:Dep", f"{word}:nmod:\u02b0"])
    return rng.choice([
        lambda: "_", lambda: "|".join(reversed(parts)), lambda: "|".join(parts + [extra]) if value != "_" else extra,
        lambda: "|".join([extra] + parts) if value != "_" else extra, lambda: extra, lambda: "|".join(parts + parts),
        lambda: value + "|", lambda: "|".join(parts[1:]) or "_"])()


def misc(rng, value):
    extra = rng.choice(["SpaceAfter=No", "SpaceAfter=Yes", "SpaceAfter=", "SpaceAfter", "NoSpaceAfter=Yes", "Lang=en",
                        "Ref=1", "LId=a", "Gloss=x", "spaceafter=No", "XSpaceAfter=No", "SpacesAfter=\\n", "a", "=b", "",
                        "SpaceAfter=No|SpaceAfter=No", "Lang=en|Lang=de", "Lang|Lang=de", "A=1|A=2", "A = 1", "A= 1"])
    return rng.choice([lambda: "_", lambda: extra, lambda: extra if value == "_" else value + "|" + extra,
                       lambda: extra if value == "_" else extra + "|" + value])()


def change_field(rng, lines):
    """The changed lines: one field of one row."""
    rows = [i for i, line in enumerate(lines) if line and line[0] != "#"]
    special = [i for i in rows if "." in lines[i].split("\t")[ID] or "-" in lines[i].split("\t")[ID]]
    at = rng.choice(special if special and rng.random() < 0.3 else rows)
    fields = lines[at].split("\t")
    column = rng.randrange(10)
    own = {ID: ids, FEATS: feats, HEAD: head, DEPREL: deprel, DEPS: deps, MISC: misc}.get(column)
    if column == UPOS and rng.random() < 0.7:
        fields[UPOS] = rng.choice("ADJ NOUN X _ noun ADPP CONJ PROPN".split())
    elif own and rng.random() < 0.75:
        fields[column] = own(rng, fields[column])
    else:
        fields[column] = any_field(rng, fields[column])
    return lines[:at] + ["\t".join(fields)] + lines[at + 1:]


# ---- one line ---------------------------------------------------------------------------------

COMMENTS = ["# newdoc", "# newpar", "# newdoc id = a", "#newpar", "# newpar x", "# sent_id = 1", "# sent_id = a/b",
            "# sent_id = a/b/c", "# sent_id", "#sent_id=2", "#  sent_id = 3", "# sent_id = a b", "# sent_idx = 4",
            "# text = x", "# text", "#text=x", "# text = ", "# text_en = x", "# parallel_id = pud/1", "#", "##", "# ",
            "# parallel_id = pud/1/alt1", "# parallel_id = pud/1/part2", "# parallel_id = pud/1/alt1part1",
            "# parallel_id = Pud/1", "# parallel_id = pud", "# parallel_id=pud/a-1/part1alt1", "# parallel_idx",
            "# cafe\u0301", "# \ufffd", "# x\r", "# caf\u00e9", "# x\ty"]


def change_comment(rng, comment):
    return rng.choice([
        lambda: comment + " ", lambda: comment.replace(" = ", "=", 1), lambda: comment.replace("= ", "=  ", 1),
        lambda: comment.replace("# ", "#", 1), lambda: comment.replace("# ", "#  ", 1), lambda: comment[:-1],
        lambda: comment + "x", lambda: " " + comment, lambda: comment.replace(" ", "  "), lambda: comment[1:],
        lambda: comment.replace(" ", "\u00a0"), lambda: unicodedata.normalize("NFD", comment), lambda: comment + "\u3000",
        lambda: comment.replace("# text", "# Text"), lambda: comment.replace("text = ", "text = \x1c")])()


def change_line(rng, lines):
    comments = [i for i, line in enumerate(lines) if line[:1] == "#"]
    rows = [i for i, line in enumerate(lines) if line and line[0] != "#"]
    anywhere = rng.randrange(len(lines) + 1)
    line = rng.choice(rows)
    comment = rng.choice(comments or rows)
    word = lines[line].split("\t")[ID].split("-")[0].split(".")[0]
    empty = "\t".join([f"{word}.1", "e", "_", "_", "_", "_", "_", "_", rng.choice(["_", "0:root", f"{word}:dep"]), "_"])
    ranged = "\t".join([f"{word}-{int(word) + rng.randrange(0, 3)}", rng.choice(["ab", "a b"])] + ["_"] * 7 +
                       [rng.choice(["_", "SpaceAfter=No"])])
    if rng.random() < 0.3:
        return lines[:comment] + [change_comment(rng, lines[comment])] + lines[comment + 1:]
    return rng.choice([
        lambda: lines[:comment] + lines[comment + 1:], lambda: lines[:line] + lines[line + 1:],
        lambda: lines[:comment] + [rng.choice(COMMENTS)] + lines[comment:],
        lambda: lines[:comment] + [rng.choice(COMMENTS)] + lines[comment:],
        lambda: lines[:comment] + [lines[comment]] + lines[comment:],
        lambda: lines[:anywhere] + [""] + lines[anywhere:],
        lambda: lines[:anywhere] + [rng.choice([" ", "\t", "\u00a0", "x", "#", "# late"])] + lines[anywhere:],
        lambda: lines[:line + 1] + [empty] + lines[line + 1:], lambda: lines[:line] + [empty] + lines[line:],
        lambda: lines[:line] + [ranged] + lines[line:], lambda: lines[:line] + [lines[line]] + lines[line:],
        lambda: lines[:-1], lambda: lines + [""], lambda: [""] + lines, lambda: lines[:-2], lambda: lines[:-1] + [" "],
        lambda: ["\ufeff" + lines[0]] + lines[1:], lambda: [x + "\r" for x in lines],
        lambda: lines[:line] + [lines[line].replace("\t", " ")] + lines[line + 1:],
        lambda: lines[:line] + [unicodedata.normalize("NFD", lines[line])] + lines[line + 1:],
        lambda: lines + lines])()


def mutant(rng, sentences):
    at = rng.randrange(len(sentences))
    lines = [line for sentence in sentences[at:at + rng.randrange(1, 4)] for line in sentence]
    return (change_field if rng.random() < 0.6 else change_line)(rng, lines)


# ---- verdicts ---------------------------------------------------------------------------------


def theirs(validator, path):
    """The first fault, or None. A fault of Python is one of the file."""
    validator.data.udeprel.discard("ref")  # DEPS of files before have left it there
    try:
        state = validator.validate_file(path)
    except Exception as error:  # pylint: disable=broad-except
        return f"{type(error).__name__}: {error}"
    errors = [x for x in state.error_tracker if x.is_error()]
    return f"{errors[0].lineno}: {errors[0].testid} {errors[0].message}" if errors else None


def ours(dragoman, path):
    run = subprocess.run([dragoman, "convert", "trees", "--strict", "-i", path], stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, check=False)
    if run.returncode not in (0, 3):
        sys.exit(f"{path}: exit {run.returncode}: {run.stderr.decode()}")
    return run.stderr.decode().strip() if run.returncode else None


def compare(dragoman, validator, path, name):
    a, b = theirs(validator, path), ours(dragoman, path)
    if (a is None) != (b is None):
        print(f"{name}: udtools: {a or 'accepted'}; dragoman: {b or 'accepted'}")
    return (a is None) != (b is None), b is not None


def main():
    dragoman, seed, count, files = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    rng, validator, folder = random.Random(seed), Validator(lang="ud", level=2, output=None), tempfile.mkdtemp()
    verdicts, sentences = [], []
    path = os.path.join(folder, "t.conllu")
    for name in files:
        text = (gzip.open if name.endswith(".gz") else open)(name, "rb").read()
        with open(path, "wb") as out:
            out.write(text)
        verdicts.append(compare(dragoman, validator, path, name))
        blocks = text.decode().split("\n\n")
        sentences.append([(block + "\n").split("\n") for block in blocks if block])
    for number in range(count):
        lines = mutant(rng, sentences[number % len(sentences)])
        path = os.path.join(folder, f"{number}.conllu")
        with open(path, "w", encoding="utf-8", newline="") as out:
            out.write("".join(line + "\n" for line in lines))
        verdict = compare(dragoman, validator, path, path)
        verdicts.append(verdict)
        if not verdict[0]:
            os.remove(path)
    print(f"{len(files)} files, {count} mutants, seed {seed}: {sum(x[1] for x in verdicts)} refused, "
          f"{sum(x[0] for x in verdicts)} verdicts differ (see {folder})")


main()
