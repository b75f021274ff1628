# ranks.sh: a program without MPI that a launcher has started several times; with MPI,
# scripts/check-mpi.sh is the test.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
"$DRAGOMAN" version --build | grep -q '^mpi: none$' || skip "a build with MPI"
generate data --seed 5 --train 20 --dev 5 --test 5
demo bpe-merges=5 after=1u
valid_on=
# no_ranks COMMAND...: it is refused.
no_ranks() {
    ends 1 'one of 4 that a launcher has started, but this program was built without MPI' "$@"
    test ! -s out || fail "$*: an output"
}
OMPI_COMM_WORLD_SIZE=4 no_ranks start m.gguf
PMI_SIZE=4 no_ranks start m.gguf
PMIX_RANK=0 SLURM_STEP_NUM_TASKS=4 no_ranks start m.gguf
SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4 no_ranks start m.gguf
test ! -e m.gguf.ckpt || fail "checkpoints"
# One process, however started, and several that are told to train alone.
OMPI_COMM_WORLD_SIZE=1 train m.gguf
OMPI_COMM_WORLD_SIZE=4 train m.gguf --ranks off --no-resume
ends 2 ranks start m.gguf --ranks on
# What deals its input out says the same.
OMPI_COMM_WORLD_SIZE=4 no_ranks "$DRAGOMAN" translate -q -m m.gguf -i data/test.en
OMPI_COMM_WORLD_SIZE=4 no_ranks "$DRAGOMAN" score data/test.de -i data/test.de
OMPI_COMM_WORLD_SIZE=4 "$DRAGOMAN" score --force data/test.de -i data/test.de --ranks off > out
"$DRAGOMAN" score --force data/test.de -i data/test.de | cmp - out || fail "score --ranks off"
OMPI_COMM_WORLD_SIZE=4 "$DRAGOMAN" translate -q -m m.gguf -i data/test.en --ranks off > out
"$DRAGOMAN" translate -q -m m.gguf -i data/test.en | cmp - out || fail "translate --ranks off"
