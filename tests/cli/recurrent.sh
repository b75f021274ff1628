# recurrent.sh: recurrent models from the command line: a kill -9 at any moment with a resume, and
# two devices, end in the bytes of a run left alone; a translation does not depend on its
# neighbours.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
fail() { echo "$*" >&2; exit 1; }
"$GENERATE" --seed 3 --train 120 --dev 10 --test 30 --out data > /dev/null

cat > small.conf <<END
tokenize = none
bpe-merges = 60
tied-embeddings = none
label-smoothing = 0
dim-emb = 14
dim-rnn = 14
dynamic-z = 6
dropout = 0.2
max-length = 60
optimizer = adadelta
cost-type = mean
clip-norm = 1
batch-size = 9
accumulate = 2
after = 30u
save-freq = 4u
valid-freq = 13u
END

# start MODEL OPTION...: becomes the trainer, so that a signal reaches it and nothing else.
start() {
    model=$1
    shift
    exec "$DRAGOMAN" train --quiet --config small.conf --model "$model" \
        --train-sets data/train.en data/train.de --valid-sets data/dev.en data/dev.de \
        --train-trees data/train.en.conllu --valid-trees data/dev.en.conllu "$@"
}
train() { (start "$@"); }

for encoder in lexicalized constituency; do
    rm -rf one.gguf* two.gguf*
    train one.gguf --encoder $encoder --threads 1
    train two.gguf --encoder $encoder -d cpu,cpu
    cmp one.gguf two.gguf
    for pauses in '0.1 0.3' '0.2 0.15' '0.4 0.25'; do
        rm -rf killed.gguf killed.gguf.ckpt
        for pause in $pauses; do
            start killed.gguf --encoder $encoder --threads 2 & pid=$!
            sleep $pause
            kill -9 $pid 2> /dev/null || true
            wait $pid 2> /dev/null || true
        done
        train killed.gguf --encoder $encoder
        cmp one.gguf killed.gguf
    done

    trees=data/test.en.conllu
    "$DRAGOMAN" translate -q -m one.gguf --trees $trees < data/test.en > want
    for options in '--batch-tokens 1' '--batch-tokens 7 --threads 3' '--batch-tokens 9999'; do
        "$DRAGOMAN" translate -q -m one.gguf --trees $trees $options < data/test.en > got
        cmp want got
    done
    sed 1d data/test.en > fewer
    awk 'found; /^$/ { found = 1 }' $trees > fewer.conllu
    "$DRAGOMAN" translate -q -m one.gguf --trees fewer.conllu < fewer > got
    sed 1d want | cmp - got

    # Without trees there is a translation of every line, and a warning.
    "$DRAGOMAN" translate -m one.gguf < data/test.en > got 2> err
    test "$(wc -l < got)" -eq "$(wc -l < data/test.en)"
    grep -q "no trees: --encoder $encoder" err || fail "no warning: $(cat err)"
done
