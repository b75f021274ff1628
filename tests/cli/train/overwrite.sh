# overwrite.sh: --overwrite and --no-resume touch nothing until everything has been read and found
# good; then the old checkpoints are moved aside, one generation of them, and the run says where.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
"$GENERATE" --seed 5 --train 120 --dev 10 --test 10 --out data > /dev/null
train() {
    "$DRAGOMAN" train --tokenize none --bpe-merges 0 --enc-depth 1 --dec-depth 1 --dim-emb 16 \
        --transformer-dim-ffn 24 --transformer-heads 2 --batch-tokens 150 --lr 0.01 --warmup 10 \
        --save-freq 4u --valid-freq 4u --after 8u --model m.gguf --train-sets $text \
        --valid-sets $valid "$@"
}
text='data/train.en data/train.de' valid='data/dev.en data/dev.de'
state() { (cd m.gguf.ckpt && cksum *.gguf metrics.jsonl); }

fails() {
    if "$@" 2> err; then echo "did not fail: $*"; exit 1; fi
}

# A refused run leaves neither a folder nor a lock.
missing() { (text='missing.en missing.de' && train "$@"); }
fails missing
test ! -e m.gguf.ckpt
mkdir m.gguf.ckpt
fails missing
test -z "$(ls -A m.gguf.ckpt)"
rmdir m.gguf.ckpt

train --quiet
cp m.gguf first.gguf
state > first

# Whatever is wrong, the checkpoints stay as they are.
echo '#version: 9' > bad.codes
printf '1\tx\n' > bad.conllu
echo 'no parser' > bad.gguf
head -n 100 data/train.de > short.de
for wish in --overwrite --no-resume; do
    for wrong in text=missing.en text=short.de text=data valid=missing.de \
        '--bpe-merges 10 --codes bad.codes' '--vocabs missing missing --seed 2' \
        '--transformer-heads 3' '--syntax no-such-variant' '--lr nought' '--valid-freq 3h' \
        '--syntax deps-san --train-trees bad.conllu' '--syntax deps-san --parser bad.gguf'; do
        rc=0
        (
            case $wrong in
            text=*) text="data/train.en ${wrong#text=}" wrong= ;;
            valid=*) valid="data/dev.en ${wrong#valid=}" wrong= ;;
            esac
            train $wish $wrong 2> err
        ) || rc=$?
        case $rc in 2 | 3 | 4) ;; *) echo "rc $rc: $wish $wrong"; cat err; exit 1 ;; esac
        state > now
        cmp first now
        test ! -e m.gguf.ckpt.old
    done
done

# With the same settings --overwrite goes on with the run.
train --overwrite 2> err
grep -q 'resuming after update 8' err
state > now
cmp first now

# With others, or with --no-resume, the old ones stand aside.
train --overwrite --lr 0.02 2> err
grep -q 'starting again, since .*lr = 0.02' err
grep -q 'the checkpoints that were in m.gguf.ckpt are now in m.gguf.ckpt.old$' err
(cd m.gguf.ckpt.old && cksum *.gguf metrics.jsonl) | cmp first -
test ! -e m.gguf.ckpt.old/lock
state > second
fails cmp -s first second
train --no-resume 2> err
grep -q 'are now in m.gguf.ckpt.old, in place of those before them' err
(cd m.gguf.ckpt.old && cksum *.gguf metrics.jsonl) | cmp second -
test ! -e m.gguf.ckpt.older
cmp first.gguf m.gguf

# Another text; damaged checkpoints.
tail -n 110 data/train.en > t.en
tail -n 110 data/train.de > t.de
text='t.en t.de'
train --overwrite 2> err
grep -q 'starting again, since the training text is not the one' err
text='data/train.en data/train.de'
train --overwrite --quiet
cmp first.gguf m.gguf
for file in m.gguf.ckpt/update-*; do echo damaged > $file; done
fails train
grep -q 'no checkpoint is whole' err
train --overwrite 2> err
grep -q 'starting again, since no checkpoint is whole' err
cmp first.gguf m.gguf

# What is no checkpoint is not replaced.
echo mine > m.gguf.ckpt.old/notes
state > now
fails train --no-resume
grep -q 'm.gguf.ckpt.old: error: holds "notes", which is no checkpoint' err
state | cmp now -
test "$(cat m.gguf.ckpt.old/notes)" = mine
