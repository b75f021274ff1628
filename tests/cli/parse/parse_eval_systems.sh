# Several parsers against one gold file: a row for each, whether they differ, and groups of words.
. "$SOURCE/tests/support/shell/lib.sh"
# Sixty sentences of five words. `good` has a wrong head in every tenth, `bad` in each but every third, and a wrong relation in
# every second; `copy` is gold.
awk -v OFS='\t' '
function row(id, form, tag, head, relation) { print id, form, "_", tag, "_", "_", head, relation, "_", "_" > file }
function sentence(name, wrong, odd) {
    file = name
    row(1, "The", "DET", 2, "det")
    row(2, "dog", "NOUN", 3, odd ? "obj" : "nsubj")
    row(3, "sees", "VERB", 0, "root")
    row(4, "a", "DET", wrong ? 3 : 5, "det")
    row(5, "cat" i, "NOUN", 3, "obj")
    print "" > file
}
BEGIN {
    for (i = 1; i <= 60; i++) {
        sentence("gold", 0, 0)
        sentence("good", i % 10 == 0, 0)
        sentence("bad", i % 3 != 0, i % 2)
        sentence("copy", 0, 0)
    }
}'
try parse-eval gold good bad copy
try parse-eval gold good bad copy --paired-bs -m las uas
try parse-eval gold good bad --by relation
try parse-eval gold good bad --by distance -m uas,las
try parse-eval gold good bad --by depth
try parse-eval gold bad --by length
# Rows have the numbers that a system has alone; all groups of a copy are right; a group of all words is the score.
for system in good bad; do
    "$DRAGOMAN" parse-eval gold $system | awk -F '|' '/LAS/ && !/MLAS|CLAS/ { print $4 + 0 }'
    "$DRAGOMAN" parse-eval gold good bad | awk -v s=$system '$6 == s { print $3 + 0 }'
done | uniq | wc -l | tr -d ' '
for by in relation distance depth length; do
    "$DRAGOMAN" parse-eval gold copy --by $by | awk -v by=$by 'NR > 2 && $3 != "100.00" { print by, $0 }'
done
"$DRAGOMAN" parse-eval gold good good --paired-bs --seed 7 --paired-bs-n 50 | awk 'NR == 4 { print $4 }'
# A sentence without a tree, words cut otherwise, and sentences cut otherwise.
awk -v OFS='\t' 'BEGIN { FS = "\t" } NF > 1 && n < 2 { $7 = "_"; $8 = "_" } NF < 2 { n++ } { print }' gold > untreed
try parse-eval gold untreed --by relation
awk -v OFS='\t' 'BEGIN { FS = "\t" } NF > 1 && $1 == 1 && n % 2 { base = 5 } NF > 1 && $1 == 1 && n % 2 == 0 { base = 0 }
    NF > 1 { $1 += base; $7 = $7 == 0 ? (base ? 3 : 0) : $7 + base; if (base && $8 == "root") $8 = "parataxis"; print }
    NF < 2 { n++; if (n % 2 == 0) print }' gold > joined
try parse-eval gold joined --by length
try parse-eval gold joined good --paired-bs --paired-bs-n 100
echo 'bad input:'
try parse-eval gold
try parse-eval gold good --paired-bs
try parse-eval gold good bad -v
try parse-eval gold good bad -c
try parse-eval gold good bad -f json
try parse-eval gold good bad -m las
try parse-eval gold good --by shape
try parse-eval gold good --by relation -m lemma
try parse-eval gold good bad --seed 3
sed 's/dog/cow/' bad > other
try parse-eval gold good other
try parse-eval - good -
