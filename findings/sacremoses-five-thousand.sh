#!/bin/sh
# Moses' punctuation normaliser writes five thousand as 5.000 in English and as 5,000 in German.
#
# sacremoses 0.1.1, PyPI, seen 2026-11-28. A no-break space between digits (how SI groups thousands)
# becomes "." in every language but German, Spanish, Czech and French, where it becomes ",": each
# the decimal mark of those languages, so that the number is another one. Expected: 5,000 and 5.000,
# the other way round, or the space. Seen as said; the Perl script normalize-punctuation does the
# same.
#
# Training text normalised so teaches a model numbers a thousand times too small.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check sacremoses==0.1.1
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
from sacremoses import MosesPunctNormalizer
seen = {lang: MosesPunctNormalizer(lang).normalize('5\u00a0000') for lang in ('en', 'de')}
print(seen)
assert seen == {'en': '5.000', 'de': '5,000'}
END
echo "as in $(basename "$0" .sh): still so"
