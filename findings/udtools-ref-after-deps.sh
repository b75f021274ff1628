#!/bin/sh
# The validator of Universal Dependencies takes DEPREL `ref` once it has read DEPS.
#
# udtools 0.2.9, PyPI, seen 2026-11-28, `udvalidate --level 2 --lang ud`. `ref` is a relation of DEPS
# alone. Level2.check_deps_format adds it to the set of relations that check_deprel_format asks, the
# same object for all sentences of a run. Expected: the second sentence refused in both files. Seen:
# refused without DEPS in the file, accepted behind a sentence that has DEPS.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check udtools==0.2.9
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
from udtools import Validator

def verdict(first, second):
    with open("t.conllu", "w", encoding="utf-8") as out:
        for number, deps in enumerate((first, second)):
            relation = "dep" if number == 0 else "ref"
            print(f"# sent_id = {number}\n# text = a b", file=out)
            print("1", "a", "_", "X", "_", "_", "0", "root", deps[0], "_", sep="\t", file=out)
            print("2", "b", "_", "X", "_", "_", "1", relation, deps[1], "_\n", sep="\t", file=out)
    return Validator(lang="ud", level=2, output=None).validate_file("t.conllu").passed()

without, behind = verdict("__", "__"), verdict(("0:root", "1:dep"), ("0:root", "1:dep"))
print("accepted without DEPS:", without, "- behind DEPS:", behind)
assert (without, behind) == (False, True)
END
echo "as in $(basename "$0" .sh): still so"
