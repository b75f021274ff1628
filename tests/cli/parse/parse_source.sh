# parse_source.sh: parse --source: the decoder's head parses translations beside their sources, the same
# bytes with any batch and any number of threads; parse-eval --earlier-heads scores what it can know.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 120 --dev 5 --test 20
demo bpe-merges=80 after=15u max-length=100 train-trees=data/train.en.conllu train-target-trees=data/train.de.conllu
valid_on=
train both.gguf --syntax 'dbsa(enc_layer=1,dec_layer=2)'
train dec.gguf --syntax 'dbsa(enc_layer=0,dec_layer=1)'
train enc.gguf --syntax 'dbsa(enc_layer=1,dec_layer=0)'
train plain.gguf --syntax none

parse() { "$DRAGOMAN" parse -q -f tokens --prob row "$@"; }

# Every word has a head before it, or is a root; batches and threads change no byte.
parse -m both.gguf --source data/test.en < data/test.de > de.conllu
test "$(awk -F '\t' 'NF == 10 && $7 >= $1' de.conllu | wc -l)" = 0
test "$(awk -F '\t' 'NF == 10 && ($7 == 0) != ($8 == "root")' de.conllu | wc -l)" = 0
test "$(awk -F '\t' 'NF == 10 && $7 > 0' de.conllu | wc -l)" -gt 20
test "$(grep -c '^# text' de.conllu)" = 20
parse -m both.gguf --source data/test.en -j 3 --immediate < data/test.de | cmp - de.conllu
parse -m both.gguf --source data/test.en --batch-tokens 1 -i data/test.de | cmp - de.conllu
parse -m both.gguf --from-attention --source data/test.en -i data/test.de | cmp - de.conllu
parse -m both.gguf --source - -i data/test.de < data/test.en | cmp - de.conllu
# The source counts, and so does which head it is.
tail -n +2 data/test.en > moved.en
head -n 1 data/test.en >> moved.en
if parse -m both.gguf --source moved.en -i data/test.de | cmp -s - de.conllu; then fail "source unread"; fi
parse -m both.gguf -i data/test.en > en.conllu
"$DRAGOMAN" parse-eval data/test.en.conllu en.conllu > /dev/null
parse -m dec.gguf --source data/test.en -i data/test.de > dec.conllu
# CoNLL-U in, with its sentences as lines; running text, as the model cuts it.
"$DRAGOMAN" parse -q -m both.gguf -f conllu --source data/test.en -i data/test.de.conllu |
    grep -v '^#' | cut -f 7 > again
grep -v '^#' de.conllu | cut -f 7 | cmp - again
"$DRAGOMAN" parse -q -m both.gguf --source data/test.en -i data/test.de | grep -v '^#' | cut -f 7 | cmp - again

# Scores: all words, and those whose head the decoder can know; a forest is no tree of the shared task.
"$DRAGOMAN" parse-eval --multi-root keep data/test.de.conllu de.conllu > all
"$DRAGOMAN" parse-eval --multi-root keep --earlier-heads data/test.de.conllu de.conllu > earlier
if cmp -s all earlier; then fail "nothing left out"; fi
count=$(awk -F '\t' 'NF == 10 && $7 <= $1' data/test.de.conllu | wc -l)
"$DRAGOMAN" parse-eval -c --multi-root keep --earlier-heads data/test.de.conllu de.conllu |
    awk -v count="$count" '$1 == "UAS" && $5 == count { found = 1 } END { exit !found }'
right=$(grep -v '^#' data/test.de.conllu | paste - again | awk -F '\t' 'NF == 11 && $7 <= $1 && $7 == $11 { n++ } END { print n + 0 }')
"$DRAGOMAN" parse-eval -c --multi-root keep --earlier-heads data/test.de.conllu de.conllu |
    awk -v right="$right" '$1 == "UAS" && $3 == right { found = 1 } END { exit !found }'

# Lines keep their place: blank ones of both sides, a blank source, what is too long.
long=$(awk 'BEGIN { for (i = 0; i < 101; i++) printf "ball " }')
{ echo; sed -n 1p data/test.en; echo; echo "$long"; sed -n 2p data/test.en; } > odd.en
{ echo; sed -n 1p data/test.de; echo Hund; echo Hund; echo "$long"; } > odd.de
"$DRAGOMAN" parse -m both.gguf -f tokens --source odd.en -i odd.de > odd.conllu 2> err
test "$(grep -c '^$' odd.conllu)" = 5
test "$(awk -F '\t' '$2 == "Hund" && $7 == "_"' odd.conllu | wc -l)" = 2
test "$(awk -F '\t' '$2 == "ball" && $7 == "_"' odd.conllu | wc -l)" = 101
test "$(grep -c 'without a tree' err)" = 1
grep -q 'odd.en:3: 0 pieces; expected 1 to 100' err
printf '\n\n' > blank
cp blank blank.de
"$DRAGOMAN" parse -m both.gguf --source blank -i blank.de > out 2> err
if grep -q 'without a tree' err; then fail "$(cat err)"; fi

# What cannot be is said.
head -n 19 data/test.en > short.en
{ cat data/test.en; echo more; } > long.en
refuse 3 'short.en: .*19 lines; expected one for each sentence of data/test.de \[E_ALIGN\]' parse -q \
    -m both.gguf -f tokens --source short.en -i data/test.de
refuse 3 'long.en: .*more than 20 lines; expected one for each' parse -q -m both.gguf -f tokens \
    --source long.en -i data/test.de
refuse 3 'none.en' parse -q -m both.gguf --source none.en -i data/test.de
refuse 2 'one file' parse -q -m both.gguf --source data/test.de -i data/test.de
refuse 2 'one file' parse -q -m both.gguf --source -
refuse 2 'projective' parse -q -m both.gguf --source data/test.en -i data/test.de --projective
refuse 2 'marginal' parse -q -m both.gguf --source data/test.en -i data/test.de --prob marginal
refuse 4 'only one of the encoder; expected no --source' parse -q -m enc.gguf --source data/test.en -i data/test.de
refuse 4 'no head of the decoder is a parser; expected' parse -q -m plain.gguf --source data/test.en -i data/test.de
refuse 4 'only one of the decoder; expected --source FILE' parse -q -m dec.gguf -i data/test.de
refuse 4 'lisa or dbsa' parse -q -m plain.gguf -i data/test.de
refuse 4 'tokenizer "moses" of an attention head' parse -q -m enc.gguf --tokenizer moses -i data/test.en
refuse 4 'tokenizer "own" of an attention head' parse -q -m enc.gguf --tokenizer own -i data/test.en
"$DRAGOMAN" parse -m enc.gguf --language de -i data/test.en > out 2> err
grep -q 'language "de" changes nothing: a model with an attention head cuts text as it was trained' err ||
    fail "$(cat err)"
"$DRAGOMAN" parse -m enc.gguf -i data/test.en 2> err | cmp - out
if grep language err; then fail 'nobody gave it'; fi
refuse 2 'retag by an attention head' parse -q -m enc.gguf -f conllu --retag -i data/test.de.conllu
