#!/bin/sh
# sacreBLEU's paired bootstrap cannot write JSON as soon as chrF is one of its metrics.
#
# sacrebleu 2.6.0 with numpy 2.4.6, PyPI, seen 2026-11-29. Expected: `--paired-bs -f json` prints what `-f text` shows. Seen:
# TypeError, "Object of type float32 is not JSON serializable", after all samples were drawn: the mean and the interval of chrF are
# numpy.float32, which json does not know. BLEU alone is written: its numbers are float64, which is a float of Python's.
# `-f text` shows both; --paired-ar does the same.
#
# Who compares systems in a pipeline learns of it after the thousand samples, and who tried it with BLEU, the default, does not.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check sacrebleu==2.6.0 numpy==2.4.6
cd "$dir"
for i in 1 2 3 4 5 6; do echo "the old man saw $i red houses in the town"; done > reference
sed 's/old man/man/' reference > one
sed 's/red houses/houses that are red/' reference > two
compare() { SACREBLEU_SEED=1 "$dir/venv/bin/sacrebleu" reference -i one two --paired-bs --paired-bs-n 20 "$@" 2> said; }
compare -m bleu -f json > bleu.json
grep -q '"BLEU"' bleu.json
compare -m chrf -f text > chrf.text
grep -q chrF2 chrf.text
if compare -m chrf -f json > chrf.json; then
    echo "chrF is written as JSON now"
    exit 1
fi
tail -n 1 said
grep -q 'TypeError: Object of type float32 is not JSON serializable' said
echo "as in $(basename "$0" .sh): still so"
