# recurrent.sh: recurrent models from the command line: a kill -9 at any moment with a resume, and
# two devices, end in the bytes of a run left alone; a translation does not depend on its
# neighbours.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 120 --dev 10 --test 30

settings tokenize=none bpe-merges=60 tied-embeddings=none label-smoothing=0 dim-emb=14 dim-rnn=14 dynamic-z=6 dropout=0.2 max-length=60 \
    optimizer=adadelta cost-type=mean clip-norm=1 batch-size=9 accumulate=2 after=30u save-freq=4u valid-freq=13u

valid_on="$valid_on --train-trees data/train.en.conllu --valid-trees data/dev.en.conllu"

for encoder in lexicalized constituency; do
    rm -rf one.gguf* two.gguf*
    train one.gguf --encoder $encoder --threads 1
    train two.gguf --encoder $encoder -d cpu,cpu
    cmp one.gguf two.gguf
    for pauses in '0.1 0.3' '0.2 0.15' '0.4 0.25'; do
        rm -rf killed.gguf killed.gguf.ckpt
        for pause in $pauses; do
            killed $pause start killed.gguf --encoder $encoder --threads 2
        done
        train killed.gguf --encoder $encoder
        cmp one.gguf killed.gguf
    done

    trees=data/test.en.conllu
    "$DRAGOMAN" translate -q -m one.gguf --trees $trees < data/test.en > want
    for options in '--batch-tokens 1' '--batch-tokens 7 --threads 3' '--batch-tokens 9999'; do
        "$DRAGOMAN" translate -q -m one.gguf --trees $trees $options < data/test.en > got
        cmp want got
    done
    sed 1d data/test.en > fewer
    awk 'found; /^$/ { found = 1 }' $trees > fewer.conllu
    "$DRAGOMAN" translate -q -m one.gguf --trees fewer.conllu < fewer > got
    sed 1d want | cmp - got

    # Without trees there is none, or, if that is meant, one of every line.
    refuse 2 "one.gguf: error: --encoder $encoder needs a tree of each line" translate -m one.gguf -i data/test.en
    test ! -s out || fail "translated without trees"
    "$DRAGOMAN" translate -m one.gguf --trees none < data/test.en > got 2> err
    test "$(wc -l < got)" -eq "$(wc -l < data/test.en)"
done

# A line of 400 words without a tree has a score, and one that reads like any other.
awk 'BEGIN { for (i = 0; i < 400; i++) printf "the " ; print "dog" }' > long
echo 'der hund' > short
valid_on='--train-trees data/train.en.conllu'
train long.gguf --encoder lexicalized --after 3u --max-length 500
"$DRAGOMAN" rescore -q -m long.gguf --trees none long short > score
grep -q '^-[0-9.]*$' score || fail "a long line: $(cat score)"

# Standard input is read once.
refuse 2 'stands twice' translate -q -m long.gguf --trees -
refuse 2 'stands twice' rescore - - -q -m long.gguf

# Blank lines have blocks without words; a line without a tree is refused where it stands, if asked.
row() { printf '%s\t%s\t_\t_\t_\t_\t%s\t_\t_\t_\n' "$@"; }
printf 'a dog\n\nthe cat\n' | tee few > wenige
{ row 1 a 2; row 2 dog 0; echo; echo '# text = '; echo; row 1 the _; row 2 cat _; echo; } > few.conllu
trees=few.conllu
few() {
    "$DRAGOMAN" train --config small.conf --encoder lexicalized --model few.gguf --overwrite --after 1u \
        --min-freq 1 --train-sets few wenige --train-trees "$trees" "$@"
}
few || fail 'a blank line in the text and its trees'
ends 3 '^few:3: error: no tree for this line' few --no-parse reject
ends 2 '--valid-trees none' few --valid-sets few wenige --valid-freq 1u
few --valid-sets few wenige --valid-freq 1u --valid-trees none || fail '--valid-trees none'

# A model that was trained to refuse a line without a tree does so in translation, unless told otherwise.
{ row 1 a 2; row 2 dog 0; echo; echo '# text = '; echo; row 1 the 2; row 2 cat 0; echo; } > all.conllu
trees=all.conllu
few --no-parse reject || fail 'a model that refuses'
rc=0
"$DRAGOMAN" translate -m few.gguf --trees few.conllu --scores < few > got 2> err || rc=$?
test $rc = 3 && test "$(wc -l < got)" = 3 || fail "a line without a tree in translation: $rc"
grep -q 'line 3: no tree' err || fail "not named: $(cat err)"
test "$(sed -n 3p got | cut -f 1,2)" = "$(printf '0\t')" || fail 'translated all the same'
"$DRAGOMAN" translate -m few.gguf --trees few.conllu --no-parse chain < few > got 2> err || fail "a chain: $(cat err)"
grep -q '1 of 3 lines had no tree: --no-parse chain' err || fail "not counted: $(cat err)"
"$DRAGOMAN" translate -m few.gguf --trees none < few > got || fail 'a model that refuses, without trees'
