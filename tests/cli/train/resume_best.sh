# resume_best.sh: a run that was killed after its best checkpoint was written, and before best.gguf
# said so, ends with that checkpoint all the same.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
"$GENERATE" --seed 5 --train 120 --dev 10 --test 10 --out data > /dev/null
train() {
    "$DRAGOMAN" train --tokenize none --bpe-merges 0 --enc-depth 1 --dec-depth 1 --dim-emb 16 \
        --transformer-dim-ffn 24 --transformer-heads 2 --batch-tokens 150 --lr 0.01 --warmup 10 \
        --after 14u --save-freq 7u --valid-freq 7u --model m.gguf \
        --train-sets data/train.en data/train.de --valid-sets data/dev.en data/dev.de "$@"
}
train 2> log
grep -q 'Up. 14 .*new best' log
cp m.gguf want.gguf
rm m.gguf m.gguf.ckpt/best.gguf
cp m.gguf.ckpt/update-00000007.gguf m.gguf.ckpt/best.gguf
train --quiet
cmp m.gguf want.gguf
