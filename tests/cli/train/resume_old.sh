# resume_old.sh: a run that an older version has begun goes on. tests/golden/checkpoint-210337b.gguf
# is the last checkpoint that commit 210337b has saved with the text and the options below, --after
# 13u, DGM_CPU=c; it has no key that came later.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
printf 'a b\nb c d\nc a\nd d a b\na c\nb\n' > s
printf 'x y\ny z w\nz x\nw w x y\nx z\ny\n' > t
mkdir m.gguf.ckpt
cp "$SOURCE/tests/golden/checkpoint-210337b.gguf" m.gguf.ckpt/update-00000013.gguf
train_on='--train-sets s t' valid_on='--valid-sets s t' DGM_CPU=c
export DGM_CPU
small bpe-merges=0 dim-emb=4 transformer-dim-ffn=4 batch-tokens=8 save-freq=5u valid-freq=3u
# It has ended by its own rules, and its best is known by its update alone.
train m.gguf --after 13u
said 'resuming after update 13'
"$DRAGOMAN" inspect m.gguf | grep -q 'training.updates.* 13'
train m.gguf --after 30u --average 2
said 'Up. 30 '
"$DRAGOMAN" inspect m.gguf | grep -q 'training.updates.* 30'
# What it does not know it cannot compare; what it knows it does.
rm -r m.gguf m.gguf.ckpt
mkdir m.gguf.ckpt
cp "$SOURCE/tests/golden/checkpoint-210337b.gguf" m.gguf.ckpt/update-00000013.gguf
echo x y >> t
echo a b >> s
ends 2 'the training text is not the one' start m.gguf --after 30u
