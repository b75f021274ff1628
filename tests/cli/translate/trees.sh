# trees.sh: a model that needs trees and has no source of any is refused, for every use of it, unless
# somebody means it; lines without a tree are counted, or refused one by one; trees and lines are as
# many; whatever one field of a tree file becomes, no other line's translation changes unnoticed.
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 150 --dev 10 --test 20
demo dim-emb=32 transformer-dim-ffn=32 bpe-merges=80 after=60u
valid_on=
deps='deps-san(layers=1)'
gold=data/test.en.conllu
train m.gguf --syntax "$deps" --train-trees data/train.en.conllu || fail 'no model'
train plain.gguf --after 5u || fail 'no plain model'

# unwritten CODE WORDS COMMAND OPTION...: refused, of the test text, and nothing is written.
unwritten() {
    refuse "$@" -i data/test.en
    test ! -s out || fail "$*: an output"
}
# With scores, which tell every tree from every other.
loudly() { "$DRAGOMAN" translate -b 2 --scores "$@"; }
translate() { loudly -q "$@"; }

# ---- no trees at all ------------------------------------------------------------------------

whole='m.gguf: error: --syntax deps-san(layers=1) needs a tree of each line; expected --trees FILE, a model with a parser inside (train --parser), or --trees none'
unwritten 2 "$whole" translate -q -b 2 --scores -m m.gguf
unwritten 2 "$whole" translate -q -b 2 --scores -m plain.gguf m.gguf
unwritten 2 "$whole" translate -q -b 2 --scores -m m.gguf --attention map.json
test ! -e map.json || fail 'a file of attention'
unwritten 2 "$whole" translate -q -b 2 --scores -m m.gguf --no-parse reject
refuse 2 "$whole" rescore data/test.en data/test.de -q -m m.gguf
test ! -s out || fail "rescore: an output"
translate -m plain.gguf < data/test.en > out 2> err || fail 'a model without syntax'
test ! -s err || fail "said of a plain model: $(cat err)"
loudly -m m.gguf --trees none < data/test.en > none.de 2> err || fail '--trees none'
test "$(grep -vc ' words are not in the vocabulary' err)" = 0 && test "$(wc -l < none.de)" = 20 ||
    fail "--trees none: $(cat err)"
translate -m m.gguf --trees $gold < data/test.en > tree.de || fail 'trees'
cmp -s tree.de none.de && fail 'trees make no difference'
"$DRAGOMAN" rescore data/test.en data/test.de -q -m m.gguf --trees none > none.scores || fail 'rescore, none'
test "$(wc -l < none.scores)" = 20 || fail 'rescore, lines'

# Which variants need them depends on their options.
train off.gguf --syntax 'deps-san(layers=0)+shaw(k=2)' --after 5u || fail 'layers=0'
translate -m off.gguf < data/test.en > out || fail 'no layer reads trees'

# Training and validation.
untrained 2 "$deps needs trees; expected --train-trees FILE, --parser FILE to make them, or --train-trees none" --dry-run --syntax "$deps"
untrained 2 '--valid-sets with --syntax.*--valid-trees none' --syntax "$deps" --train-trees data/train.en.conllu \
    --valid-sets data/dev.en data/dev.de
train ok.gguf --after 2u --syntax "$deps" --train-trees data/train.en.conllu \
    --valid-sets data/dev.en data/dev.de --valid-trees none || fail '--valid-trees none'
train never.gguf --after 2u --syntax "$deps" --train-trees none \
    --valid-sets data/dev.en data/dev.de || fail '--train-trees none'

# ---- lines without a tree -------------------------------------------------------------------

# Sentences 3 and 7 have no parse, 9 another word.
awk -F '\t' -v OFS='\t' '$1 == 1 { s++ }
    NF == 10 && (s == 3 || s == 7) { $7 = $8 = "_" }
    NF == 10 && s == 9 && $1 == 2 { $2 = "zebu" } { print }' $gold > some.conllu
paste -d '\n' tree.de none.de | awk '{ odd = NR % 2; n = (NR + odd) / 2; bad = n == 3 || n == 7 || n == 9 } odd != bad' > want.de
loudly -m m.gguf --trees some.conllu < data/test.en > some.de 2> err || fail 'some trees'
cmp want.de some.de || fail 'lines without a tree change others'
test "$(grep -c 'warning: 3 of 20 lines had no tree: --no-parse star' err)" = 1 || fail "no count: $(cat err)"
"$DRAGOMAN" translate -m m.gguf --trees $gold < data/test.en 2>&1 > out | grep -q 'had no tree' && fail 'a count of none'

awk 'NR == 3 || NR == 7 || NR == 9 { print "0\t\t0"; next } { print }' tree.de > want.de
loudly --maxi-batch 4 -m m.gguf --trees some.conllu --no-parse reject -o reject.de \
    < data/test.en 2> err
test $? = 3 || fail "--no-parse reject: $(cat err)"
cmp want.de reject.de || fail '--no-parse reject: other lines'
for n in 3 7 9; do grep -q "line $n: no tree" err || fail "line $n is not named: $(cat err)"; done
test "$(grep -c 'no tree' err)" = 4 || fail "named: $(cat err)"
grep -q 'error: lines without a tree: 3' err || fail "no reason: $(cat err)"
"$DRAGOMAN" rescore data/test.en data/test.de -m m.gguf --trees some.conllu --no-parse reject > scores 2> err
test $? = 3 || fail 'rescore --no-parse reject'
test "$(grep -n '^$' scores | tr -d '\n')" = '3:7:9:' || fail "rescored: $(cat scores)"
unwritten 2 'no-parse' translate -q -b 2 --scores -m m.gguf --trees $gold --no-parse other

# ---- as many trees as lines ------------------------------------------------------------------

{ cat $gold; printf '1\tone\t_\t_\t_\t_\t0\troot\t_\t_\n\n'; } > more.conllu
at=$(($(wc -l < $gold) + 1))
translate -m m.gguf --trees more.conllu < data/test.en > out 2> err
test $? = 3 && grep -q "more.conllu:$at: error: more sentences than the 20 lines" err || fail "a tree too many: $(cat err)"
"$DRAGOMAN" rescore data/test.en data/test.de -q -m m.gguf --trees more.conllu > out 2> err
test $? = 3 && grep -q "more.conllu:$at:.*20 lines" err || fail "rescore, a tree too many: $(cat err)"
awk '/^# sent_id = test-20$/ { exit } { print }' $gold > less.conllu
translate -m m.gguf --trees less.conllu < data/test.en > out 2> err
test $? = 3 && grep -q 'less.conllu: error: 19 sentences; .*line 20' err || fail "a tree too few: $(cat err)"

# A line of blanks behind a comment is no sentence.
awk '/^# text/ { print; print " \t "; next } { print }' $gold > blanks.conllu
translate -m m.gguf --trees blanks.conllu < data/test.en > out 2> err || fail "lines of blanks: $(cat err)"
cmp out tree.de || fail 'lines of blanks behind comments move trees'

# ---- one field becomes another ---------------------------------------------------------------

# mutate SEED: into bad.conllu; prints the number of the sentence.
mutate() {
    awk -v seed="$1" '
    BEGIN {
        srand(seed)
        count = split("_|0|1|2|7|-1|99|1-2|2-1|0.1|3.1|01|x|#|# text = x| |  |a b|root|99999999999|1 ", values, "|")
        values[++count] = ""; values[++count] = "\t"; values[++count] = "1\ta\t_\t_\t_\t_\t0\t_\t_\t_"
    }
    { line[NR] = $0; of[NR] = s + 1 }
    $0 == "" { s++ }
    END {
        n = 1 + int(rand() * NR)
        value = values[1 + int(rand() * count)]
        fields = split(line[n], field, "\t")
        kind = rand()
        if (kind < 0.15 || fields == 0) line[n] = value
        else {
            field[1 + int(rand() * fields)] = value
            line[n] = field[1]
            for (i = 2; i <= fields; i++) line[n] = line[n] "\t" field[i]
        }
        for (i = 1; i <= NR; i++) print line[i] > "bad.conllu"
        print of[n]
    }' $gold
}
loud=0 changed=0 seed=0
times=60
test -n "$TEST_LONG" && times=1000
while test $seed -lt $times; do
    seed=$((seed + 1))
    s=$(mutate $seed)
    translate -m m.gguf --trees bad.conllu < data/test.en > bad.de 2> err
    rc=$?
    if test $rc = 3; then loud=$((loud + 1)); continue; fi
    test $rc = 0 || { cat err; fail "mutation $seed of sentence $s: exit code $rc"; }
    test "$(wc -l < bad.de)" = 20 || fail "mutation $seed: another number of lines"
    diff tree.de bad.de > differences || changed=$((changed + 1))
    awk -v s="$s" '/^[0-9]/ && $0 != s "c" s { exit 1 }' differences ||
        { cat differences; fail "mutation $seed of sentence $s changes other lines"; }
done
# The test can tell something.
test $loud -gt 0 && test $changed -gt 5 || fail "$times mutations: $loud loud, $changed changed their line"
