# parse_again.sh: what CoNLL-U gives and a parser cannot follow: sentences longer than it reads are parsed in parts, and nothing
# stays that would pass for the parser's; words with wrong numbers get right ones, to which heads can point.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 100 --dev 10 --test 20
parser m.gguf data/train.en.conllu --max-length 12 --after 3u
awk -F '\t' 'NF == 10 { $9 = $7 ":" $8; $10 = "Prob=0.5|Gloss=x" } { print }' OFS='\t' \
    data/test.en.conllu > given.conllu
# lengths FILE: of each sentence, its words and those with a head, a tag, DEPS, a probability.
lengths() {
    awk -F '\t' '
        NF == 10 { n++; heads += $7 != "_"; deps += $9 != "_"; tags += $4 != "_"; prob += $10 ~ /Prob=/
                   gloss += $10 ~ /Gloss=x/ }
        NF == 0 { if (n > 0) print n, heads + 0, tags + 0, deps + 0, prob + 0, gloss + 0
                  n = heads = tags = deps = prob = gloss = 0 }' "$1"
}
parse() { "$DRAGOMAN" parse -m m.gguf -f conllu -i given.conllu "$@" 2> log; }
parse > kept
lengths kept | awk '$1 > 12 && $2 == $1 { long++ } $1 <= 12 && $2 == $1 { short++ }
    $4 > 0 || $3 != $1 || $5 > 0 || $6 != $1 { bad++ } END { exit !(long > 2 && short > 2 && long + short == 20 && !bad) }' ||
    fail "$(lengths kept)"
parse --retag > again # tags are the parser's
lengths again | awk '$3 != $2 || $1 != $2 { bad++ } END { exit bad > 0 }' || fail "$(lengths again)"
parse --prob row > prob
lengths prob | awk '$5 != $2 { bad++ } END { exit bad > 0 }' || fail "$(lengths prob)"
parse --to brackets > brackets
test "$(grep -c '^(())$' brackets)" = 0 || fail "$(cat brackets)"
# What is not replaced stays.
parse --columns upos --retag > tags
lengths tags | awk '$2 != $1 || $4 != $1 { bad++ } END { exit bad > 0 }' || fail "$(lengths tags)"

# A number is missing, or a range goes beyond the last word.
printf '1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n3\tb\t_\t_\t_\t_\t_\t_\t_\t_\n\n' > numbers
printf '1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n2-5\tbc\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n\n' >> numbers
"$DRAGOMAN" parse -m m.gguf -f conllu -i numbers > numbered 2> log
grep -q E_ID log
test "$(grep -v '^#' numbered | cut -f 1 | tr '\n' ' ')" = '1 2  1 2  ' || fail "$(cat numbered)"
"$DRAGOMAN" convert trees -i numbered > /dev/null
"$DRAGOMAN" parse -q -m m.gguf -f conllu -i numbers --to brackets > brackets
if grep '^(())' brackets; then exit 1; fi
