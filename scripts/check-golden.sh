#!/bin/sh
# check-golden.sh: from the build folder: compares with the reference numbers in the files
# F; or in all of ../shared/golden; or, where that folder is missing, in tests/golden/models.
program=out/tests/golden/check
if ! test -x $program; then
    echo 'check-golden: tests/golden/ is not in this tree'
    exit 1
fi
verbose=-v # files named by hand: the error of every tensor
if test -z "$F"; then
    verbose=
    golden=${SHARED-$srcdir/../shared}/golden
    if ! test -d "$golden"; then
        echo 'check-golden: those of this source tree alone; the others are not beside it'
        golden=$srcdir/tests/golden/models
    fi
    F=$(find "$golden" -name '*.gguf' | LC_ALL=C sort)
fi
exec $TARGET_EXEC $program $verbose $F
