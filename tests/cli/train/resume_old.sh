# resume_old.sh: a run that an older version has begun goes on. tests/golden/checkpoint-210337b.gguf
# is the last checkpoint that commit 210337b has saved with the text and the options below, --after
# 13u, DGM_CPU=c; it has no key that came later.
set -e
exec >&2
printf 'a b\nb c d\nc a\nd d a b\na c\nb\n' > s
printf 'x y\ny z w\nz x\nw w x y\nx z\ny\n' > t
mkdir m.gguf.ckpt
cp "$SOURCE/tests/golden/checkpoint-210337b.gguf" m.gguf.ckpt/update-00000013.gguf
train() {
    DGM_CPU=c "$DRAGOMAN" train --train-sets s t --valid-sets s t --tokenize none --bpe-merges 0 \
        --enc-depth 1 --dec-depth 1 --dim-emb 4 --transformer-dim-ffn 4 --transformer-heads 2 \
        --batch-tokens 8 --lr 0.01 --warmup 10 --save-freq 5u --valid-freq 3u -m m.gguf "$@"
}
# It has ended by its own rules, and its best is known by its update alone.
train --after 13u 2> log
grep -q 'resuming after update 13' log
"$DRAGOMAN" inspect m.gguf | grep -q 'training.updates.* 13'
train --after 30u --average 2 2> log
grep -q 'Up. 30 ' log
"$DRAGOMAN" inspect m.gguf | grep -q 'training.updates.* 30'
# What it does not know it cannot compare; what it knows it does.
rm -r m.gguf m.gguf.ckpt
mkdir m.gguf.ckpt
cp "$SOURCE/tests/golden/checkpoint-210337b.gguf" m.gguf.ckpt/update-00000013.gguf
echo x y >> t
echo a b >> s
rc=0
train --after 30u 2> log || rc=$?
test $rc = 2
grep -q 'the training text is not the one' log
