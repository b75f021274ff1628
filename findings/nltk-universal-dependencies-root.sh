#!/bin/sh
# NLTK's DependencyGraph finds no root in a tree of Universal Dependencies.
#
# nltk 3.10.4, PyPI, seen 2026-11-28. The root is the word whose relation is called "ROOT", not the
# one whose head is 0; UD calls it "root". Expected: the word with head 0. Seen: root is None and a
# warning that the graph has no node that depends on the root; with top_relation_label="root" the
# word is found.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check nltk==3.10.4
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
import warnings
warnings.simplefilter('ignore')
from nltk.parse import DependencyGraph
rows = '1\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n2\tup\tup\tADV\t_\t_\t1\tadvmod\t_\t_\n'
plain, told = DependencyGraph(rows), DependencyGraph(rows, top_relation_label='root')
print('root:', plain.root, 'when told its label:', told.root['word'])
assert plain.root is None and told.root['word'] == 'go'
END
echo "as in $(basename "$0" .sh): still so"
