#!/bin/sh
# check-mpi-text.sh SRCDIR: from a build folder that was configured --with-mpi: translates on several
# ranks of this machine, started by $MPIRUN [mpirun], and compares with one process.
set -eu
source=$1
dragoman=$(pwd)/dragoman
generate=$(cd "$(dirname "${GENERATE:-out/corpora/generate}")" && pwd)/generate
mpirun="sh $source/scripts/launch-ranks.sh"
"$dragoman" version --build | grep -q '^mpi: none' && { echo 'check-mpi-text: a build without MPI'; exit 1; }
fail() {
    echo "check-mpi-text: $*" >&2
    exit 1
}

rm -rf out/mpi-text
mkdir -p out/mpi-text
cd out/mpi-text
"$generate" --seed 5 --train 60 --dev 5 --test 1300 --out data > /dev/null
demo="--config $source/corpora/recipes/demo.conf -q --dim-emb 16 --transformer-dim-ffn 16 \
    --enc-depth 1 --dec-depth 1 --bpe-merges 20 --batch-tokens 200 --average 0 --threads 1"
"$dragoman" train -m m.gguf $demo --after 4u --train-sets data/train.en data/train.de
"$dragoman" train -m t.gguf $demo --after 2u --train-sets data/train.en data/train.de \
    --syntax pascal --train-trees data/train.en.conllu
"$dragoman" train -m d.gguf $demo --after 2u --train-sets data/train.en data/train.de \
    --syntax 'dbsa(enc_layer=0,dec_layer=1)' --train-trees data/train.en.conllu \
    --train-target-trees data/train.de.conllu --max-length 100

"$dragoman" train-parser -q -m p.gguf -t data/train.en.conllu --after 2u --enc-depth 1 --dim-emb 8 \
    --dim-lstm 8 --dim-piece 4 --dim-piece-lstm 4 --dim-arc 8 --dim-label 4 --dim-tag 4 \
    --batch-tokens 200 --average 0

ranks() {
    n=$1
    shift
    $mpirun -n "$n" "$dragoman" "$@" -j 1
}
# MPICH's launcher does not forward more input than a pipe holds: -i names it.
# as_one NAME COMMAND...: on several ranks, $numbers of them, what one process writes.
numbers='1 2 3 4'
as_one() {
    name=$1
    shift
    "$dragoman" "$@" -q -j 1 < in > whole || fail "$name: one process"
    for n in $numbers; do
        ranks $n "$@" -q -i in > out 2> err < /dev/null || fail "$name on $n ranks: $(cat err)"
        cmp whole out || fail "$name on $n ranks: other bytes"
    done
}
cp data/test.en in
as_one lines translate -m m.gguf -b 2
numbers=3 # starting them takes most of the time
as_one lists translate -m m.gguf -b 3 --n-best 2
as_one conllu parse -m p.gguf
as_one json parse -m p.gguf --to json
as_one brackets parse -m p.gguf --to brackets
as_one picture parse -m p.gguf --to svg
cp data/test.en.conllu in
as_one sentences parse -m p.gguf -f conllu
as_one tagged-again parse -m p.gguf -f conllu --retag --shard 2/3
as_one depths annotate -m p.gguf -f conllu --to depths
# What is wrong in CoNLL-U is warned of and kept: a gap, two roots, a cycle, no columns, comments alone.
awk 'BEGIN { RS = ""; ORS = "\n\n" } NR > 450 { exit }
    NR == 7 { print; print "# nothing but this"; next }
    NR == 9 { sub(/\n/, "\n \n") }
    NR == 11 { gsub(/\t[0-9]+\t[a-z:]+\t_\t_/, "\t0\troot\t_\t_") }
    NR == 13 { gsub(/\t[0-9]+\t[a-z:]+\t_\t_/, "\t2\tdep\t_\t_") }
    NR == 15 { sub(/\t/, " ") }
    { print }' data/test.en.conllu > in
as_one faults parse -m p.gguf -f conllu
as_one one-by-one parse -m p.gguf -f conllu --immediate
printf '1\tWord' > in
as_one half-a-row parse -m p.gguf -f conllu
head -n 250 data/test.de > in
head -n 250 data/test.en > sources
as_one sources parse -m d.gguf -f tokens --source sources
awk 'BEGIN { RS = ""; ORS = "\n\n" } NR <= 250' data/test.de.conllu > in
as_one sources-of-sentences parse -m d.gguf -f conllu --source sources
as_one sources-of-a-shard parse -m d.gguf -f conllu --source sources --shard 2/3
echo 'one too many' >> sources
rc=0
$mpirun -n 3 "$dragoman" parse -m d.gguf -f conllu --source sources -j 1 -q -i in > out 2> err || rc=$?
test $rc = 3 && grep -q 'more than 250 lines; .*E_ALIGN' err || fail "a source too many: $rc $(cat err)"
head -n 300 data/test.en > in
as_one tokens parse -m p.gguf -f tokens --shard 2/3
as_one immediate parse -m p.gguf --immediate --prob row
as_one heads annotate -m p.gguf
as_one small-pieces translate -m m.gguf -b 2 --maxi-batch 3 --scores
as_one a-shard translate -m m.gguf -b 2 --n-best 2 --shard 2/3 --maxi-batch 7
awk 'BEGIN { RS = ""; ORS = "\n\n" } NR <= 300' data/test.en.conllu > trees
as_one trees translate -m t.gguf -b 2 --trees trees --maxi-batch 10
as_one trees-of-a-shard translate -m t.gguf -b 2 --trees trees --maxi-batch 10 --shard 1/2
"$dragoman" translate -q -m t.gguf -b 2 --trees trees --attention one.json < in > whole
ranks 3 translate -q -m t.gguf -b 2 --trees trees --attention three.json -o three -i in
cmp whole three && cmp one.json three.json || fail attention
: > in
as_one nothing translate -m m.gguf
as_one no-trees parse -m p.gguf
printf '%s' 'a line' > in
as_one one-line translate -m m.gguf
printf 'a line\n\n\na line' > in
as_one blank translate -m m.gguf
for n in 1 2 4; do # by standard input
    ranks $n translate -m m.gguf -q < in > out
    cmp whole out || fail "standard input on $n ranks"
done
echo "the same bytes on 1, 2, 3 and 4 ranks, and of all forms on 3"

# Warnings name lines of the whole input, and what is counted is counted over all ranks.
awk 'BEGIN { RS = ""; ORS = "\n\n" } NR != 250 && NR <= 300 { print }
    NR == 250 { gsub(/\t[0-9]+\t[a-z:]+\t_\t_/, "\t_\t_\t_\t_"); print }' data/test.en.conllu > partly
head -n 300 data/test.en > in
"$dragoman" translate -m t.gguf -b 2 --trees partly --no-parse reject < in > whole 2> whole.err && fail 'no refusal'
rc=0
ranks 3 translate -m t.gguf -b 2 --trees partly --no-parse reject --maxi-batch 10 -i in > out 2> err || rc=$?
cmp whole out || fail 'a line without a tree'
grep 'dragoman: warning' whole.err | sort > a
grep 'dragoman: warning' err | sort > b
cmp a b || fail "warnings: $(cat a b)"
test $rc = 3 || fail "a line without a tree: exit code $rc"

# So are words that a parser has nothing of, and those of the parser where trees are laid over others.
awk 'NR % 2 { print "ЖЖ ШШШ ЮЮ"; next } { print }' data/test.en | head -n 400 > in
"$dragoman" parse -m p.gguf -f tokens < in > whole 2> whole.err
ranks 3 parse -m p.gguf -f tokens -i in > out 2> err || fail "unknown words: $(cat err)"
cmp whole out || fail 'unknown words'
grep -q 'words have no letter or piece that the parser knows' whole.err || fail "no unknown words: $(cat whole.err)"
grep 'no letter or piece' whole.err > a
grep 'no letter or piece' err > b
cmp a b || fail "counts of unknown words: $(cat a b)"

# What differs between ranks is refused by the one that differs, and nothing is written.
cp data/test.en in
cat > unlike.sh <<END
#!/bin/sh
case \${OMPI_COMM_WORLD_RANK-\${PMI_RANK-}} in 1) set -- "\$@" \$UNLIKE ;; esac
exec "$dragoman" translate -m m.gguf "\$@"
END
chmod +x unlike.sh
unlike() {
    UNLIKE=$1
    export UNLIKE
    ! $mpirun -n 3 ./unlike.sh -b 2 -j 1 -o never -i in 2> err || fail "$1: no error"
    grep -q "rank 1 (.*): this rank has \"$2" err || fail "$1: $(cat err)"
    test "$(grep -c 'dragoman: error' err)" = 1 || fail "$1: not one message: $(cat err)"
    test ! -e never || fail "$1: an output"
}
unlike '--normalize 0.5' 'normalize = 0.5", rank 0 (.*) has "normalize = 0.6"'
unlike '--models t.gguf' 'models = checksum '
unlike '--shard 1/3' 'shard = 1/3"'
unlike '--attention beside.json' 'attention = a file"'
# An error of all ranks is told once, one of rank 0 too; options that differ harmlessly are no error.
refuse() {
    want=$1 text=$2 rc=0
    shift 2
    ranks 3 translate "$@" > out 2> err || rc=$?
    test $rc = "$want" || fail "$*: exit code $rc: $(cat err)"
    test "$(grep -c "error: .*$text" err)" = 1 || fail "$*: not one message: $(cat err)"
    test ! -s out || fail "$*: an output"
}
refuse 3 'No such file' -m none.gguf -i in
refuse 3 'none: .*No such file\|No such file' -m m.gguf -i none
refuse 2 'expected at most --beam-size' -m m.gguf -b 2 --n-best 3 -i in
refuse 2 'this can be read only once' -m m.gguf --trees - -i in < /dev/null
UNLIKE='--log-level error' $mpirun -n 3 ./unlike.sh -b 2 -j 1 -q -i in > out || fail 'log levels differ'
! ranks 2 translate -q -m m.gguf -b 2 -o no-folder/out -i in 2> err || fail 'no folder'
test "$(grep -c 'error:' err)" = 1 || fail "no folder: not one message: $(cat err)"
# --ranks off: every process does all of it.
ranks 3 translate -q -m m.gguf -b 1 --ranks off -i in > out
test "$(wc -l < out)" = $((3 * $(wc -l < in))) || fail '--ranks off'
echo "what differs is refused"

# Scores are rank 0's: one output, one message, one exit code; a signal to another rank ends it.
for n in 1 2 4; do
    $mpirun -n $n "$dragoman" score data/test.de -i data/test.en -m bleu chrf -q > out || fail "score on $n ranks"
    "$dragoman" score data/test.de -i data/test.en -m bleu chrf -q | cmp - out || fail "score on $n ranks"
done
rc=0
$mpirun -n 3 "$dragoman" score none -i data/test.en > out 2> err || rc=$?
test $rc = 3 || fail "a missing reference: exit code $rc: $(cat err)"
test "$(grep -c 'none: error' err)" = 1 && test ! -s out || fail "a missing reference: $(cat err out)"
$mpirun -n 3 "$dragoman" score data/test.de -i data/test.en -q --ranks off > out
test "$(wc -l < out)" = 3 || fail 'score --ranks off'
awk '{ for (i = 0; i < 1000; i++) print }' data/test.de > long
$mpirun -n 3 "$dragoman" score long -i long -m bleu chrf -o never-scored -q > out 2> err &
pid=$!
waiting() { pgrep -f "^$dragoman score long " | sed -n 3p; }
while test -z "$(waiting)"; do
    kill -0 $pid || fail "score ended: $(cat err)"
    sleep 0.02
done
sleep 1
kill -TERM "$(waiting)"
rc=0
wait $pid || rc=$?
test $rc != 0 && test ! -e never-scored || fail "score, stopped: exit code $rc"
rm long
echo "scores of rank 0"

# A reader of answers that waits for each gets it before the next line comes.
mkfifo questions answers
ranks 2 translate -q -m m.gguf -b 2 < questions > answers &
pid=$!
exec 3> questions 4< answers
head -n 3 in | while IFS= read -r line; do
    echo "$line" >&3
    IFS= read -r answer <&4 || fail 'no answer'
    test "$answer" = "$(echo "$line" | "$dragoman" translate -q -m m.gguf -b 2)" || fail "$answer"
done
exec 3>&-
wait $pid || fail 'a dialogue'
exec 4<&-
echo "a dialogue"

# So does one of trees, though a blank line too many may follow a sentence.
ranks 2 parse -q -m p.gguf -f conllu < questions > answers &
pid=$!
exec 3> questions 4< answers
for number in 1 2 3; do
    awk -v n=$number 'BEGIN { RS = ""; ORS = "\n\n" } NR == n' data/test.en.conllu > sentence
    { cat sentence; echo; } >&3
    timeout 60 sed '/^$/q' <&4 > answer || fail "no answer to sentence $number"
    "$dragoman" parse -q -m p.gguf -f conllu < sentence | cmp - answer || fail "sentence $number"
done
exec 3>&-
wait $pid || fail 'a dialogue of trees'
exec 4<&-
echo "a dialogue of trees"

# A rank is killed, stopped, or hangs: what was written is a beginning of the whole.
for turn in 1 2 3 4 5 6; do cat data/test.en; done > in
"$dragoman" translate -q -m m.gguf -b 8 < in > whole
# process N: the N-th process of translate that takes its time here
process() { pgrep -f "^$dragoman translate -m m.gguf -b 8 --maxi-batch 20 " | sed -n "$1p"; }
start() {
    : > part
    rm -f slow
    mkfifo slow
    { cat in; sleep 20; } > slow &
    ranks 3 translate -m m.gguf -b 8 --maxi-batch 20 -i slow "$@" > part 2> err < /dev/null &
    pid=$!
    turns=0
    until test -s part; do
        turns=$((turns + 1))
        test $turns -lt 2000 || fail "nothing is written: $(cat err)"
        sleep 0.02
    done
}
# MPICH, and UCX below it, write what they think of a death to standard output, too.
check_part() {
    awk '/^=========/ { exit }
        /  UCX  / { next }
        /^$/ { blank++; next } # the last ones may be those of MPICH
        { for (; blank > 0; blank--) print ""; print }' part > ours
    mv ours part
    head -c "$(wc -c < part)" whole | cmp - part || fail "$1: no beginning of the whole"
    test "$(tail -c 1 part | wc -l)" = 1 || fail "$1: half a line"
}
for victim in 1 2 3; do
    start -q
    kill -9 "$(process $victim)"
    ! wait $pid || fail "rank $victim is killed: a good end"
    check_part "rank $victim is killed"
done
for victim in 1 2 3; do
    start
    kill -TERM "$(process $victim)"
    rc=0
    wait $pid || rc=$?
    test $rc != 0 || fail "signal to process $victim: a good end"
    check_part "signal to process $victim"
done
start -q --rank-timeout 2
victim=$(process 3)
kill -STOP "$victim"
! wait $pid || fail 'a rank that hangs: a good end'
kill -9 "$victim" 2> /dev/null || :
grep -q 'error: rank [0-9] (.*) has not answered for 2 seconds' err || fail "hung: $(cat err)"
check_part 'a rank that hangs'
echo "ranks that are killed, stopped, or hang"
