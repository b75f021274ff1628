# resume_best.sh: a run that was killed after its best checkpoint was written, and before best.gguf
# said so, ends with that checkpoint all the same.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 120 --dev 10 --test 10
small bpe-merges=0 after=14u save-freq=7u valid-freq=7u
train m.gguf
said 'Up. 14 .*new best'
cp m.gguf want.gguf
rm m.gguf m.gguf.ckpt/best.gguf
cp m.gguf.ckpt/update-00000007.gguf m.gguf.ckpt/best.gguf
train m.gguf
cmp m.gguf want.gguf
