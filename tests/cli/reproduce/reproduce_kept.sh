# reproduce_kept.sh: trees that are kept beside the program give the bytes of the same trees named by the
# corpus; those that do not fit the text, and a folder with rows of a parser, are refused by name.
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 60 --dev 5 --test 10
reproduce() { sh "$SOURCE/scripts/reproduce" "$@" --updates 3 --threads 1; }

cat > small.table <<'END'
@recipe    demo.conf
@tiny      --dim-emb 16 --transformer-dim-ffn 24 --transformer-heads 2 --batch-tokens 300
labels   | labels    | tags(dim=2,upos=2)   | - | source        | -
deps     | Deps-SAN  | deps-san(layers=1-2) | - | source:parser | -
dbsa     | DBSA      | dbsa(dec_layer=0)    | - | training      | -
END
cat > gold.conf <<'END'
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
{ grep -v trees gold.conf; echo "kept-trees = $(pwd)/kept"; } > kept.conf

# pack FILE: as corpora/trees/README.md says.
pack() {
    awk -F '\t' '
    $1 ~ /^[0-9]+$/ { line = line (line == "" ? "" : " ") $7 "/" $4 "/" $8; open = 1 }
    /^# text =$/ { open = 1 }
    /^$/ { if (open) print line; line = ""; open = 0 }' "$1" | gzip -9n
}
mkdir kept
for set in train,train valid,dev test,test; do
    pack "data/${set#*,}.en.conllu" > "kept/${set%,*}.gz"
done

reproduce ./small.table --corpus ./gold.conf --data data --only labels,dbsa --out gold > gold.md 2> err || { cat err; fail 'gold trees'; }
reproduce ./small.table --corpus ./kept.conf --data data --out kept.out > kept.md 2> err || { cat err; fail 'kept trees'; }
for row in labels dbsa; do
    cmp gold/$row/seed-1/model.gguf kept.out/$row/seed-1/model.gguf || fail "$row: another model"
    cmp gold/$row/seed-1/output kept.out/$row/seed-1/output || fail "$row: another translation"
done
uas() { awk -F , '$1 == "dbsa" { print $(NF - 1) }' "$1"; }
test -n "$(uas gold/small.csv)" && test "$(uas gold/small.csv)" = "$(uas kept.out/small.csv)" || fail 'UAS of heads'

# The first lines of the text alone; a row that names gold trees has none here.
reproduce ./small.table --corpus ./kept.conf --data data --only deps --train-lines 40 --out few > few.md 2> err ||
    { cat err; fail 'the first lines'; }
test "$(grep -c '^1	' few/data/lines-40/train.kept.conllu)" = 40 || fail 'trees of the first lines'

# refused TEXT: the row waits, and says why.
refused() {
    reproduce ./small.table --corpus ./kept.conf --data data --only deps --out wrong > wrong.md 2> err
    test $? = 1 || fail "accepted: $1"
    awk -v want="$1" 'index($0, want) { found = 1 } END { exit !found }' wrong.md || { cat wrong.md; fail "no: $1"; }
    rm -rf wrong
}
mv kept/train.gz whole.gz
gzip -dc whole.gz | sed '7s/ .*//' | gzip -n > kept/train.gz
refused 'its tree 1'
gzip -dc whole.gz | sed '$d' | gzip -n > kept/train.gz
refused 'has more lines than there are trees, 59'
echo nonsense > kept/train.gz
refused 'cannot unpack'
rm kept/train.gz
refused 'there is no'
mv whole.gz kept/train.gz
mkdir -p wrong/data
echo 123 > wrong/data/parser
refused 'needs the parser that'

# A folder with rows of kept trees takes no parser.
"$DRAGOMAN" train-parser --quiet --train-sets data/train.en.conllu --min-freq 1 --after 2u --save-freq 2u \
    --dim-emb 8 --dim-lstm 8 --dim-piece 8 --dim-piece-lstm 8 --enc-depth 1 --dim-arc 8 --dim-label 8 \
    --dim-tag 8 --max-length 30 --model parser.gguf || fail 'no parser'
reproduce ./small.table --corpus ./kept.conf --data data --parser parser.gguf --out kept.out > log 2>&1
test $? = 2 || { cat log; fail 'another parser in the same folder'; }
