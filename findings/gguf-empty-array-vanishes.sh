#!/bin/sh
# The gguf package leaves an empty array out of the file it writes, and flattens arrays in arrays.
#
# gguf 0.19.0, PyPI, seen 2026-11-28. GGUF arrays have a length, which may be 0, and arrays of
# arrays are a type of the format. Expected: a key with an array of no members; [[1, 2], [3]] back.
# Seen: the key is not in the file; GGUFReader gives [1, 2, 3].
#
# A reader cannot tell "none" from "not said".
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check gguf==0.19.0
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
import gguf
w = gguf.GGUFWriter('m.gguf', 'test')
w.add_array('empty', [])
w.add_array('nested', [[1, 2], [3]])
w.write_header_to_file()
w.write_kv_data_to_file()
w.write_tensors_to_file()
w.close()
fields = gguf.GGUFReader('m.gguf').fields
print('empty' in fields, fields['nested'].contents())
assert 'empty' not in fields and fields['nested'].contents() == [1, 2, 3]
END
echo "as in $(basename "$0" .sh): still so"
