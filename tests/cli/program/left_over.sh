# left_over.sh: what a killed run has left goes at the next start; what others have, stays.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 120 --dev 10 --test 10
small bpe-merges=0 save-freq=4u valid-freq=4u
true & dead=$!
wait $dead
train m.gguf --after 8u
printf 'GGUF half a model' > .tmp-$dead-0
: > .tmp-$dead-1
printf 'of another program' > .tmp-$dead-2
printf 'GGUF' > .tmp-$$-0
printf 'half' > m.gguf.ckpt/.tmp-$dead-0
ln m.gguf.ckpt/best.gguf m.gguf.ckpt/best.tmp-link
ln m.gguf.ckpt/best.gguf m.gguf.ckpt/best.gguf.tmp-link
echo mine > m.gguf.ckpt/notes.tmp-1
train m.gguf --after 12u
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
train m.gguf --after 12u
test -L m.gguf
test ! -e disk/.tmp-$dead-0

# Two names of the best one, whenever a run goes on: no third is left.
train m.gguf --after 12u
ls m.gguf.ckpt > names
if grep tmp-link names; then exit 1; fi
