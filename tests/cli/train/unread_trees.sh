# unread_trees.sh: trees that no part of a model reads are told: whoever names them has perhaps
# forgotten what should read them.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 60 --dev 10 --test 10
small bpe-merges=0 transformer-dim-ffn=32 after=1u
valid_on=
source='warning: data/train.en.conllu: no part of the model reads trees of the source'
target='warning: data/train.de.conllu: no part of the model learns from trees of the target'
# told COUNT: of the two.
told() { test "$(grep -c -e "$source" -e "$target" log)" = "$1" || fail "not $1: $(cat log)"; }

train none.gguf
told 0
train plain.gguf --train-trees data/train.en.conllu
told 1
grep -q "$source" log
cmp none.gguf plain.gguf
train target.gguf --train-target-trees data/train.de.conllu
told 1
grep -q "$target" log
train depth.gguf --syntax depth --train-trees data/train.en.conllu
told 0
train depth-2.gguf --syntax depth --train-trees data/train.en.conllu \
    --train-target-trees data/train.de.conllu
told 1
grep -q "$target" log
train valid.gguf --valid-sets data/dev.en data/dev.de --valid-trees data/dev.en.conllu
grep -q 'warning: data/dev.en.conllu: no part of the model reads' log

translate() { "$DRAGOMAN" translate -b 1 -m "$@" < data/test.en > out 2> log || fail "$(cat log)"; }
translate plain.gguf
if grep 'warning.*tree' log; then exit 1; fi
translate plain.gguf --trees data/test.en.conllu
test "$(grep -c 'warning: data/test.en.conllu: the model reads no trees' log)" = 1
translate plain.gguf depth.gguf --trees data/test.en.conllu
if grep 'warning.*tree' log; then exit 1; fi
