# metrics.sh: a log that was lost or cut by a crash is never filled up with zero bytes, and a link in
# its place is not followed; the run goes on to the same bytes.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 120 --dev 10 --test 10
valid_on=
small bpe-merges=0 save-freq=7u disp-freq=2u
train whole.gguf --quiet --after 14u
train m.gguf --quiet --after 7u
cp -r m.gguf.ckpt kept.ckpt
log=m.gguf.ckpt/metrics.jsonl

rm $log
train m.gguf --after 14u
cmp whole.gguf m.gguf
said "metrics.jsonl: $(wc -c < kept.ckpt/metrics.jsonl) bytes of the log are missing"
test "$(tr -d '\000' < $log | wc -c)" = "$(wc -c < $log)"
test "$(head -c 10 $log)" = '{"epoch": '

rm -r m.gguf m.gguf.ckpt
cp -r kept.ckpt m.gguf.ckpt
printf %s "$(sed '$s/...$//' kept.ckpt/metrics.jsonl)" > $log # its last line is cut
train m.gguf --after 14u
cmp whole.gguf m.gguf
said 'bytes of the log are missing'
test "$(tr -d '\000' < $log | wc -c)" = "$(wc -c < $log)"
test "$(grep -c '}$' $log)" = "$(wc -l < $log)"

echo precious > precious
for name in metrics.jsonl lock; do
    rm -r m.gguf.ckpt
    cp -r kept.ckpt m.gguf.ckpt
    rm -f m.gguf.ckpt/$name
    ln -s ../precious m.gguf.ckpt/$name
    ends 1 "$name.*regular file" start m.gguf --quiet --after 14u
    test "$(cat precious)" = precious
done
