#!/usr/bin/env python3
"""Makes the small models of tests/cli/text/spm and what the sentencepiece library makes of their text.

usage: spm_cases.py TEXT FOLDER

TEXT is a corpus that the generator of the built-in treebank has written. FOLDER gets, for each
model, NAME.model, NAME.pieces, NAME.ids and NAME.back, and the text of them all, text. Needs:
pip install sentencepiece
"""
import os
import sys

import sentencepiece

LINES = [
    "The dog sees the small cats .", "Der Hund sieht die kleinen Katzen .", "", " ", "  two  blanks ",
    "\ttab\tand\u3000wide", "▁a▁▁b▁", "naïve café e\u0301 ﬁne ２０", "東京の犬は小さい。猫", "犬犬犬 のの",
    "Собака видит кошку", "\u200bzero\u200bwidth", "smile \U0001f600\U0001f600 \u2603", "<sep>a<sep> <s> <unk> <0x41>",
    "a\x01b\x7f", "zzzzzzzzzzzzzzzz" * 8, "1234567890 12", "\ufffd", "doggings ing dings <ctl>", "a\rb",
]
RAW = [b"\xff", b"a\xe3\x81", b"\xed\xa0\x80x", b"\xf0\x9f\x98 \xc0\x80", b"\xe3\x81\xae\x81"]
# From, to: code points in hexadecimal.
RULES = [("09", "20"), ("3000", "20"), ("01", ""), ("FF12", "32"), ("FF10", "30"), ("FB01", "66 69"),
         ("65 301", "E9"), ("200B", "20"), ("3002", "2E")]


def main():
    text, folder = sys.argv[1], sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    lines = [line.encode() for line in LINES] + RAW
    sample = [line for line in open(text, encoding="utf-8")][:3000] + ["東京の犬は小さい。\n", "猫 の の ２０\n"] * 20
    rules = os.path.join(folder, "rules")
    with open(rules, "w", encoding="utf-8") as file:
        file.writelines(f"{a}\t{b}\n" for a, b in RULES)

    def model(name, **options):
        if "normalization_rule_name" not in options:
            options["normalization_rule_tsv"] = rules
        prefix = os.path.join(folder, name)
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(sample), model_prefix=prefix, num_threads=1, minloglevel=2,
            hard_vocab_limit=False, **options)
        os.remove(prefix + ".vocab")
        library = sentencepiece.SentencePieceProcessor(model_file=prefix + ".model")
        ids = [library.encode(line, out_type=int) for line in lines]
        pieces = [library.encode(line, out_type=str) for line in lines]
        with open(prefix + ".pieces", "wb") as file:
            file.writelines(" ".join(p if isinstance(p, str) else p.decode() for p in line).encode() + b"\n"
                            for line in pieces)
        with open(prefix + ".ids", "w") as file:
            file.writelines(" ".join(map(str, line)) + "\n" for line in ids)
        with open(prefix + ".back", "w", encoding="utf-8") as file:
            file.writelines(library.decode(line) + "\n" for line in ids)

    identity = {"normalization_rule_name": "identity"}
    model("unigram", vocab_size=300)
    model("unigram-bytes", vocab_size=500, byte_fallback=True, character_coverage=0.995)
    model("unigram-symbols", vocab_size=300, user_defined_symbols=["<sep>", "ing", "の"],
          control_symbols=["<ctl>"], unk_surface="[?]")
    model("unigram-suffix", vocab_size=300, treat_whitespace_as_suffix=True)
    model("unigram-plain", vocab_size=300, add_dummy_prefix=False, remove_extra_whitespaces=False, **identity)
    model("bpe", vocab_size=300, model_type="bpe")
    model("bpe-bytes", vocab_size=500, model_type="bpe", byte_fallback=True, character_coverage=0.995)
    model("bpe-symbols", vocab_size=300, model_type="bpe", user_defined_symbols=["<sep>", "ing"], **identity)
    model("char", model_type="char", vocab_size=100)
    model("word", model_type="word", vocab_size=100)
    os.remove(rules)
    with open(os.path.join(folder, "text"), "wb") as file:
        file.writelines(line + b"\n" for line in lines)


main()
