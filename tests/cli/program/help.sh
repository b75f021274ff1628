# Help goes to standard output and is there for every command, whatever else the line holds.
# short NAME: --help has a first group, of at most 15 options, and names the sections of what `help
# NAME` has besides; each of these has at least two options.
. "$SOURCE/tests/support/shell/lib.sh"
short() {
    sed '/^More options/,$d' help > first
    test "$(grep -c '^  [- ][a-z ][, ] --' first)" -le 15 || fail "$1 --help: too many options"
    test "$(diff first other | grep -c '^<')" -le 1 || fail "$1 --help: not the beginning of help $1"
    sed '1,/^More options/d' help | tr -s ' \n' ' ' > sections
    sed -n '1,/^What most runs name:$/d; s/^\([A-Z].*\):$/\1/p' other > titles
    test "$(wc -l < titles)" -ge 10 || fail "help $1: few sections"
    while read -r title; do
        grep -qF -e " $title" sections || fail "$1 --help: no section $title"
        count=$(sed -n "/^$title:\$/,/^\$/p" other | grep -c '^  [- ][a-z ][, ] --')
        test "$count" -ge 2 || fail "help $1: $title has $count"
    done < titles
    cp other help
}
"$DRAGOMAN" --help > overview || fail 'no overview'
"$DRAGOMAN" help > again
cmp overview again || fail 'help and --help differ'
"$DRAGOMAN" help --all-options > options || fail 'no list of options'
cut -f 1 options | sort -u | while read -r name; do
    test -n "$name" || continue
    "$DRAGOMAN" $name --help > help 2> err || fail "$name --help fails"
    test ! -s err || fail "$name --help writes to standard error"
    grep -q "^Usage: dragoman $name" help || fail "$name --help has no usage"
    "$DRAGOMAN" $name --no-such-option -h > other || fail "-h behind a mistake"
    cmp help other || fail "-h behind a mistake"
    "$DRAGOMAN" help $name > other || fail "help $name fails"
    case $name in
        train | train-parser) short $name ;;
        *) cmp help other || fail "help $name differs" ;;
    esac
    awk -v name="$name" 'length > 80 { print name ": long line: " $0; bad = 1 } END { exit bad }' \
        help || exit 1
    awk -F '\t' -v name="$name" '$1 == name { print $2 }' options | while read -r option; do
        grep -q -e "$option" -e "--\\[no-\\]${option#--}" help || fail "$name: no $option"
    done || exit 1
done || exit 1
"$DRAGOMAN" help exit-codes
# names MACRO LIST LEAST: the names of a list of the sources, as users write them: at least so many.
names() {
    sed -n "s/^$1(\([a-z_0-9]*\))\$/\1/p" "$SOURCE/src/$2" | tr _ - > names
    test "$(wc -l < names)" -ge "$3" || fail "$2 names too little"
    cat names
}
# Every variant has a paragraph, and every line a place on a terminal.
"$DRAGOMAN" help syntax > syntax || fail 'help syntax'
variants=$(names ATTN nn/attn/attn_list.h 10) || fail "$variants"
for name in $variants; do
    grep -q "^$name:\$" syntax || fail "help syntax: no $name"
done
grep -q '^    rs-q=P ' syntax || fail 'help syntax: no options'
awk 'length > 80 { print "help syntax: long line: " $0; bad = 1 } END { exit bad }' syntax || exit 1
# Every metric, in `score` and in the validation of `train`.
"$DRAGOMAN" help score > score || fail 'help score'
"$DRAGOMAN" help train | tr -s ' \n' ' ' > train || fail 'help train'
metrics=$(names 'METRIC[_FIRST]*' text/score/metric_list.h 2) || fail "$metrics"
for name in $metrics; do
    grep -q -e "--metrics.*\<$name\>" score || fail "help score: no $name"
    grep -q -e "--valid-metrics NAME... [^-]*ce-mean-words|accuracy[|a-z]*|$name\>" train || fail "help train: no $name"
done
# Every kind of encoder and decoder, with options that `train` has, each described once.
"$DRAGOMAN" help encoders > encoders || fail 'help encoders'
encoders=$(names ENCODER model/encoder_list.h 5) || fail "$encoders"
for name in $encoders; do
    grep -q "^--encoder $name:\$" encoders || fail "help encoders: no $name"
done
decoders=$(names DECODER model/decoder_list.h 2) || fail "$decoders"
for name in $decoders; do
    grep -q "^--decoder $name:\$" encoders || fail "help encoders: no $name as decoder"
done
awk -F '\t' '$1 == "train" { print $2 }' options > known
awk '/^    --/ { for (i = 1; i <= NF; i++) print $i }' encoders | sort -u > named
test "$(wc -l < named)" -gt 20 || fail 'help encoders: too few options'
while read -r option; do
    grep -q -x -e "$option" known || fail "help encoders: train has no $option"
    test "$(grep -c -e "^      $option " encoders)" = 1 || fail "help encoders: what is $option?"
done < named
awk 'length > 80 { print "help encoders: long line: " $0; bad = 1 } END { exit bad }' encoders || exit 1
"$DRAGOMAN" bpe --help
"$DRAGOMAN" help bpe > family && "$DRAGOMAN" bpe -h | cmp - family || fail 'help of bpe'
"$DRAGOMAN" help no-such-thing 2>&1
test $? = 2 || fail 'exit code of an unknown topic'
