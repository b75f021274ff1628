# replicas.sh: train and train-parser on a list of devices: the bytes of one device, from the command
# line, a settings file and the environment; after a kill; and what is wrong with a list.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
fail() { echo "$*" >&2; exit 1; }
"$GENERATE" --seed 5 --train 120 --dev 5 --test 5 --out data > /dev/null

# start MODEL OPTION...: becomes the trainer, so that a signal reaches it and nothing else.
start() {
    model=$1
    shift
    exec "$DRAGOMAN" train --config "$SOURCE/corpora/recipes/demo.conf" --model "$model" \
        --dim-emb 16 --transformer-dim-ffn 16 --bpe-merges 60 --batch-tokens 200 --accumulate 3 \
        --after 30u --save-freq 4u --average 0 --train-sets data/train.en data/train.de "$@"
}
train() { (start "$@"); }

train one.gguf -q
train two.gguf -d cpu,cpu 2> err
cmp one.gguf two.gguf
test "$(grep -c '\] device: CPU' err)" = 2 || fail "devices: $(cat err)"
grep -q '"cpu" is named again' err || fail "twice the same: $(cat err)"
echo 'devices = cpu, cpu, cpu' > three.conf
train three.gguf -q --config three.conf
cmp one.gguf three.gguf
DRAGOMAN_DEVICES=cpu,cpu train env.gguf -q
cmp one.gguf env.gguf
train four.gguf -d cpu,cpu,cpu,cpu 2> err
cmp one.gguf four.gguf
grep -q 'warning: .*1 of 4 have nothing to do with --accumulate 3' err || fail "idle: $(cat err)"

# A run that is killed with two devices and ends with one, and the other way round.
for pair in cpu,cpu:cpu cpu:cpu,cpu,cpu; do
    start killed.gguf -q -d "${pair%:*}" &
    pid=$!
    while ! ls killed.gguf.ckpt/update-*.gguf > /dev/null 2>&1; do
        kill -0 $pid 2> /dev/null || break
        sleep 0.01
    done
    kill -9 $pid 2> /dev/null || :
    wait $pid || :
    train killed.gguf -q -d "${pair#*:}"
    cmp one.gguf killed.gguf
    rm -rf killed.gguf killed.gguf.ckpt
done

# refuse CODE TEXT SPEC: training ends before it begins.
refuse() {
    rc=0
    train no.gguf -d "$3" > out 2> err || rc=$?
    test $rc = "$1" || fail "exit code $rc instead of $1: $3: $(cat err)"
    grep -q -e "$2" err || fail "no \"$2\": $3: $(cat err)"
    test ! -e no.gguf || fail "a model: $3"
}
refuse 2 'a list of them, got "cpu,,cpu"' cpu,,cpu
refuse 2 'at most 16' cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu
refuse 1 '^dragoman: error: devices: entry 2 of "cpu,no such device": ' 'cpu,no such device'

# Everything else computes with the first, and says so.
"$DRAGOMAN" translate -q -m one.gguf < data/test.en > want
"$DRAGOMAN" translate -m one.gguf -d cpu,cpu < data/test.en > got 2> err
cmp want got
grep -q 'the first of "cpu,cpu" computes; training alone uses several' err || fail "$(cat err)"

# Parsers, too.
parser() {
    model=$1
    shift
    "$DRAGOMAN" train-parser -q --model "$model" --train-sets data/train.en.conllu --after 6u \
        --valid-sets data/dev.en.conllu --valid-freq 3u --batch-tokens 200 --accumulate 3 \
        --enc-depth 1 --dim-emb 16 --dim-lstm 12 --dim-piece 8 --dim-piece-lstm 8 --dim-arc 16 \
        --dim-label 8 --dim-tag 8 --average 0 "$@"
}
parser p1.gguf
parser p2.gguf -d cpu,cpu
cmp p1.gguf p2.gguf
parser p3.gguf -d cpu,cpu,cpu
cmp p1.gguf p3.gguf
