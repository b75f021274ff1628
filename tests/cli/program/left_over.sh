# left_over.sh: what a killed run has left goes at the next start; what others have, stays.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
"$GENERATE" --seed 5 --train 120 --dev 10 --test 10 --out data > /dev/null
train() {
    "$DRAGOMAN" train --quiet --tokenize none --bpe-merges 0 --enc-depth 1 --dec-depth 1 \
        --dim-emb 16 --transformer-dim-ffn 24 --transformer-heads 2 --batch-tokens 150 --lr 0.01 \
        --warmup 10 --save-freq 4u --valid-freq 4u --model m.gguf \
        --train-sets data/train.en data/train.de --valid-sets data/dev.en data/dev.de "$@"
}
true & dead=$!
wait $dead
train --after 8u
printf 'GGUF half a model' > .tmp-$dead-0
: > .tmp-$dead-1
printf 'of another program' > .tmp-$dead-2
printf 'GGUF' > .tmp-$$-0
printf 'half' > m.gguf.ckpt/.tmp-$dead-0
ln m.gguf.ckpt/best.gguf m.gguf.ckpt/best.tmp-link
ln m.gguf.ckpt/best.gguf m.gguf.ckpt/best.gguf.tmp-link
echo mine > m.gguf.ckpt/notes.tmp-1
train --after 12u
for file in .tmp-$dead-0 .tmp-$dead-1 m.gguf.ckpt/.tmp-$dead-0 m.gguf.ckpt/best.tmp-link \
    m.gguf.ckpt/best.gguf.tmp-link; do
    if test -e $file; then echo "$file stayed"; exit 1; fi
done
test "$(cat .tmp-$dead-2)" = 'of another program'
test "$(cat .tmp-$$-0)" = GGUF
test "$(cat m.gguf.ckpt/notes.tmp-1)" = mine

# The model may be a link to another folder.
mkdir disk
mv m.gguf disk/m.gguf
ln -s disk/m.gguf m.gguf
printf 'GGUF half a model' > disk/.tmp-$dead-0
train --after 12u
test -L m.gguf
test ! -e disk/.tmp-$dead-0

# Two names of the best one, whenever a run goes on: no third is left.
train --after 12u
ls m.gguf.ckpt > names
if grep tmp-link names; then exit 1; fi
