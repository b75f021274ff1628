#!/bin/sh
# check-golden.sh: from the build folder: compares with the reference numbers in the files
# F, or in all of ../shared/golden where that folder is there.
program=out/tests/golden-check
if ! test -x $program; then
    echo 'check-golden: tests/golden_check.c is not in this tree'
    exit 1
fi
verbose=-v # files named by hand: the error of every tensor
if test -z "$F"; then
    verbose=
    golden=${SHARED-$srcdir/../shared}/golden
    if ! test -d "$golden"; then
        echo 'skipped - check-golden: no reference numbers beside the source tree (name some: F=files)'
        exit 0
    fi
    F=$(find "$golden" -name '*.gguf' | LC_ALL=C sort)
fi
exec $TARGET_EXEC $program $verbose $F
