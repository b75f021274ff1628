#!/bin/sh
# pysbd takes two inch marks for one quotation, and all sentences between them for one.
#
# pysbd 0.3.4, PyPI, seen 2026-11-28. Text between straight double quotes is kept whole. Expected:
# of `The screen is 5" wide. It is new. The frame is 6" wide. It is old.` four sentences, as
# there are of the same text with 5' and 6'. Seen: two, the first of which has three.
#
# In texts about goods whole paragraphs become a sentence, which a translator then cuts off.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check pysbd==0.3.4
cd "$dir"
PATH=$dir/venv/bin:$PATH
python -W ignore - <<'END'
import pysbd
text = 'The screen is 5" wide. It is new. The frame is 6" wide. It is old.'
cut = pysbd.Segmenter(language='en', clean=False).segment
print(cut(text))
assert cut(text) == ['The screen is 5" wide. It is new. The frame is 6" wide. ', 'It is old.']
assert len(cut(text.replace('"', "'"))) == 4
END
echo "as in $(basename "$0" .sh): still so"
