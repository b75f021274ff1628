#!/bin/sh
# The command subword-nmt apply-bpe takes --seed and does not use it: BPE dropout differs from run
# to run.
#
# subword-nmt 0.3.8, PyPI, seen 2026-11-28. The seed is set in the main program of the module
# apply_bpe alone, not in the command `subword-nmt`, which shares its options. Expected: one
# segmentation for one seed, as `python -m subword_nmt.apply_bpe` gives. Seen: eight runs of the
# command with --seed 1 give more than one.
#
# A training text cut with dropout by the command cannot be made again; use the module.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check subword-nmt==0.3.8
cd "$dir"
PATH=$dir/venv/bin:$PATH
yes 'low lower newer wider' | head -n 20 > text
subword-nmt learn-bpe -s 10 < text > codes 2> log
runs() {
    for _ in 1 2 3 4 5 6 7 8; do
        "$@" -c codes --dropout 0.5 --seed 1 < text | cksum
    done | sort -u | wc -l
}
command=$(runs subword-nmt apply-bpe)
module=$(runs python -m subword_nmt.apply_bpe)
echo "different outputs of 8 runs with one seed: command $command, module $module"
test "$command" -gt 1
test "$module" -eq 1
echo "as in $(basename "$0" .sh): still so"
