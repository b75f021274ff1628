#!/bin/sh
# NLTK's un_chomsky_normal_form removes constituents of the Penn Treebank that its inverse never
# made.
#
# nltk 3.10.4, PyPI, seen 2026-11-28. A label with "|" is taken for a node of binarisation; the Penn
# Treebank has such labels of its own, ADVP|PRT and PRT|ADVP. Expected: binarised and back is the
# same tree. Seen: (ADVP|PRT (RB up)) becomes (RB up).
#
# Bracket scores after such a round trip count too few constituents.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check nltk==3.10.4
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
import nltk
tree = nltk.Tree.fromstring('(S (ADVP|PRT (RB up)) (VP (VB go)))')
tree.chomsky_normal_form()
tree.un_chomsky_normal_form()
print(tree)
assert str(tree) == '(S (RB up) (VP (VB go)))'
END
echo "as in $(basename "$0" .sh): still so"
