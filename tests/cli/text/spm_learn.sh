# Learning SentencePiece models, and drawing pieces. scripts/peers/spm_train.py compares the models with the library's.
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 200 --dev 5 --test 5
text=data/train.en
show() {
    echo "\$ dragoman $*"
    "$DRAGOMAN" "$@" 2>&1
}

# Models of all kinds cut the text and give it back; threads, orders of lines and places of input change no byte.
for kind in unigram bpe char word; do
    "$DRAGOMAN" spm train --type $kind -V 60 --quiet -o $kind.model $text || fail "spm train --type $kind"
    sort -r $text | "$DRAGOMAN" spm train --type $kind -V 60 --quiet --threads 2 > again.model || fail 'standard input'
    cmp $kind.model again.model || fail "$kind: another order of lines, other bytes"
    "$DRAGOMAN" spm encode -m $kind.model -i $text > pieces || fail "encode by $kind"
    echo "$kind: $(wc -w < pieces | tr -d ' ') pieces"
    test $kind = word && continue
    "$DRAGOMAN" spm decode -m $kind.model -i pieces | cmp - $text || fail "decode by $kind"
done
"$DRAGOMAN" spm info unigram.model
"$DRAGOMAN" spm info --pieces unigram.model | cut -f 1,3 | sed -n '4,9p'
"$DRAGOMAN" spm train -i $text -V 300 --byte-fallback --user-symbols '<sep>' ing --normalization identity --quiet -o bytes.model
"$DRAGOMAN" spm train -V 300 --byte-fallback --user-symbols '<sep>' ing --normalization identity --seed-size 50 --quiet \
    -o seeds.model $text || fail 'seeds'
cmp -s bytes.model seeds.model && fail '--seed-size changes nothing'
printf 'singing<sep>sing \303\251\n' | "$DRAGOMAN" spm encode -m bytes.model
"$DRAGOMAN" spm train -V 60 --learn-lines 100 --quiet -o sample.model $text $text || fail 'a sample'
cmp -s sample.model unigram.model && fail 'a sample of half the lines is the whole'

# Drawn pieces spell the same text; the seed decides, and threads do not.
for how in 'unigram.model --sample 0.2' 'bpe.model --dropout 0.3'; do
    "$DRAGOMAN" spm encode -m $how --seed 3 --threads 1 -i $text > one || fail "encode -m $how"
    "$DRAGOMAN" spm encode -m $how --seed 3 --threads 3 -i $text | cmp - one || fail "$how: threads"
    "$DRAGOMAN" spm encode -m $how --seed 4 -i $text | cmp -s - one && fail "$how: the seed changes nothing"
    "$DRAGOMAN" spm decode -m ${how%% *} -i one | cmp - $text || fail "$how: another text"
done
"$DRAGOMAN" spm encode -m unigram.model --sample 10 -i $text > sharp
"$DRAGOMAN" spm encode -m unigram.model -i $text > best
test "$(cat sharp best | sort | uniq -d | wc -l)" -gt 40 || fail 'a large alpha is far from the best pieces'
"$DRAGOMAN" spm encode -m bpe.model --dropout 0 -i $text > zero
"$DRAGOMAN" spm encode -m bpe.model -i $text | cmp - zero || fail 'dropout 0 changes pieces'

echo 'refused:'
show spm train -V 10 -o no.model $text
show spm train --type sentence $text
: > empty
show spm train -o no.model empty
show spm train -o no.model --max-sentence-length 10 $text
show spm train -o no.model --user-symbols 'a b' -- $text
show spm train -o no.model --user-symbols a a -- $text
show spm train -o no.model --user-symbols '<unk>' -- $text
show spm train --log-level warning -V 5000 -o many.model $text
show spm train -o no.model none
show spm train -o no.model --learn-lines 5 < $text
show spm encode -m bpe.model --sample 0.1 -i $text
show spm encode -m char.model --dropout 0.1 -i $text
show spm encode -m unigram.model --dropout 0.1 -i $text
show spm encode -m unigram.model --dropout 0.1 --sample 0.1 -i $text
show spm encode -m unigram.model --seed 2 -i $text
test -e no.model && fail 'a failed run leaves a model'
exit 0
