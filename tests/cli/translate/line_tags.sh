# line_tags.sh: a tag at the head of a line, >>fra<< or <fra>, of a multilingual model that was
# imported: read behind blanks, whatever the batches and threads, by translate and rescore; --tag
# where a line has none; one that the model does not know is told. Of M2M-100 it is the first token
# of the translation: one input in several languages is what it is language by language.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
from="$SOURCE/tests/cli/model/import"

# OPUS-MT's models have their languages among the pieces of the vocabulary.
cp -r "$from/hf-marian" folder
chmod -R u+w folder
sed 's/"j": 68/">>fra<<": 68/; s/"x": 65/">>deu<<": 65/' "$from/hf-marian/vocab.json" > folder/vocab.json
"$DRAGOMAN" import folder -o m.gguf 2> log
said 'tags of 2 languages'
"$DRAGOMAN" inspect m.gguf | grep -q 'dragoman.tags .*<deu> <fra>\|dragoman.tags .*<fra> <deu>'
"$DRAGOMAN" quantize -q --type bf16 m.gguf -o small.gguf

grep -v '[jx]' "$from/lines" > lines || :
with() { tag=$1; shift; "$DRAGOMAN" translate -q -m m.gguf --tag "$tag" "$@" < lines; }
with '<fra>' > fra
with '<deu>' > deu
differ fra deu
with '>>fra<<' | cmp - fra
translate() { # in `log` what it says, but that the two pieces are no entries
    rc=0
    "$DRAGOMAN" translate -m m.gguf -i tagged "$@" 2> said || rc=$?
    grep -v 'warning: 2 pieces are not in the vocabulary of the' said > log || :
    return $rc
}

# However it is written.
for head in '>>fra<< ' '>>fra<<' ' >>fra<< ' '	  >>fra<<  ' '<fra> ' '  <fra>	'; do
    sed "s/^/$head/" lines > tagged
    translate | cmp - fra || fail "head \"$head\""
    test ! -s log || fail "$(cat log)"
    translate --tag '<deu>' | cmp - fra || fail "head \"$head\" beside --tag"
done
# Several languages in one input; a blank line stays one, with a tag and without.
{
    sed 's/^/>>fra<< /' lines
    echo
    echo '>>deu<<'
    sed 's/^/ >>deu<< /' lines
    cat lines
} > tagged
{ cat fra; echo; echo; cat deu deu; } > both
translate --tag '<deu>' | cmp - both
translate --tag '<deu>' -j 3 --batch-tokens 1 --maxi-batch 2 | cmp - both
test ! -s log
translate > some
said 'line 11 has no tag at its head (said once), and the model has learned the tags <'
test "$(grep -c warning log)" = 1
"$DRAGOMAN" translate -q -m small.gguf -i tagged --tag '<deu>' | head -n "$(wc -l < lines)" > small
"$DRAGOMAN" translate -q -m small.gguf --tag '<fra>' < lines | cmp - small
"$DRAGOMAN" rescore tagged both -q -m m.gguf --tag '<deu>' > scores
{
    "$DRAGOMAN" rescore lines fra -q -m m.gguf --tag '<fra>'
    printf '0\n0\n'
    "$DRAGOMAN" rescore lines deu -q -m m.gguf --tag '<deu>'
    "$DRAGOMAN" rescore lines deu -q -m m.gguf --tag '<deu>'
} | cmp - scores
# The words of the line are behind it.
translate --attention map --tag '<deu>' > /dev/null
if grep '"words":\["[^]]*fra' map; then fail 'the tag is a word'; fi

# Not known: it is no word, the line has the usual tag, and what is known is told, once.
{ sed 's/^/>>xyz<< /' lines; sed 's/^/<fra> /' lines; } > tagged
translate --tag '<deu>' > some
cat deu fra | cmp - some
said 'line 1 begins with the tag ">>xyz<<", which is left out (said once): the model knows <'
said ' 4 of [0-9]* lines begin with a tag that is left out\|5 of 10 lines begin with a tag that is left out'
test "$(grep -c '>>xyz<<' log)" = 1
ends 2 'tag ">>xyz<<": the model does not know it; expected one of <' \
    "$DRAGOMAN" translate -m m.gguf --tag '>>xyz<<'

# Markup is text, and so is a tag within a line, and all of it where nobody reads tags.
sed 's/^/<b>a<\/b> /' lines > tagged
translate --tag '<fra>' > some
translate --tag '<fra>' --no-line-tags | cmp - some
sed 's/^/a >>fra<< /' lines > tagged
translate --tag '<deu>' > some
translate --tag '<deu>' --no-line-tags | cmp - some
sed 's/^/>>fra<< /' lines > tagged
translate --tag '<deu>' --no-line-tags > some
differ some fra
# A model without tags has no such lines.
"$DRAGOMAN" import -q "$from/hf-marian" -o plain.gguf
"$DRAGOMAN" translate -q -m plain.gguf -i tagged > some
"$DRAGOMAN" translate -q -m plain.gguf -i tagged --no-line-tags | cmp - some

# ---- translations that begin with a tag ----------------------------------------------------------

"$DRAGOMAN" import -q "$from/hf-m2m100" -o m2m.gguf
cp "$from/lines" lines
models=m2m.gguf
m2m() { # of each of the models
    # shellcheck disable=SC2086
    "$DRAGOMAN" translate -m $models --tag '<en>' "$@" 2> log
}
{
    sed 's/^/__de__ /' lines
    echo
    sed 's/^/ >>fr<< /' lines
    echo '<de>'
    cat lines
} > tagged
each() { # what the languages give one by one
    { cat lines; echo; } | m2m --target-tag '<de>' "$@"
    { cat lines; echo; } | m2m --target-tag __fr__ "$@"
    m2m --target-tag '<de>' "$@" < lines
}
mixed() { m2m --target-tag '<de>' -i tagged "$@"; }
m2m --target-tag '<de>' < lines > de
"$DRAGOMAN" shortlist -q -m m2m.gguf -t lines de --tag '<en>' --first 0 -o short
for kind in '-b 1' '-b 5' '-b 3 --beam-rule shrinking' '-b 2 --compute-type int8' '-b 3 --shortlist short' \
    --scores ensemble; do
    test "$kind" != ensemble || { models='m2m.gguf m2m.gguf' && kind='-b 2'; }
    # shellcheck disable=SC2086
    each $kind > want
    # shellcheck disable=SC2086
    mixed $kind | cmp - want || fail "$kind"
    # shellcheck disable=SC2086
    mixed $kind -j 2 --batch-tokens 1 | cmp - want || fail "$kind, in small batches"
done
test ! -s log || fail "$(cat log)"
models=m2m.gguf
each > want
head -n 5 want | cmp - de
sed -n 7,11p want > fr
differ de fr
mixed --n-best 2 -b 2 > list
sed -n 's/^0 ||| //p' list > zero
m2m --target-tag '<de>' --n-best 2 -b 2 < lines | sed -n 's/^0 ||| //p' | cmp - zero
mixed --keep-tokens --alignment links > kept
sed -n 7,11p links > fr.links
m2m --target-tag '<fr>' --keep-tokens --alignment links < lines > /dev/null
cmp links fr.links
mixed --attention map > /dev/null
test "$(grep -c '"pieces":\["<de>",' map)" = 10 && test "$(grep -c '"pieces":\["<fr>",' map)" = 5
rescore() { "$DRAGOMAN" rescore -m m2m.gguf --tag '<en>' "$@" 2> log; }
rescore tagged want --target-tag '<de>' > scores
{
    rescore lines de --target-tag '<de>'
    echo 0
    rescore lines fr --target-tag '<fr>'
    echo 0
    rescore lines de --target-tag '<de>'
} | cmp - scores
# Lines without, and nothing for them: the model chooses, as it does where no line has one.
m2m --no-line-tags < lines > free
said 'and none is given without --target-tag'
m2m -i tagged -j 2 > some
said 'line 13 has no tag at its head (said once), and translations of the model begin with one'
tail -n 5 some | cmp - free
head -n 12 some > some.de
head -n 12 want | cmp - some.de
# It is text: where nobody reads tags, and markup that is no tag.
sed 's/^/__init__ /' lines > tagged
mixed > some
mixed --no-line-tags | cmp - some
sed 's/^/<fr> /' lines > tagged
mixed --no-line-tags > some
differ some fr
sed 's/^/<xx> /' lines > tagged
mixed | cmp - de
said 'line 1 begins with the tag "<xx>", which is left out (said once): the model knows <de> <en> <fr>'
