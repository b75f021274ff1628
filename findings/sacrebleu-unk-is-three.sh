#!/bin/sh
# sacreBLEU's default tokenizer counts <unk> as three words.
#
# sacrebleu 2.6.0, PyPI, seen 2026-11-28. Systems write <unk> for a word that they lack. Expected: it
# is one wrong word. Seen: 13a cuts it into `<`, `unk` and `>`, as mteval does with every mark, so
# that each one makes the translation two words longer: a short output is punished less for its
# length, and four marks weigh twelve words in the precisions. --tokenize none counts one.
#
# A table of systems with and without unknown words is not about their words alone.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check sacrebleu==2.6.0
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
import sacrebleu
refs = [['the old man reads the book in the small house']]
marks = sacrebleu.corpus_bleu(['the old man reads the book in the <unk> house'], refs)
words = sacrebleu.corpus_bleu(['the old man reads the book in the xyz house'], refs)
plain = sacrebleu.corpus_bleu(['the old man reads the book in the <unk> house'], refs, tokenize='none')
print(marks.sys_len, words.sys_len, plain.sys_len, round(marks.score, 2), round(words.score, 2))
assert (marks.sys_len, words.sys_len, plain.sys_len) == (12, 10, 10)
assert marks.score < words.score == plain.score
END
echo "as in $(basename "$0" .sh): still so"
