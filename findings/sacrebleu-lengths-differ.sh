#!/bin/sh
# sacrebleu's functions score a system against references that have fewer or more lines, and say
# 100.
#
# sacrebleu 2.6.0, PyPI, seen 2026-11-28. The command compares the numbers of lines; corpus_bleu,
# corpus_chrf and corpus_ter stop at the shorter side. Expected: an error. Seen: two hypotheses of
# which the second is wrong, one reference: BLEU 100, chrF 100, TER 0.
#
# A system output with lines lost at its end gets a good score from a script; compare the lengths
# first.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check sacrebleu==2.6.0
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
import sacrebleu
system, reference = ['the cat sat here', 'all of this is wrong'], [['the cat sat here']]
scores = [round(f(system, reference).score, 6) for f in
          (sacrebleu.corpus_bleu, sacrebleu.corpus_chrf, sacrebleu.corpus_ter)]
print('BLEU %g, chrF %g, TER %g' % tuple(scores))
assert scores == [100, 100, 0]
END
echo "as in $(basename "$0" .sh): still so"
