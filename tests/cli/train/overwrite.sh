# overwrite.sh: --overwrite and --no-resume touch nothing until everything has been read and found
# good; then the old checkpoints are moved aside, one generation of them, and the run says where.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 120 --dev 10 --test 10
small bpe-merges=0 save-freq=4u valid-freq=4u after=8u
state() { (cd m.gguf.ckpt && cksum *.gguf metrics.jsonl); }


# A refused run leaves neither a folder nor a lock.
missing='--train-sets missing.en missing.de'
ends 3 missing.en start m.gguf $missing
test ! -e m.gguf.ckpt
mkdir m.gguf.ckpt
ends 3 missing.en start m.gguf $missing
test -z "$(ls -A m.gguf.ckpt)"
rmdir m.gguf.ckpt

train m.gguf
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
            text=*) wrong="--train-sets data/train.en ${wrong#text=}" ;;
            valid=*) wrong="--valid-sets data/dev.en ${wrong#valid=}" ;;
            esac
            start m.gguf $wish $wrong 2> err
        ) || rc=$?
        case $rc in 2 | 3 | 4) ;; *) echo "rc $rc: $wish $wrong"; cat err; exit 1 ;; esac
        state > now
        cmp first now
        test ! -e m.gguf.ckpt.old
    done
done

# With the same settings --overwrite goes on with the run.
train m.gguf --overwrite
said 'resuming after update 8'
state > now
cmp first now

# With others, or with --no-resume, the old ones stand aside.
train m.gguf --overwrite --lr 0.02
said 'starting again, since .*lr = 0.02'
said 'the checkpoints that were in m.gguf.ckpt are now in m.gguf.ckpt.old$'
(cd m.gguf.ckpt.old && cksum *.gguf metrics.jsonl) | cmp first -
test ! -e m.gguf.ckpt.old/lock
state > second
differ first second
train m.gguf --no-resume
said 'are now in m.gguf.ckpt.old, in place of those before them'
(cd m.gguf.ckpt.old && cksum *.gguf metrics.jsonl) | cmp second -
test ! -e m.gguf.ckpt.older
cmp first.gguf m.gguf

# Another text; damaged checkpoints.
tail -n 110 data/train.en > t.en
tail -n 110 data/train.de > t.de
train_on='--train-sets t.en t.de'
train m.gguf --overwrite
said 'starting again, since the training text is not the one'
train_on='--train-sets data/train.en data/train.de'
train m.gguf --overwrite
cmp first.gguf m.gguf
for file in m.gguf.ckpt/update-*; do echo damaged > $file; done
ends 4 'no checkpoint is whole' start m.gguf
train m.gguf --overwrite
said 'starting again, since no checkpoint is whole'
cmp first.gguf m.gguf

# What is no checkpoint is not replaced.
echo mine > m.gguf.ckpt.old/notes
state > now
ends 1 'm.gguf.ckpt.old: error: holds "notes", which is no checkpoint' start m.gguf --no-resume
state | cmp now -
test "$(cat m.gguf.ckpt.old/notes)" = mine
