# metrics.sh: a log that was lost or cut by a crash is never filled up with zero bytes, and a link in
# its place is not followed; the run goes on to the same bytes.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
"$GENERATE" --seed 5 --train 120 --dev 10 --test 10 --out data > /dev/null
train() {
    "$DRAGOMAN" train --tokenize none --bpe-merges 0 --enc-depth 1 --dec-depth 1 --dim-emb 16 \
        --transformer-dim-ffn 24 --transformer-heads 2 --batch-tokens 150 --lr 0.01 --warmup 10 \
        --save-freq 7u --disp-freq 2u --train-sets data/train.en data/train.de "$@"
}
fails() {
    if "$@" 2> err; then echo "did not fail: $*"; exit 1; fi
}
train --quiet --model whole.gguf --after 14u
train --quiet --model m.gguf --after 7u
cp -r m.gguf.ckpt kept.ckpt
log=m.gguf.ckpt/metrics.jsonl

rm $log
train --model m.gguf --after 14u 2> err
cmp whole.gguf m.gguf
grep -q "metrics.jsonl: $(wc -c < kept.ckpt/metrics.jsonl) bytes of the log are missing" err
test "$(tr -d '\000' < $log | wc -c)" = "$(wc -c < $log)"
test "$(head -c 10 $log)" = '{"epoch": '

rm -r m.gguf m.gguf.ckpt
cp -r kept.ckpt m.gguf.ckpt
printf %s "$(sed '$s/...$//' kept.ckpt/metrics.jsonl)" > $log # its last line is cut
train --model m.gguf --after 14u 2> err
cmp whole.gguf m.gguf
grep -q 'bytes of the log are missing' err
test "$(tr -d '\000' < $log | wc -c)" = "$(wc -c < $log)"
test "$(grep -c '}$' $log)" = "$(wc -l < $log)"

echo precious > precious
for name in metrics.jsonl lock; do
    rm -r m.gguf.ckpt
    cp -r kept.ckpt m.gguf.ckpt
    rm -f m.gguf.ckpt/$name
    ln -s ../precious m.gguf.ckpt/$name
    fails train --quiet --model m.gguf --after 14u
    grep -q "$name.*regular file" err
    test "$(cat precious)" = precious
done
