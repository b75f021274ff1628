# reproduce.sh: a small table, interrupted and resumed, ends in the bytes of one that was not; rows
# that cannot be trained are named, do not stop the others, and show in the exit code.
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 200 --dev 10 --test 300
reproduce() { sh "$SOURCE/scripts/reproduce" "$@"; }

cat > small.table <<'END'
# A table of this test.
@recipe    demo.conf
@decode    --beam-size 2
@tiny      --dim-emb 16 --transformer-dim-ffn 24 --transformer-heads 2 --batch-tokens 300
@published nothing
plain    | Transformer      | none                      | -              | -      | 1.5
shaw     | relative, wide   | shaw(k=2)                 | --dropout 0.2  | -      | -
deps     | Deps-SAN, "both" | deps-san(layers=1-2)      | -              | source | 2.5
broken   | a typing mistake | deps-sun                  | -              | -      | -
END

# Scored by characters, of which so small a model gets some right.
cat > small.conf <<'END'
options = --tokenize none --source-lang en --target-lang de
recipe = demo.conf
train = train.en train.de
valid = dev.en dev.de
test = test.en test.de
train-trees = train.en.conllu
valid-trees = dev.en.conllu
test-trees = test.en.conllu
score = --tokenize char
END

# Without a stop, two seeds.
reproduce ./small.table --corpus ./small.conf --data data --updates 60 --threads 1 --seeds 1,2 \
    --only plain,shaw,deps --out whole > whole.md 2> err || { cat err; fail 'a run failed'; }
for column in '| Transformer | 1 |' '| relative, wide | 2 |' '| Deps-SAN, "both" | mean of 2 |' '| 2.5 |'; do
    awk -v want="$column" 'index($0, want) { found = 1 } END { exit !found }' whole.md || fail "no $column"
done
cmp -s whole.md whole/small.md || fail 'what is printed is not what is written'
awk -F '","' 'NR == 1 && $0 !~ /^row,title,/ { exit 1 } END { exit NR != 10 }' whole/small.csv || fail 'csv'
# Numbers: parameters, pace, p and, where the shell can measure it, speed are there; p of the baseline is not.
awk -F '|' '/^\| Transformer \| 1 / { if ($6 != " - " || $8 !~ /[0-9][0-9]/ || $9 !~ /[0-9]\./ || $10 !~ /^ (-|[0-9]+\.[0-9]) $/) exit 1 }
    /^\| relative, wide \| 1 / { if ($6 !~ /^ [01]\.[0-9]+ $/) exit 1 }' whole.md || fail 'numbers'

# Its scores are those of the scorer.
want=$("$DRAGOMAN" score --tokenize char data/test.de -w 2 -i whole/plain/seed-1/output --paired-bs \
    whole/shaw/seed-1/output | awk 'NR == 4 { print $1, $3; sub(/\*/, "", $4); print $4 }')
test "${want%%.*}" != 0 || fail "this test needs scores above 0: $want"
got=$(awk -F '|' '/^\| relative, wide \| 1 / { gsub(/ /, ""); print $4, $5; print $6 }' whole.md)
test "$want" = "$got" || fail "scores: $got; expected $want"

# The data of a file that is named by its path lie beside it, wherever one stands.
mkdir own
{ echo 'data = ../data'; grep -v '^data' small.conf; } > own/own.conf
reproduce ./small.table --corpus own/own.conf --only plain --dry-run --out dry > dry.md 2> err || { cat err dry.md; fail "data beside the corpus file"; }
sed 's|../data|nowhere|' own/own.conf > own/none.conf
reproduce ./small.table --corpus own/none.conf --only plain --dry-run --out dry > dry.md 2> err && fail 'data that are nowhere'
grep -q 'there is no folder own/nowhere' err || fail "$(cat err)"

# Interrupted once it has a checkpoint; exit code 130.
begin() {
    exec sh "$SOURCE/scripts/reproduce" ./small.table --corpus ./small.conf --data data --updates 60 \
        --threads 1 --out half --only shaw
}
(begin) > log 2>&1 & pid=$!
until test -n "$(ls half/shaw/seed-1/model.gguf.ckpt/update-* 2> /dev/null)"; do
    kill -0 $pid 2> /dev/null || fail 'no checkpoint'
    sleep 0.05
done
kill -TERM $pid
wait $pid
test $? = 130 || { cat log; fail 'a signal does not stop it'; }
test ! -f half/shaw/seed-1/facts || fail 'stopped too late for this test'
(begin) > log 2>&1 || { cat log; fail 'no resume'; }
awk '/resuming after update/ { found = 1 } END { exit !found }' half/shaw/seed-1/log || fail 'began anew'
cmp half/shaw/seed-1/model.gguf whole/shaw/seed-1/model.gguf || fail 'another model'
cmp half/shaw/seed-1/output whole/shaw/seed-1/output || fail 'another translation'

# A finished row is not repeated, other conditions are refused.
cp half/shaw/seed-1/log before
(begin) > log 2>&1 || fail 'the second time'
cmp before half/shaw/seed-1/log || fail 'trained again'
reproduce ./small.table --corpus ./small.conf --data data --updates 61 --out half --only shaw > log 2>&1
test $? = 2 || fail 'other conditions in the same folder'

# Rows that cannot be: named with the reason, others done, exit code 1.
cat > bare.conf <<'END'
options = --tokenize none
recipe = demo.conf
train = train.en train.de
test = test.en test.de
score = --multi-bleu
END
reproduce ./small.table --corpus ./bare.conf --data data --updates 3 --threads 1 --out bare > bare.md 2> err
test $? = 1 || fail 'exit code of a row that failed'
awk '/^\| Deps-SAN.*waiting: needs trees of the source/ { a++ }
    /^\| a typing mistake.*failed: .*deps-sun/ { b++ }
    /^\| relative, wide \| 1 \| [0-9]/ { c++ }
    END { exit a != 1 || b != 1 || c != 1 }' bare.md || { cat bare.md; fail 'the rest of the table'; }
awk '/NOT DONE/ { n++ } END { exit n != 3 }' err || { cat err; fail 'not loud'; }

# Wrong usage.
for wrong in '' './small.table' 'nosuch --corpus demo' './small.table --corpus nosuch' \
    './small.table --corpus demo --data data --only nosuch' './small.table --corpus demo --scale big' \
    './small.table --corpus demo --data nosuch' './small.table --corpus demo --seeds x' \
    './small.table --frobnicate 1' './small.table --corpus'; do
    reproduce $wrong > log 2>&1
    test $? = 2 || { cat log; fail "accepted: reproduce $wrong"; }
done
printf 'plain | two fields\n' > bad.table
reproduce ./bad.table --corpus demo --data data > log 2>&1
test $? = 2 || fail 'a table of two fields'

# Heads that are parsers are scored: of the target, words whose head is not behind them.
cat > heads.table <<'END'
@recipe    demo.conf
@tiny      --dim-emb 16 --transformer-dim-ffn 24 --transformer-heads 2 --batch-tokens 300
plain    | Transformer | none                             | - | -               | -
both     | both sides  | dbsa                             | - | training-both   | -
source   | the source  | dbsa(enc_layer=1,dec_layer=0)    | - | training        | -
target   | the target  | dbsa(enc_layer=0,dec_layer=1)    | - | training-target | -
lisa     | LISA        | lisa                             | - | training        | -
END
sed 's/^valid = .*/train-target-trees = train.de.conllu/; s/^valid-trees = .*/test-target-trees = test.de.conllu/' \
    small.conf > heads.conf
reproduce ./heads.table --corpus ./heads.conf --data data --updates 10 --threads 1 --out heads > heads.md 2> err ||
    { cat err; fail 'heads'; }
awk -F '|' '
    function number(text) { return text ~ /^ [0-9]+\.[0-9][0-9] $/ }
    /^\| row / && ($(NF - 2) != " UAS source " || $(NF - 1) != " UAS target ") { exit 1 }
    /^\| Transformer / && ($(NF - 2) != " - " || $(NF - 1) != " - ") { exit 1 }
    /^\| both sides / && (!number($(NF - 2)) || !number($(NF - 1))) { exit 1 }
    /^\| (the source|LISA) / && (!number($(NF - 2)) || $(NF - 1) != " - ") { exit 1 }
    /^\| the target / && ($(NF - 2) != " - " || !number($(NF - 1))) { exit 1 }
    /^\| / { lines++ }
    END { exit lines != 6 }' heads.md || { cat heads.md; fail 'UAS of heads'; }
"$DRAGOMAN" parse -q -m heads/both/seed-1/model.gguf -f tokens --source data/test.en -i data/test.de > de.conllu
want=$("$DRAGOMAN" parse-eval --multi-root keep --earlier-heads data/test.de.conllu de.conllu | awk '$1 == "UAS" { print $(NF - 2) }')
awk -F , -v want="$want" '$1 == "both" { found = $NF == want } END { exit !found }' heads/heads.csv ||
    fail "UAS of the target is not $want"
awk 'index($0, "UAS") { exit 1 }' whole.md || fail 'a table without such heads has UAS'

# Without gold trees of the test set, against those of the parsers.
for side in en de; do
    "$DRAGOMAN" train-parser --quiet --train-sets data/train.$side.conllu --min-freq 1 --after 5u --save-freq 5u \
        --dim-emb 8 --dim-lstm 8 --dim-piece 8 --dim-piece-lstm 8 --enc-depth 1 --dim-arc 8 --dim-label 8 \
        --dim-tag 8 --max-length 30 --model parser.$side.gguf || fail 'no parser'
done
grep -v trees heads.conf > treeless.conf
reproduce ./heads.table --corpus ./treeless.conf --data data --updates 10 --threads 1 --only both \
    --parser parser.en.gguf --target-parser parser.de.gguf --out treeless > treeless.md 2> err ||
    { cat err; fail 'heads beside parsers'; }
for side in source,en target,de; do
    "$DRAGOMAN" parse -q -m parser.${side#*,}.gguf -f tokens -i data/test.${side#*,} |
        cmp - treeless/data/test.${side%,*}.gold.conllu || fail "not the parser's trees of the ${side%,*}"
done
awk -F '|' '/^\| both sides / && $(NF - 2) ~ /[0-9]\./ && $(NF - 1) ~ /[0-9]\./ { found = 1 } END { exit !found }' \
    treeless.md || { cat treeless.md; fail 'UAS beside parsers'; }
