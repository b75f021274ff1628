# small_training.sh: what scripts of tests/cli share that train a small model on a generated corpus.
test -x "$GENERATE" || { echo "no generator"; exit 77; }
"$GENERATE" --seed 3 --train 6000 --dev 10 --test 10 --out data > /dev/null

cat > small.conf <<END
tokenize = none
bpe-merges = 60
enc-depth = 1
dec-depth = 1
dim-emb = 8
transformer-dim-ffn = 8
transformer-heads = 1
dropout = 0.2
max-length = 40
batch-tokens = 4000
lr = 0.01
warmup = 10
after = 30u
save-freq = 7u
valid-freq = 15u
END

# start MODEL OPTION...: becomes the trainer, so that a signal reaches it and nothing else.
start() {
    model=$1
    shift
    exec "$DRAGOMAN" train --config small.conf --model "$model" \
        --train-sets data/train.en data/train.de --valid-sets data/dev.en data/dev.de "$@"
}
train() { (start "$@" 2> log) || { rc=$?; cat log; return $rc; }; }

# refuse WORDS MODEL OPTION...: an error with these words.
refuse() {
    words=$1
    shift
    rc=0
    (start "$@" 2> log) || rc=$?
    test $rc != 0 || { echo "not refused: $*"; exit 1; }
    said "$words"
}
said() { grep -q -e "$1" log || { echo "expected: $1"; cat log; exit 1; }; }
no_rest() { if ls -a | grep '^\.tmp-'; then exit 1; fi; }
