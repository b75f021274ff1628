# unread_trees.sh: trees that no part of a model reads are told: whoever names them has perhaps
# forgotten what should read them.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
"$GENERATE" --seed 3 --train 60 --dev 10 --test 10 --out data > /dev/null
fail() { echo "$*"; exit 1; }
train() {
    "$DRAGOMAN" train --tokenize none --bpe-merges 0 --enc-depth 1 --dec-depth 1 --dim-emb 16 \
        --transformer-dim-ffn 32 --transformer-heads 2 --batch-size 20 --after 1u \
        --train-sets data/train.en data/train.de "$@" 2> log || fail "$* $(cat log)"
}
source='warning: data/train.en.conllu: no part of the model reads trees of the source'
target='warning: data/train.de.conllu: no part of the model learns from trees of the target'
# told COUNT: of the two.
told() { test "$(grep -c -e "$source" -e "$target" log)" = "$1" || fail "not $1: $(cat log)"; }

train -m none.gguf
told 0
train -m plain.gguf --train-trees data/train.en.conllu
told 1
grep -q "$source" log
cmp none.gguf plain.gguf
train -m target.gguf --train-target-trees data/train.de.conllu
told 1
grep -q "$target" log
train -m depth.gguf --syntax depth --train-trees data/train.en.conllu
told 0
train -m depth-2.gguf --syntax depth --train-trees data/train.en.conllu \
    --train-target-trees data/train.de.conllu
told 1
grep -q "$target" log
train -m valid.gguf --valid-sets data/dev.en data/dev.de --valid-trees data/dev.en.conllu
grep -q 'warning: data/dev.en.conllu: no part of the model reads' log

translate() { "$DRAGOMAN" translate -b 1 -m "$@" < data/test.en > out 2> log || fail "$(cat log)"; }
translate plain.gguf
if grep warning log; then exit 1; fi
translate plain.gguf --trees data/test.en.conllu
test "$(grep -c 'warning: data/test.en.conllu: the model reads no trees' log)" = 1
translate plain.gguf depth.gguf --trees data/test.en.conllu
if grep warning log; then exit 1; fi
