#!/usr/bin/env python3
"""Compares `dragoman spm` with the sentencepiece library: pieces, ids and decoded text, bit for bit.

usage: spm_check.py DRAGOMAN FOLDER TEXT...

Models of every kind are trained by the library on the texts, once, and kept in FOLDER. Each model
then encodes all texts and the strings below on both sides; pieces and ids must be the same, and so
must be what both make of the pieces and of the ids. Needs: pip install sentencepiece
"""
import os
import random
import subprocess
import sys

import sentencepiece

NASTY = [
    b"", b" ", b"   ", b"\t", b" a", b"a ", b"  a  b  ", b"a\tb", b"\ta\t", "\u2581".encode(),
    "a\u2581b".encode(), "\u2581\u2581a \u2581 b\u2581".encode(), "\u3000a\u3000".encode(),
    b"\x01", b"a\x01b", b"\x00", b"a\x00b", b"\x7f", b"a\x0bb\x0cc", b"\xff", b"\xc0\x80", b"a\xe3\x81",
    b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf0\x9f\x98", b"\xe3\x81\x82\x81", b"\xef\xbb\xbfx",
    "\ufffd".encode(), "\ufffe\uffff".encode(), "\u200b".encode(), "a\u200bb\u200c\u200dc".encode(),
    "\u00a0a\u00a0b\u2003c\u2028d\u2029e\u0085f".encode(), "e\u0301 \u00e9 \u1e9b\u0323".encode(),
    "\ufb01\ufb02 \u2460 \u3300 \ufdfa \u338f".encode(), "\uff21\uff22\uff11 \uff76\uff9e".encode(),
    "\U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea".encode(),
    "\U0010ffff\U000e0001".encode(), "stra\u00dfe STRASSE \u0130stanbul \u03a3\u03c2".encode(),
    b"<s>", b"</s>", b"<unk>", b"a<unk>b", b"<pad>", b"<0x41>", b"<0xFF><0x0A>", b"<sep>a<sep><sep> b",
    b"<ctl>", b"inging singing ing", "の ののの".encode(), "der ▁der d▁er".encode(), b"x y xx yy",
    b"a" * 3000, b" " * 3000, b"ab" * 2000, "の".encode() * 2000, b"\xff" * 300, "\u2581".encode() * 500,
    b"x" * 70 + b" " + b"9" * 200, "한국어 텍스트 한".encode(), "ภาษาไทยไม่มีช่องว่าง".encode(),
    "नमस्ते दुनिया".encode(), "العربية لغة".encode(), "\u202eabc\u202c".encode(), b"a.b,c;d:e!f?g",
    "\u0e33\u0eb3 \u1100\u1161\u11a8 \uac01".encode(), b"a\rb\r\r c", b"\\n \\t", b"  \x1f \x1e  ",
]


def random_strings(count):
    """Mixtures that no one would think of."""
    draw = random.Random(7)
    parts = [b" ", "\u2581".encode(), b"\xff", b"\xe2", b"\x96\x81", b"a", b"ing", b"<sep>", b"the ", b"\t",
             "の".encode(), "東京".encode(), "ß".encode(), "\u0301".encode(), "\u200d".encode(), b"1", b"99",
             "\U0001f600".encode(), "\uff21".encode(), b".", "дом".encode(), b"\x02", "\u3000".encode()]
    for _ in range(count):
        yield b"".join(draw.choice(parts) for _ in range(draw.randrange(1, 30)))


def models(folder, texts):
    def train(name, **options):
        prefix = os.path.join(folder, name)
        if not os.path.exists(prefix + ".model"):
            sentencepiece.SentencePieceTrainer.train(
                model_prefix=prefix, num_threads=1, minloglevel=2,
                **{"input": ",".join(texts), "hard_vocab_limit": False, **options})
        return prefix + ".model"

    symbols = ["<sep>", "ing", "の", "▁der", "x y"]
    english = [path for path in texts if path.endswith("en.txt")] or texts[:1]
    yield train("unigram-8000", vocab_size=8000)
    yield train("unigram-500", vocab_size=500, input=",".join(english))
    yield train("bpe-500", vocab_size=500, model_type="bpe", input=",".join(english))
    yield train("unigram-bytes", vocab_size=4000, byte_fallback=True, character_coverage=0.99)
    yield train("unigram-nfkc-cf", vocab_size=6000, normalization_rule_name="nfkc_cf")
    yield train("unigram-nmt-nfkc-cf", vocab_size=6000, normalization_rule_name="nmt_nfkc_cf")
    yield train("unigram-identity", vocab_size=6000, normalization_rule_name="identity",
                remove_extra_whitespaces=False)
    yield train("unigram-no-prefix", vocab_size=6000, add_dummy_prefix=False)
    yield train("unigram-suffix", vocab_size=6000, treat_whitespace_as_suffix=True)
    yield train("unigram-symbols", vocab_size=6000, user_defined_symbols=symbols,
                control_symbols=["<ctl>"], unk_surface="??")
    yield train("unigram-blanks", vocab_size=6000, split_by_whitespace=False,
                split_by_unicode_script=False, split_by_number=False)
    yield train("bpe-8000", vocab_size=8000, model_type="bpe")
    yield train("bpe-bytes", vocab_size=4000, model_type="bpe", byte_fallback=True, split_digits=True,
                character_coverage=0.99)
    yield train("bpe-symbols", vocab_size=6000, model_type="bpe", user_defined_symbols=symbols,
                normalization_rule_name="nmt_nfkc_cf")
    yield train("bpe-blanks", vocab_size=6000, model_type="bpe", allow_whitespace_only_pieces=True,
                remove_extra_whitespaces=False, normalization_rule_name="identity")
    yield train("char", model_type="char", vocab_size=4000, user_defined_symbols=["<sep>", "ing"])
    yield train("word", model_type="word", vocab_size=6000)


def read(path):
    with open(path, "rb") as file:
        return file.read().rstrip(b"\n").split(b"\n")


def run(program, what, model, form, lines):
    result = subprocess.run([program, "spm", what, "-m", model, "--format", form],
                            input=b"".join(line + b"\n" for line in lines), stdout=subprocess.PIPE, check=True)
    return result.stdout.split(b"\n")[:-1]


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode()


def compare(what, model, lines, ours, theirs):
    if len(ours) != len(theirs):
        print(f"{model}: {what}: {len(ours)} lines, {len(theirs)} expected")
        return 1
    bad = [i for i in range(len(lines)) if ours[i] != theirs[i]]
    for i in bad[:3]:
        print(f"{model}: {what} of {lines[i][:80]!r}\n  ours   {ours[i][:300]!r}\n  theirs {theirs[i][:300]!r}")
    return len(bad)


def check(program, model, lines):
    library = sentencepiece.SentencePieceProcessor(model_file=model)
    pieces = [[as_bytes(piece) for piece in library.encode(line, out_type=str)] for line in lines]
    ids = [library.encode(line, out_type=int) for line in lines]
    text = [b" ".join(line) for line in pieces]
    numbers = [" ".join(map(str, line)).encode() for line in ids]
    bad = compare("pieces", model, lines, run(program, "encode", model, "pieces", lines), text)
    bad += compare("ids", model, lines, run(program, "encode", model, "ids", lines), numbers)
    back = [as_bytes(library.decode(line)) for line in ids]
    keep = [i for i in range(len(lines)) if b"\n" not in back[i]]
    bad += compare("decoded ids", model, lines, run(program, "decode", model, "ids", numbers), back)
    # A blank inside a piece parts it in the line of pieces, for the library's own program, too.
    parts = [[part for part in line.split(b" ") if part] for line in text]
    back = [as_bytes(library.decode([part.decode() for part in line])) for line in parts]
    bad += compare("decoded pieces", model, lines, run(program, "decode", model, "pieces", text), back)
    tokens = sum(len(line) for line in ids)
    print(f"{os.path.basename(model)}: {len(lines)} lines, {tokens} pieces, {bad} differ")
    return bad + len(lines) - len(keep)


def main():
    program, folder, texts = sys.argv[1], sys.argv[2], sys.argv[3:]
    os.makedirs(folder, exist_ok=True)
    lines = [line for path in texts for line in read(path)] + NASTY + list(random_strings(3000))
    bad = sum(check(program, model, lines) for model in models(folder, texts))
    sys.exit(1 if bad else 0)


main()
