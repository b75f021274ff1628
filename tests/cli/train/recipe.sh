# recipe.sh: train --recipe auto: the commands that it writes make the same bytes when a shell runs them; killed at any moment it
# goes on, and ends with the same bytes; what the user names wins; no sentence to test by is trained on; what is refused.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 1040 --dev 10 --test 10
# Some pairs that go, and a target that several sources have.
(cat data/train.en; echo; echo 'a dog .'; head -n 2 data/train.en; seq 30) > raw.en
(cat data/train.de; echo nichts; echo 'a dog .'; head -n 2 data/train.de; seq 30 | sed 's/.*/zweimal ./') > raw.de
small='--dim-vocabs 120 --dim-emb 8 --transformer-dim-ffn 8 --transformer-heads 2 --enc-depth 1 --dec-depth 1
    --batch-tokens 200 --save-freq 1u --after 3u'
cp raw.en "it's raw.en"
# begin OPTION...: becomes the course.
begin() {
    # shellcheck disable=SC2086
    exec "$DRAGOMAN" train --recipe auto -t "../it's raw.en" ../raw.de -m m.gguf --threads 1 $small "$@"
}
course() { (begin "$@" > out 2> log) || { cat log >&2; return 1; }; }
# same FOLDER: it has what the whole course made.
same() {
    for file in m.gguf m.gguf.course/test.translation m.gguf.course/train.source m.gguf.course/commands; do
        cmp "../whole/$file" "$file" || fail "$1: $file"
    done
    cmp ../whole/results results || fail "$1: other results"
}
# What does not depend on the clock, nor on what was done before.
results() { sed '/^time /d; s/ # done before$//' out > results; }

# A whole course, and its summary.
mkdir whole typed killed
cd whole
course
results
grep -q '^pairs  *1074 read, 1070 kept (1 empty, 1 copy, 2 duplicate)$' out || fail "counts: $(grep '^pairs' out)"
grep -q '^# 1070 pairs: options for about 5000$' out || fail 'no row'
grep -q '^BLEU|.*|version' out && grep -q '^chrF2|.* = ' out || fail 'no scores'
test "$(grep -c '^translation  ' out)" = 3 || fail 'samples'
grep -q '^translate    dragoman translate -m m.gguf < TEXT$' out || fail 'how to translate'
grep -q -e '--dropout 0.3' m.gguf.course/commands || fail 'no choice of the row'
grep -q -e '--dim-emb 8 ' m.gguf.course/commands || fail 'an option that does not win'
test "$(wc -l < m.gguf.course/test.source | tr -d ' ')" = 103 && test "$(wc -l < m.gguf.course/valid.target | tr -d ' ')" -le 103 ||
    fail 'sizes of parts'
for side in source target; do
    sort -u m.gguf.course/train.$side > train
    sort -u m.gguf.course/test.$side m.gguf.course/valid.$side | comm -12 - train > both
    test ! -s both || fail "trained on: $(cat both)"
done
cd ..

# The same commands, typed: all that stand there, read by a shell.
cd typed
mkdir m.gguf.course
sed -n 's/^\$ dragoman /"$DRAGOMAN" /p' ../whole/out > typed.sh
test "$(wc -l < typed.sh | tr -d ' ')" = 6 || fail "commands: $(cat typed.sh)"
sh -e typed.sh > out 2> log || fail "typed: $(cat log)"
cmp m.gguf ../whole/m.gguf && cmp m.gguf.course/test.translation ../whole/m.gguf.course/test.translation ||
    fail 'typed commands make other bytes'
grep -F -x -f out ../whole/out | cmp - out || fail 'typed commands have other scores'
cd ..

# Killed in each step: its command may have written all or nothing that the file of commands, whose first three lines are
# remarks, does not know. And in the midst of the training, which goes on from its checkpoint.
cd killed
cp -R ../whole/m.gguf.course .
for done in 3 6 5 7; do
    head -n $done ../whole/m.gguf.course/commands > m.gguf.course/commands
    case $done in
    3) rm m.gguf.course/rest.* ;;
    6) rm -r m.gguf m.gguf.ckpt && killed_saving m.gguf begin > out 2> log ;;
    7) rm m.gguf.course/test.translation ;;
    esac
    course
    results
    same "killed behind line $done"
done
course && results && same 'done'
test "$(grep -c ' # done before$' out)" = 5 || fail 'done again'
rm m.gguf.course/test.translation
course && results && same 'a file is gone'

# Another text, or another choice, does not go with what was trained.
ends 2 'another setting than "dropout' begin --dropout 0.2
ends 2 'training text is not the one' "$DRAGOMAN" train --recipe auto -t ../raw.de ../raw.en -m m.gguf $small
course && results && same 'the old text again'

# Nobody else may work there meanwhile.
begin -m l.gguf --after 100Ku --valid-freq 100Ku > out 2> log & pid=$!
until test -e l.gguf.course/commands; do
    kill -0 $pid || fail "ended: $(cat log)"
    sleep 0.01
done
ends 1 'lock: .*in use by process' begin -m l.gguf
kill -9 $pid
wait $pid 2> /dev/null || :
cd ..

# What is refused, and leaves nothing.
no() {
    refuse "$@"
    test ! -e x.gguf.course || fail "$* made a folder"
}
on="--recipe auto -m x.gguf -t raw.en raw.de"
no 2 '1 files of --train-sets; expected two' train --recipe auto -m x.gguf -t raw.en
no 2 'can be read only once' train --recipe auto -m x.gguf -t - raw.de
no 2 'with --vocab-type unigram' train $on --bpe-merges 10
no 2 'given twice' train $on --recipe auto
no 2 'did you mean "auto"' train --recipe aut -t raw.en raw.de
no 3 'none.de: .*No such file' train --recipe auto -m x.gguf -t raw.en none.de
DRAGOMAN_RECIPE=auto no 2 'recipe in DRAGOMAN_RECIPE; expected --recipe auto on the command line' train -m x.gguf -t raw.en raw.de
OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0 no 2 'in one of 4 processes' train $on
mkdir x.gguf.course
echo > x.gguf.course/mine
refuse 2 'is a folder of other files, such as mine' train $on
echo > x.gguf.course/commands
refuse 2 'no course has written this file' train $on
rm -r x.gguf.course
head -n 900 raw.en > few.en
head -n 900 raw.de > few.de
refuse 3 'few.en: .*900 pairs are left; expected 1000 and more' train --recipe auto -m few.gguf -t few.en few.de

# A course that is only shown makes nothing; a text to validate by is the user's; sides of two scripts share no pieces, and
# words that no blanks part are compared by characters.
sed 's/[^ ]/狗/g' raw.de > raw.zh
"$DRAGOMAN" train --recipe auto -t raw.en raw.zh -m x.gguf --valid-sets data/dev.en data/dev.de --dry-run > out
test ! -e x.gguf.course || fail 'a dry run made a folder'
test "$(grep -c '^\$ dragoman' out)" = 6 || fail "a dry run: $(cat out)"
grep -q -e '--tied-embeddings decoder' out && grep -q -e '--tokenize char$' out && test "$(grep -c -e '--max-ratio 9\( \|$\)' out)" = 2 || fail "scripts: $(cat out)"
grep -q -e '--without .*test.target data/dev.en data/dev.de$' out && ! grep -q -e --dev-size out || fail "validation: $(cat out)"

# A file of settings wins over the row, the command line over both; what goes only with a text to validate by has one.
printf 'dropout = 0.25\nlr = 0.5\n' > my.conf
"$DRAGOMAN" train $on --config my.conf --lr 0.25 --early-stopping 3 --dry-run > out
grep -q -e '--lr 0.25 .*--early-stopping 3 .*--dropout 0.25 ' out || fail "who wins: $(cat out)"
