# via.sh: translations that are translated further: what two runs give, with sums of scores; more than one translation in the
# middle; models that are found by their languages; documents, blank lines, threads; what is refused.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 300 --dev 10 --test 12
small bpe-merges=40 dim-emb=16 transformer-dim-ffn=32 after=60u max-length=60
valid_on=
mkdir models
train models/en-de.gguf --source-lang en --target-lang de
train_on='--train-sets data/train.de data/train.en'
train models/de-fr.gguf --source-lang de --target-lang fr
{ head -n 5 data/test.en; echo; tail -n 6 data/test.en; } > text
translate() { "$DRAGOMAN" translate -q "$@"; }
both="-m models/en-de.gguf --then models/de-fr.gguf"

# One after the other; scores are sums.
translate -m models/en-de.gguf --scores < text > middle
cut -f 2 middle > middle.text
translate -m models/de-fr.gguf --scores < middle.text > want
translate $both --scores < text > got
cut -f 2 want > want.text
cut -f 2 got | cmp - want.text
test "$(sed -n 6p got)" = "$(sed -n 6p want)" # the blank line
paste middle want got | awk -F '\t' '$1 != "" { d = $1 + $4 - $7; if (d > 1e-3 || d < -1e-3) { print; bad = 1 } } END { exit bad }'

# More in the middle: never a worse sum; the same whatever the threads and the batches.
translate $both --then-best 4 --n-best 3 < text > best
translate $both --then-best 4 --scores < text > four
paste got four | awk -F '\t' '$4 < $1 - 1e-6 { print; bad = 1 } END { exit bad }'
test "$(cut -d '|' -f 1 best | sort -u | wc -l)" = 12 # the blank line has one, too
awk -F ' [|]+ ' '$1 == last && $4 > score { print; bad = 1 } { last = $1; score = $4 } END { exit bad }' best
translate $both --then-best 4 --n-best 3 --threads 1 --batch-tokens 20 --maxi-batch 3 < text | cmp - best

# By languages: of a folder, of files, of one file that does both.
translate --models models --from en --via de --to fr < text > found
cut -f 2 got | cmp - found
translate $both --from en --via de --to fr < text | cmp - found
"$DRAGOMAN" translate --models models --from en --via de --to fr < text 2> note > /dev/null
grep -q 'model: models/en-de.gguf' note
grep -q 'model: models/de-fr.gguf' note
translate -m models/en-de.gguf --then models --to fr < text | cmp - found || fail 'a folder behind --then'

# Documents: markup goes through both.
printf '<p>%s</p><!-- x -->\n' "$(head -n 1 text)" > page
translate $both --format html < page > page.out
head -n 1 text | translate $both > line
printf '<p>%s</p><!-- x -->\n' "$(cat line)" | cmp - page.out

# Links: of words that some word in the middle is linked to.
diagonal() { paste data/train.$1 data/train.$2 | awk -F '\t' '{ n = split($1, a, " "); m = split($2, b, " ")
    for (i = 0; i < n && i < m; i++) printf "%s%d-%d", i ? " " : "", i, i; print "" }'; }
diagonal en de > links.en-de
diagonal de en > links.de-en
small dim-emb=16 transformer-dim-ffn=32 after=200u max-length=80 tokenize=spm vocab-type=unigram dim-vocabs=200
sed -i.bak '/^bpe-merges/d' small.conf
train_on='--train-sets data/train.en data/train.de'
train first.gguf --guided-alignment links.en-de
train_on='--train-sets data/train.de data/train.en'
train second.gguf --guided-alignment links.de-en
translate -m first.gguf --alignment one < text > middle.text
translate -m second.gguf --alignment two < middle.text > want
translate -m first.gguf --then second.gguf --alignment both < text | cmp - want
paste one two | awk -F '\t' '{
    n = split($1, a, " "); m = split($2, b, " "); count = 0
    for (i = 1; i <= n; i++) for (j = 1; j <= m; j++) {
        split(a[i], x, "-"); split(b[j], y, "-")
        if (x[2] == y[1]) seen[NR, x[1], y[2]] = 1 }
    line = ""
    for (s = 0; s < 60; s++) for (t = 0; t < 90; t++) if ((NR, s, t) in seen) line = line (line == "" ? "" : " ") s "-" t
    print line }' | cmp - both
test "$(grep -c -- - both)" -gt 5 || fail 'no links'

# Refused.
refuse 2 'words are tokens; expected models with pieces' translate -m first.gguf --then models/de-fr.gguf --alignment x -i text
refuse 2 'alignment of one step, or with n_best 2' translate -m first.gguf --then second.gguf --alignment x --then-best 2 -i text
refuse 2 'attention.*of one step' translate $both --attention x -i text
refuse 2 '--then-best goes with --then or --via, none of which' translate -m models/en-de.gguf --then-best 2 -i text
refuse 2 '--via goes with --to' translate $both --via de -i text
refuse 2 '--then-best 6; expected at most --beam-size 5' translate $both -b 5 --then-best 6 -i text
refuse 2 'no translation model from sv to fr among 2 models' translate --models models --from en --via sv --to fr -i text
refuse 2 'does not translate from sv to fr, but from de to fr' translate $both --from en --via sv --to fr -i text
refuse 4 'nowhere.gguf' translate -m models/en-de.gguf --then nowhere.gguf -i text
