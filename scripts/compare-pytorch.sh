#!/bin/sh
# compare-pytorch.sh SOURCE TARGET [OPTION]...: from a build folder, speed and memory of
# training the Transformer-Tiny of corpora/recipes/multi30k-tiny.conf here and in PyTorch.
#
#   scripts/compare-pytorch.sh train.en train.de --threads 4
#
# DRAGOMAN is the program (./dragoman), PYTHON an interpreter that has PyTorch (python3).
# Options are those of compare-pytorch.py, which says what is compared and what is not.
here=$(cd "$(dirname "$0")" && pwd) || exit 1
program=${DRAGOMAN-./dragoman} python=${PYTHON-python3}
if test $# -lt 2; then
    echo "usage: $0 SOURCE TARGET [OPTION]..." >&2
    exit 2
fi
if ! test -x "$program"; then
    echo "$0: $program is not there; run this in a build folder or set DRAGOMAN" >&2
    exit 1
fi
if ! "$python" -c 'import torch' 2> /dev/null; then
    echo "$0: $python has no PyTorch; set PYTHON to an interpreter that has" >&2
    exit 1
fi
exec "$python" "$here/compare-pytorch.py" --dragoman "$program" \
    --config "$here/../corpora/recipes/multi30k-tiny.conf" "$@"
