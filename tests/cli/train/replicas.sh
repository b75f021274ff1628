# replicas.sh: train and train-parser on a list of devices: the bytes of one device, from the command
# line, a settings file and the environment; after a kill; and what is wrong with a list.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 120 --dev 5 --test 5

demo bpe-merges=60 batch-tokens=200 accumulate=3 after=30u save-freq=4u
valid_on=

train one.gguf -q
train two.gguf -d cpu,cpu
cmp one.gguf two.gguf
test "$(grep -c '\] device: CPU' log)" = 2 || fail "devices: $(cat log)"
said '"cpu" is named again'
echo 'devices = cpu, cpu, cpu' > three.conf
train three.gguf -q --config three.conf
cmp one.gguf three.gguf
DRAGOMAN_DEVICES=cpu,cpu train env.gguf -q
cmp one.gguf env.gguf
train four.gguf -d cpu,cpu,cpu,cpu
cmp one.gguf four.gguf
said 'warning: .*1 of 4 have nothing to do with --accumulate 3'

# A run that is killed with two devices and ends with one, and the other way round.
for pair in cpu,cpu:cpu cpu:cpu,cpu,cpu; do
    killed_saving killed.gguf start killed.gguf -q -d "${pair%:*}"
    train killed.gguf -q -d "${pair#*:}"
    cmp one.gguf killed.gguf
    rm -rf killed.gguf killed.gguf.ckpt
done

untrained 2 'a list of them, got "cpu,,cpu"' -d cpu,,cpu
untrained 2 'at most 16' -d cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu
untrained 1 '^dragoman: error: devices: entry 2 of "cpu,no such device": ' -d 'cpu,no such device'

# Everything else computes with the first, and says so.
"$DRAGOMAN" translate -q -m one.gguf < data/test.en > want
"$DRAGOMAN" translate -m one.gguf -d cpu,cpu < data/test.en > got 2> err
cmp want got
grep -q 'the first of "cpu,cpu" computes; training alone uses several' err || fail "$(cat err)"

# Parsers, too.
learn() {
    model=$1
    shift
    "$DRAGOMAN" train-parser -q --model "$model" --train-sets data/train.en.conllu --after 6u \
        --valid-sets data/dev.en.conllu --valid-freq 3u --batch-tokens 200 --accumulate 3 \
        --enc-depth 1 --dim-emb 16 --dim-lstm 12 --dim-piece 8 --dim-piece-lstm 8 --dim-arc 16 \
        --dim-label 8 --dim-tag 8 --average 0 "$@"
}
learn p1.gguf
learn p2.gguf -d cpu,cpu
cmp p1.gguf p2.gguf
learn p3.gguf -d cpu,cpu,cpu
cmp p1.gguf p3.gguf
