# line_tags.sh: a tag at the head of a line, >>fra<< or <fra>, of a multilingual model that was
# imported: read behind blanks, whatever the batches and threads, by translate and rescore; --tag
# where a line has none; one that the model does not know is told.
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
