# unicode.sh: text that writes letters with accents in two ways is brought to one (NFC) in training,
# and so is what its models read; text of one way stays as it is.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 60 --dev 4 --test 4
small after=3u batch-size=20
valid_on=
e=$(printf 'caf\303\251') d=$(printf 'cafe\314\201') # composed, decomposed

# mixed NUMBER: every line ends in the word; so many first ones have it decomposed.
mixed() {
    for side in en de; do
        LC_ALL=C tr -d '\200-\377' < data/train.$side |
            awk -v n="$1" -v e="$e" -v d="$d" '{ print $0, NR <= n ? d : e }' > $1.$side
    done
    train_on="--train-sets $1.en $1.de"
}
# same FILE FILE: models that differ in three checksums alone, that of the text and two of the head.
same() { test "$(cmp -l "$1" "$2" | wc -l)" -le 24 || fail "$1 and $2 are others"; }
# says MODEL: what it has of its own form.
says() { "$DRAGOMAN" info "$1" | grep ' unicode = ' || :; }
# translates MODEL WORD: the first line, and what was said of unknown words.
translates() { sed "1!d;s/\$/ $2/" data/test.en | "$DRAGOMAN" translate -m "$1" -b 1 > out 2> log; }

mixed 20
train mixed.gguf
said 'training text: letters with accents are composed in 80 lines and decomposed in 40; all are read composed'
test "$(grep -c composed log)" = 1 || fail 'said more than once'
mixed 0
train nfc.gguf --unicode nfc
same mixed.gguf nfc.gguf
translates mixed.gguf "$e"
mv out want
translates mixed.gguf "$d"
silent '<unk>'
cmp want out

# One side of two files, or of one; a list.
mixed 20
paste 20.en 20.de > both.tsv
train_on='--train-sets both.tsv --tsv'
train tsv.gguf
same mixed.gguf tsv.gguf
printf '20.en\t20.de\n' > list
train_on='--train-list list'
train list.gguf
same mixed.gguf list.gguf

# A run goes on as it was begun, and one that starts from the model reads as that does.
mixed 20
train mixed.gguf --after 4u
test -n "$(says mixed.gguf)" || fail 'the model does not say so'
untrained_on() { start mixed.gguf --after 5u --unicode keep; }
ends 2 'unicode = keep' untrained_on
mixed 60
train child.gguf --init mixed.gguf
test -n "$(says child.gguf)" || fail 'the child reads otherwise'

# Composed alone: nothing is said, the file is what it was, and no mark is unknown to the model.
mixed 0
train composed.gguf
silent 'are composed'
test -z "$(says composed.gguf)" || fail 'a model of one way says so'
translates composed.gguf "$e"
mv out want
translates composed.gguf "$d"
silent '<unk>'
cmp want out
# Decomposed alone: it stays.
mixed 60
train decomposed.gguf
silent 'are composed'
translates decomposed.gguf "$d"
silent '<unk>'
translates decomposed.gguf "$e"
said '<unk>'
# As somebody says.
mixed 20
train kept.gguf --unicode keep
silent 'are composed'
translates kept.gguf "$d"
mv out want
translates kept.gguf "$e"
silent '<unk>'
