# reproduce_tables.sh: kinds of trees, less text, the validation set, figures: what a table can ask of `reproduce`.
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 120 --dev 20 --test 60
parser first.gguf data/train.en.conllu --after 5u
parser second.gguf data/train.en.conllu --after 5u --seed 2
reproduce() { sh "$SOURCE/scripts/reproduce" "$@"; }

cat > kinds.table <<'END'
@recipe    demo.conf
@decode    --beam-size 1
@tiny      --dim-emb 16 --transformer-dim-ffn 24 --transformer-heads 2 --batch-tokens 300
@validation
@figure bleu   | bars  | row      | bleu       | Trees, "all" kinds
@figure valid  | bars  | row      | valid_bleu | Trees, validation
@figure length | lines | words    | bleu       | By length | plain,gold
@figure wide   | lines | words:40 | more       | More than another | random,gold
@figure twice  | bars  | repeated | valid_lines | Said twice | plain,random
@figure m      | lines | m/nb     | parameters | Size | plain,gold,graphs
@figure curves | lines | update   | nosuch,loss | Training | random,plain
@figure nothing | lines | update  | nosuch | Training
@figure lines  | lines | --train-lines | updates | Lines | some,share
plain   | Transformer   | none             | -                | -                    | -
gold    | SGSA, gold    | sgsa(m=0)        | -                | source:gold          | -
random  | SGSA, random  | sgsa(m=0)        | -                | source:random        | -
none    | SGSA, none    | sgsa(m=0)        | -                | source:none          | -
parser  | SGSA, parser  | sgsa(m=0)        | -                | source:parser        | -
other   | SGSA, other   | sgsa(m=0)        | -                | source:parser=other  | -
graphs  | several       | sgsa(m=1)        | -                | training:gold        | -
some    | lines         | none             | --train-lines 70 | -                    | -
share   | a share       | sgsa(m=0)        | --dropout 0.2 --train-lines=50% | source | -
many    | too many      | none             | --train-lines 121 | -                   | -
END
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
run() { reproduce ./kinds.table --corpus ./small.conf --data data --updates 8 --threads 1 --seeds 1,2 --out out "$@"; }

# Without parsers: their rows wait, and so does one of more lines than there are.
run > table.md 2> err
test $? = 1 || { cat err; fail 'exit code of rows that wait'; }
grep -q '^| SGSA, parser | 1 | waiting: needs trees of the source: --parser FILE |' table.md || fail 'no parser'
grep -q '^| SGSA, other | 2 | waiting: needs trees of the source: --parser other=FILE |' table.md || fail 'no other'
grep -q '^| too many | 1 | waiting: needs --train-lines 121, and the text has 120 lines |' table.md || fail 'lines'
test "$(grep -c ': NOT DONE:' err)" = 6 || { cat err; fail 'other rows that are not done'; }

# Trees: those of the corpus, random ones of the row's seed, none.
awk '/^#/ { next } { print }' data/train.en.conllu | "$DRAGOMAN" convert trees --random 2 | cut -f 1,2,7 > want
cut -f 1,2,7 out/data/train.random-2.conllu | cmp - want || fail 'other random trees'
cmp -s out/data/train.random-1.conllu out/data/train.random-2.conllu && fail 'the same trees of every seed'
for row in gold random none; do
    for other in gold random none; do
        test $row = $other || ! cmp -s out/$row/seed-1/model.gguf out/$other/seed-1/model.gguf || fail "$row is $other"
    done
done
grep -q -e '--trees data/test.en.conllu' out/gold/seed-1/log && fail 'a log of commands that has changed: mend this test'
for pair in gold:data/test.en.conllu random:out/data/test.random-1.conllu none:none; do
    "$DRAGOMAN" translate --quiet --trees "${pair#*:}" --beam-size 1 --models "out/${pair%%:*}/seed-1/model.gguf" \
        --input data/test.en | cmp - "out/${pair%%:*}/seed-1/output" || fail "translated with other trees: $pair"
done

# Less text: its first lines, with their trees.
head -n 70 data/train.de | cmp - out/data/lines-70/target || fail 'other lines'
head -n 60 data/train.en | cmp - out/data/lines-60/source || fail 'another share'
"$DRAGOMAN" convert trees --to words --input out/data/lines-60/source.trees | cmp - out/data/lines-60/source ||
    fail 'trees of other lines'
grep -q ' 70 pairs read' out/some/seed-1/log || fail 'trained on other lines'
grep -q -e '--dropout 0.2' out/share/seed-1/log || fail 'an option is lost'

# The validation set, and the spread over seeds.
want=$("$DRAGOMAN" score --tokenize char data/dev.de -b -w 2 -i out/gold/seed-2/valid)
got=$(awk -F '|' '/^\| SGSA, gold \| 2 / { gsub(/ /, "", $7); print $7 }' table.md)
test -n "$got" && test "$want" = "$got" || fail "validation: $got; expected $want"
awk -F '|' '/^\| SGSA, gold \| [12] / { x[++n] = $4 }
    /^\| SGSA, gold \| mean of 2 / { mean = $4 + 0; sub(/sd/, "", $5); sd = $5 + 0 }
    function near(a, b) { return a - b < 0.011 && b - a < 0.011 }
    END {
        d = x[1] - x[2]
        if (d < 0) d = -d
        exit !(n == 2 && d > 0 && near(mean, (x[1] + x[2]) / 2) && near(sd, d / sqrt(2)))
    }' table.md || { cat table.md; fail 'mean and standard deviation'; }

awk -F , '{ gsub(/""/, ""); gsub(/"[^"]*"/, "q") } NR == 1 { fields = NF } NF != fields || NF < 20 { exit 1 }' out/kinds.csv ||
    fail 'lines of the CSV differ from its first one'

# Figures: data, drawing, and the place in the table.
for figure in bleu valid length wide twice m curves lines; do
    grep -q '<svg' out/figures/$figure.svg || fail "no figure $figure"
    grep -q "(figures/$figure.svg)" table.md || fail "figure $figure is not in the table"
done
test ! -f out/figures/nothing.svg && grep -q 'the figure nothing has no data' err || { cat err; fail 'a curve of nothing'; }
cmp out/plain/seed-1/model.gguf.ckpt/metrics.jsonl out/figures/curves/plain.jsonl || fail 'data of a curve'
cmp table.md out/kinds.md || fail 'printed is not what is written'
grep -q '^## Trees, "all" kinds$' table.md || fail 'title'
"$DRAGOMAN" score --tokenize char data/test.de -w 2 -i out/gold/seed-1/output --by-length data/test.en |
    awk 'NR > 2 && $NF != "-" && $1 != "all" { print $1, $NF }' > one
"$DRAGOMAN" score --tokenize char data/test.de -w 2 -i out/gold/seed-2/output --by-length data/test.en |
    awk 'NR > 2 && $NF != "-" && $1 != "all" { print $1, $NF }' | paste -d ' ' one - |
    awk '{ printf "%s,%.3g,\"SGSA, gold\"\n", $1, ($2 + $4) / 2 }' > want
awk -F , '/gold"/ { printf "%s,%.3g,%s,%s\n", $1, $2, $4, $5 }' out/figures/length.csv | cmp - want || fail 'by length'
grep -q '^| SGSA, gold | .*sd ' out/kinds.md || fail 'groups as a table'
awk -F , '$1 == "1-40" && $4 == "\"SGSA" { found = 1 } /random"/ { bad = 1 } END { exit !found || bad }' \
    out/figures/wide.csv || fail 'more than another'
awk -F , 'NR == 1 && $0 != "m/nb,parameters,sd,row" { bad = 1 } $4 == "\"Transformer\"" { flat[$1] = $2 }
    $4 == "\"SGSA\"" { at = $1 } $4 == "\"several\"" { other = $1 }
    END { exit bad || at != "0" || other != 1 || flat[0] == "" || flat[0] != flat[1] }' out/figures/m.csv ||
    { cat out/figures/m.csv; fail 'along an option'; }
awk -F , 'NR > 1 { print $1 }' out/figures/lines.csv | tr '\n' ' ' | grep -q '^70 50% $' || fail 'along --train-lines'

# Parsers: a row asks for one by its name; done rows stay; a missing translation is made without training.
rm out/gold/seed-1/valid
cp out/gold/seed-1/log before
run --parser first.gguf --parser other=second.gguf > table.md 2> err
test $? = 1 && test "$(grep -c ': NOT DONE:' err)" = 2 || { cat err; fail 'parsers'; }
test -f out/gold/seed-1/valid &&
    test "$(grep -c 'finished after' before)" = "$(grep -c 'finished after' out/gold/seed-1/log)" || fail 'trained again'
for row in parser other; do
    grep -q -e "--parser=$(test $row = parser && echo first || echo second).gguf" out/$row/seed-1/log ||
        fail "$row has another parser"
done
cmp -s out/data/train.source.conllu out/data/train.source-other.conllu && fail 'one parser for both'
run --parser second.gguf > log 2>&1
test $? = 2 || { cat log; fail 'another parser in the same folder'; }
grep -q 'made with another parser than second.gguf' log || { cat log; fail 'message of another parser'; }

# Less text for all rows; percentages are of that.
reproduce ./kinds.table --corpus ./small.conf --data data --train-lines 50% --updates 2 --threads 1 --out less \
    --only share,some > log 2>&1
test $? = 1 && test "$(awk 'END { print NR }' less/data/lines-30/source)" = 30 || { cat log; fail 'a share of a share'; }
grep -q 'needs --train-lines 70, and the text has 60 lines' less/kinds.md || fail 'more than all'
reproduce ./kinds.table --corpus ./small.conf --data data --updates 2 --threads 1 --out less --only some > log 2>&1
test $? = 2 || fail 'another text in the same folder'

# Who only asks decides nothing: the folder takes other conditions afterwards.
for updates in 2 3; do
    reproduce ./kinds.table --corpus ./small.conf --data data --updates $updates --threads 1 --out asked \
        --only none --dry-run > log 2>&1 || { cat log; fail "a dry run of $updates updates"; }
done

# Wrong usage, and tables that are wrong.
refused() {
    message=$1
    shift
    reproduce "$@" > log 2>&1
    test $? = 2 || { cat log; fail "accepted: $*"; }
    grep -q -e "$message" log || { cat log; fail "another message: $*"; }
}
for lines in 0 121 101% x -1 1.5; do
    refused 'train-lines: expected up to 120' ./kinds.table --corpus ./small.conf --data data --out no --train-lines "$lines"
done
refused 'error: --only: no row "nosuch" in ' ./kinds.table --corpus ./small.conf --data data --out no --only nosuch
refused 'two parsers other' ./kinds.table --corpus demo --parser other=first.gguf --parser other=second.gguf
refused 'two parsers; expected one' ./kinds.table --corpus demo --parser first.gguf --parser second.gguf
refused 'no row of kinds asks for trees of a parser othr' ./kinds.table --corpus ./small.conf --data data --out no \
    --parser othr=first.gguf
refused 'there is no parser nosuch' ./kinds.table --corpus demo --parser other=nosuch
refused '1 is there twice' ./kinds.table --corpus ./small.conf --data data --out no --seeds 1,2,1
wrong() {
    { echo '@recipe demo.conf'; echo "$2"; echo "last | Last | none | - | - | -"; } > wrong.table
    refused "$1" ./wrong.table --corpus ./small.conf --data data --out no
}
for trees in source:green source:parser= target training-target:gold source:gold:gold; do
    wrong 'bad name or trees' "a | A | none | - | $trees | -"
done
wrong 'unknown directive @figures' '@figures a | bars | row | bleu | A'
wrong 'expected bars or lines, got pie' '@figure a | pie | row | bleu | A'
wrong '4 fields of @figure' '@figure a | bars | row | bleu'
wrong 'no row gives the option word' '@figure a | bars | word | bleu | A'
wrong 'a figure along words has no parameters' '@figure a | bars | words:7 | parameters | A'
wrong 'a figure along row has no blue' '@figure a | bars | row | blue | A'
wrong 'no row nosuch' '@figure a | bars | row | bleu | A | nosuch'
wrong 'two rows "A"' 'a | A | none | - | - | -
b | A | none | - | - | -'
printf '@recipe demo.conf\n' > wrong.table
refused 'wrong.table: no row' ./wrong.table --corpus ./small.conf --data data --out no
exit 0
