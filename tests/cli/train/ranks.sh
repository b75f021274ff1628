# ranks.sh: a program without MPI that a launcher has started several times; with MPI,
# scripts/check-mpi.sh is the test.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
fail() { echo "$*" >&2; exit 1; }
"$DRAGOMAN" version --build | grep -q '^mpi: none$' || { echo "a build with MPI"; exit 77; }
"$GENERATE" --seed 5 --train 20 --dev 5 --test 5 --out data > /dev/null
train() {
    "$DRAGOMAN" train --config "$SOURCE/corpora/recipes/demo.conf" -m m.gguf --after 1u -q \
        --dim-emb 16 --bpe-merges 5 --train-sets data/train.en data/train.de "$@"
}
refuse() {
    rc=0
    train > out 2> err || rc=$?
    test $rc = 1 || fail "exit code $rc: $(cat err)"
    grep -q 'one of 4 that a launcher has started, but this program was built without MPI' err ||
        fail "message: $(cat err)"
    test ! -e m.gguf.ckpt || fail "checkpoints"
}
(OMPI_COMM_WORLD_SIZE=4; export OMPI_COMM_WORLD_SIZE; refuse)
(PMI_SIZE=4; export PMI_SIZE; refuse)
(PMIX_RANK=0 SLURM_STEP_NUM_TASKS=4; export PMIX_RANK SLURM_STEP_NUM_TASKS; refuse)
(SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4; export SLURM_PROCID SLURM_STEP_NUM_TASKS; refuse)
# One process, however started, and several that are told to train alone.
OMPI_COMM_WORLD_SIZE=1 train
OMPI_COMM_WORLD_SIZE=4 train --ranks off --no-resume
rc=0
train --ranks on 2> err || rc=$?
test $rc = 2 && grep -q 'ranks' err || fail "--ranks on: $(cat err)"
# What deals its input out says the same.
rc=0
OMPI_COMM_WORLD_SIZE=4 "$DRAGOMAN" translate -q -m m.gguf -i data/test.en > out 2> err || rc=$?
test $rc = 1 && grep -q 'one of 4 that a launcher has started' err || fail "translate: $(cat err)"
test ! -s out || fail "translate: an output"
rc=0
OMPI_COMM_WORLD_SIZE=4 "$DRAGOMAN" score data/test.de -i data/test.de > out 2> err || rc=$?
test $rc = 1 && grep -q 'one of 4 that a launcher has started' err || fail "score: $(cat err)"
test ! -s out || fail "score: an output"
OMPI_COMM_WORLD_SIZE=4 "$DRAGOMAN" score --force data/test.de -i data/test.de --ranks off > out
"$DRAGOMAN" score --force data/test.de -i data/test.de | cmp - out || fail "score --ranks off"
OMPI_COMM_WORLD_SIZE=4 "$DRAGOMAN" translate -q -m m.gguf -i data/test.en --ranks off > out
"$DRAGOMAN" translate -q -m m.gguf -i data/test.en | cmp - out || fail "translate --ranks off"
