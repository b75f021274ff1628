# status.sh: SIGUSR1 and SIGUSR2 to a command at work: a line of status, and it goes on; SIGQUIT ends
# it without its temporary file.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
env --default-signal=USR1,USR2,QUIT true 2> /dev/null || skip "env cannot make signals default"
ulimit -c 0 # SIGQUIT asks for a dump
mkfifo pipe
awk 'BEGIN { for (i = 0; i < 40; i++) print "lower lowest newer", i, "newest" }' > text
"$DRAGOMAN" bpe learn -s 5 -i text -o codes
"$DRAGOMAN" spm train --vocab-size 30 -i text -o pieces 2> /dev/null
printf '1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n' > tree.conllu
generate data --seed 3 --train 60 --dev 5 --test 5
small bpe-merges=0 dim-emb=8 transformer-dim-ffn=8 batch-tokens=200 after=2u save-freq=1u
valid_on=
train m.gguf -q
"$DRAGOMAN" train-parser -q -m p.gguf -t data/train.en.conllu --after 1u --enc-depth 1 --dim-emb 8 --dim-lstm 8 \
    --dim-piece 4 --dim-piece-lstm 4 --dim-arc 8 --dim-label 4 --dim-tag 4 --batch-tokens 50 --average 0

# begin COMMAND...: becomes the program, with signals as a terminal has them. It opens the pipe, which
# this shell waits for, after it has begun to hear them.
begin() { exec env --default-signal=USR1,USR2,QUIT "$DRAGOMAN" "$@"; }
# tells SIGNAL: the program, which waits for the pipe, tells its status.
tells() {
    before=$(grep -c 'note: status: ' err || :)
    kill -$1 $pid
    until test "$(grep -c 'note: status: ' err)" -gt "$before"; do
        kill -0 $pid 2> /dev/null || fail "SIG$1 ended: $what: $(cat err)"
        sleep 0.05
    done
}
# asked FILE COMMAND...: with FILE in the pipe it does what it does with the file, and tells twice.
asked() {
    file=$1
    shift
    what="$*"
    rm -f out want
    "$DRAGOMAN" $(echo "$what" | sed "s/PIPE/$file/") -o want 2> /dev/null || fail "$what: $file"
    begin $(echo "$what" | sed s/PIPE/pipe/) -o out 2> err & pid=$!
    exec 3> pipe
    head -n 2 $file >&3
    tells USR1
    tells USR2
    tail -n +3 $file >&3
    exec 3>&-
    rc=0
    wait $pid || rc=$?
    test $rc = 0 || fail "exit $rc: $what: $(cat err)"
    cmp out want || fail "another output: $what"
}
for words in tok detok sentences 'truecase train' 'truecase undo' 'bpe learn -s 3' 'bpe apply -c codes' \
    'bpe undo' vocab 'spm train --vocab-size 30' \
    'spm encode -m pieces' 'spm decode -m pieces' 'translate -m m.gguf' 'parse -m p.gguf -f tokens' \
    'annotate -m p.gguf'; do
    asked text $words -i PIPE
done
for words in 'bpe vocab' clean 'score text -i'; do asked text $words PIPE; done
asked tree.conllu convert trees -i PIPE
asked tree.conllu parse -m p.gguf -f conllu -i PIPE
asked tree.conllu draw tree -i PIPE
asked tree.conllu parse-eval tree.conllu PIPE
asked text rescore text PIPE -m m.gguf
grep -q 'status: line [0-9]* of text ([0-9]* %).*, after 0:' err || fail "no line and share: $(cat err)"
asked text translate -m m.gguf --maxi-batch 1 -i PIPE
grep -q 'status: line [0-9]* of pipe.*, after 0:' err || fail "no line of the pipe: $(cat err)"

# What reads its text twice takes no pipe: it tells while it learns, and is stopped then.
what='vectors train'
rm err # what the last command wrote is no word of this one
begin vectors train --dim 4 --epochs 100000 -o vectors text 2> err & pid=$!
until grep -q . err; do
    kill -0 $pid 2> /dev/null || fail "$what has ended: $(cat err)"
    sleep 0.05
done
tells USR1
tells USR2
kill -TERM $pid
rc=0
wait $pid || rc=$?
test $rc = 7 || test $rc = 143 || fail "$what: exit $rc: $(cat err)"
test ! -e vectors || fail "$what was stopped, and wrote"

# SIGQUIT: at once, for what it stands for, and nothing is left.
echo old > out
begin tok -i pipe -o out 2> err & pid=$!
exec 3> pipe
cat text >&3
until ls -A | grep -q '^\.tmp-'; do
    kill -0 $pid 2> /dev/null || fail "it has ended: $(cat err)"
    sleep 0.05
done
kill -QUIT $pid
rc=0
wait $pid 2> /dev/null || rc=$?
test $rc = 131 || fail "SIGQUIT: exit $rc"
exec 3>&-
test "$(cat out)" = old || fail 'SIGQUIT destroyed the output'
test -z "$(ls -A | grep '^\.tmp-')" || fail 'SIGQUIT left a temporary file'
