#!/usr/bin/env python3
"""Compares `dragoman spm train` with the training of the sentencepiece library.

usage: spm_train.py DRAGOMAN FOLDER PIECES TEXT...

Both learn models of PIECES pieces from each text, with the library's default settings and one thread. Each model is
loaded by both, which must cut the text alike; then: pieces of the text, log likelihood a character (unigram: of the best
path; the library's scores), pieces that both models have, processor seconds and peak memory of learning. Ends with the
characters that the rules nmt_nfkc and nfkc of both rewrite in another way. Needs: pip install sentencepiece
"""
import os
import subprocess
import sys
import unicodedata

import sentencepiece


def usage(work):
    """Runs a function in a process of its own: processor seconds, peak memory in MB."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    _, status, used = os.wait4(child, 0)
    if status != 0:
        sys.exit("learning has failed")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def learn_theirs(text, pieces, kind, prefix):
    return usage(lambda: sentencepiece.SentencePieceTrainer.train(
        input=text, model_prefix=prefix, vocab_size=pieces, model_type=kind, hard_vocab_limit=False,
        num_threads=1, minloglevel=2))


def learn_ours(program, text, pieces, kind, prefix):
    command = [program, "spm", "train", "--quiet", "-V", str(pieces), "--type", kind, "-o", prefix + ".model", text]
    return usage(lambda: os.execv(program, command))


def measure(program, model, path):
    """Pieces of the text and log likelihood a character; both programs must cut it alike."""
    library = sentencepiece.SentencePieceProcessor(model_file=model)
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file]
    ids = [library.encode(line) for line in lines]
    ours = subprocess.run([program, "spm", "encode", "-m", model, "-f", "ids", "-i", path], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.split("\n")[:-1]
    differ = sum(" ".join(map(str, a)) != b for a, b in zip(ids, ours)) + abs(len(ids) - len(ours))
    scores = [library.get_score(i) for i in range(len(library))]
    unknown = min(scores) - 10
    sum_of = sum(unknown if i == library.unk_id() else scores[i] for line in ids for i in line)
    names = {library.id_to_piece(i) for i in range(len(library))}
    return sum(map(len, ids)), sum_of / sum(map(len, lines)), names, differ


def compare(program, folder, text, pieces, kind):
    theirs, ours = os.path.join(folder, "theirs"), os.path.join(folder, "ours")
    cost = learn_theirs(text, pieces, kind, theirs), learn_ours(program, text, pieces, kind, ours)
    a, b = measure(program, theirs + ".model", text), measure(program, ours + ".model", text)
    likelihood = f", likelihood {a[1]:.4f} {b[1]:.4f} ({100 * (a[1] - b[1]) / a[1]:+.2f} %)" if kind == "unigram" else ""
    print(f"{os.path.basename(text)} {kind} {pieces}: tokens {a[0]} {b[0]} ({100 * (b[0] / a[0] - 1):+.2f} %){likelihood}, "
          f"pieces {len(a[2])} {len(b[2])}, common {len(a[2] & b[2])}; seconds {cost[0][0]:.2f} {cost[1][0]:.2f}, "
          f"MB {cost[0][1]:.0f} {cost[1][1]:.0f}; lines cut in another way {a[3]} {b[3]}", flush=True)
    return a[3] + b[3]


def compare_rules(program, folder, text, rule):
    model = os.path.join(folder, "rules.model")
    subprocess.run([program, "spm", "train", "--quiet", "-V", "4000", "--type", "char", "--normalization", rule, "-o", model,
                    text], check=True)
    theirs = sentencepiece.SentencePieceNormalizer(rule_name=rule)
    ours = sentencepiece.SentencePieceNormalizer(model_file=model)
    codes = [code for code in range(1, 0x110000) if not 0xD800 <= code < 0xE000]
    differ = [code for code in codes if unicodedata.category(chr(code)) != "Cn" and
              theirs.normalize("a" + chr(code) + "b") != ours.normalize("a" + chr(code) + "b")]
    print(f"rules {rule}: {len(differ)} characters of Unicode {unicodedata.unidata_version} differ:",
          " ".join(f"U+{code:04X}" for code in differ[:20]))


def main():
    program, folder, pieces, texts = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4:]
    os.makedirs(folder, exist_ok=True)
    bad = sum(compare(program, folder, text, pieces, kind) for text in texts for kind in ("unigram", "bpe", "char", "word"))
    for rule in "nmt_nfkc", "nfkc":
        compare_rules(program, folder, texts[0], rule)
    sys.exit(1 if bad else 0)


main()
