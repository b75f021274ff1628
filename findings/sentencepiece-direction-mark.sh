#!/bin/sh
# SentencePiece's default normalisation puts a blank where a direction mark or a zero-width space
# stood inside a word.
#
# sentencepiece 0.2.3, PyPI, seen 2026-11-28. The rule nmt_nfkc maps U+200B, U+200E, U+200F and
# U+FEFF to a blank, not to nothing, so that a word with one becomes two; U+200D and U+00AD stay.
# Expected: a mark without a width does not part a word (Unicode's default-ignorable code points).
# Seen: `ab<U+200E>ba` is cut and given back as `ab ba`.
#
# Text in Hebrew, Arabic and Persian has such marks; translation pieces differ with and without
# them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check sentencepiece==0.2.3
cd "$dir"
PATH=$dir/venv/bin:$PATH
yes 'ab ba abba' | head -n 50 > text
python - <<'END'
import sentencepiece as spm
spm.SentencePieceTrainer.train(input='text', model_prefix='m', vocab_size=12,
                               hard_vocab_limit=False, minloglevel=2)
sp = spm.SentencePieceProcessor(model_file='m.model')
back = {m: sp.decode(sp.encode('ab' + chr(m) + 'ba', out_type=str))
        for m in (0x200b, 0x200e, 0x200f, 0xfeff, 0x200d, 0xad)}
for m, text in back.items():
    print('U+%04X' % m, repr(text))
assert [m for m, text in back.items() if text == 'ab ba'] == [0x200b, 0x200e, 0x200f, 0xfeff]
END
echo "as in $(basename "$0" .sh): still so"
