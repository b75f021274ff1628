# dry_run_texts.sh: a dry run of several texts that are larger than memory looks at each of them.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate short --seed 4 --train 9000 --dev 5 --test 5
for l in en de; do paste -d ' ' - - - < short/train.$l > long.$l; done
# step OPTION...: MiB of the largest step, that of the longest pair, since a batch has room for one.
step() {
    "$DRAGOMAN" train -m m.gguf --tokenize none --bpe-merges 20 --enc-depth 1 --dec-depth 1 --dim-emb 8 \
        --transformer-dim-ffn 8 --transformer-heads 1 --batch-tokens 20 --max-length 300 --dry-run "$@" \
        2> log || fail "$(cat log)"
    sed -n 's/.*memory: largest step \([0-9.]*\) MiB.*/\1/p' log
}
more() { awk "BEGIN { exit !($1 > 1.5 * $2) }" || fail "$1 MiB, expected more than 1.5 times $2: $3"; }
short=$(step -t short/train.en short/train.de --shuffle-memory 1M)
cp short/train.en again.en
cp short/train.de again.de
all=$(step -t short/train.en short/train.de -t long.en long.de -t again.en again.de --shuffle-memory 1M)
more "$all" "$short" 'the second text'
printf 'short/train.en\tshort/train.de\nlong.en\tlong.de\nagain.en\tagain.de\n' > list
test "$(step --train-list list --shuffle-memory 1M)" = "$all" || fail 'a list of texts'
# What fits is all there: shares of texts are those of the run.
step -t short/train.en short/train.de -t long.en long.de --train-weights 1,3 > fits
more "$(cat fits)" "$short" 'in memory'
test -z "$(ls -d m.gguf* 2> /dev/null)" || fail "a dry run wrote $(ls -d m.gguf*)"
