#!/bin/sh
# recurrent.sh [ROUNDS]: from a build folder with out/tests/bench/bench (make bench B=none), one
# update of the sequential recurrent model here and in PyTorch, in turn: pytorch_gru.py says what
# is compared. PYTHON is an interpreter that has PyTorch (python3). THREADS is 2 and VOCAB 30000,
# unless the environment says otherwise.
here=$(cd "$(dirname "$0")" && pwd) || exit 1
python=${PYTHON-python3} threads=${THREADS-2} rounds=${1-3}
VOCAB=${VOCAB-30000}
export VOCAB
if ! "$python" -c 'import torch' 2> /dev/null; then
    echo "$0: left out: $python has no PyTorch; set PYTHON to an interpreter that has" >&2
    exit 0
fi
while test "$rounds" -gt 0; do
    for encoder in module cells; do
        "$python" "$here/pytorch_gru.py" --threads "$threads" --vocab "$VOCAB" --rounds 1 \
            --encoder "$encoder" || exit 1
    done
    MODEL=again WORK=train ROUNDS=1 THREADS=$threads out/tests/bench/bench tree_rnn || exit 1
    rounds=$((rounds - 1))
done
