# trace.sh: --trace writes a timeline of the first updates: JSON of complete events that nest; none of
# it changes what is trained.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
fail() { echo "$*" >&2; exit 1; }
"$GENERATE" --seed 5 --train 60 --dev 5 --test 5 --out data > /dev/null
train() {
    model=$1
    shift
    "$DRAGOMAN" train --config "$SOURCE/corpora/recipes/demo.conf" -m "$model" --after 6u --dim-emb 16 \
        --bpe-merges 5 --batch-tokens 100 --accumulate 2 --valid-freq 2u --save-freq 3u --average 0 \
        --train-sets data/train.en data/train.de --valid-sets data/dev.en data/dev.de "$@"
}
train plain.gguf -q
train m.gguf --trace trace.json --trace-updates 3 2> log || fail "$(cat log)"
cmp plain.gguf m.gguf || fail 'a trace changes the model'
grep -q 'trace: written to trace.json' log || fail "log: $(cat log)"
count() { grep -c "^{\"name\": \"$1\", \"ph\": \"X\", \"pid\": 0, \"tid\": 0, \"ts\": " trace.json; }
for expected in 'update 3' 'batch 6' 'pack 6' 'forward 6' 'backward 6' 'step 3' 'validation 1'; do
    test "$(count "${expected% *}")" = "${expected#* }" ||
        fail "${expected% *}: $(count "${expected% *}"), expected ${expected#* }"
done
# Every name that a trace has is explained.
sed -n 's/^{"name": "\([a-z ]*\)", "ph": "X".*/\1/p' trace.json | sort -u > names
test -s names
while read -r name; do
    grep -q "^| \`$name\` |" "$SOURCE/doc/cluster.md" || fail "doc/cluster.md does not explain \"$name\""
done < names

# A run that ends before as many updates, and one that is over.
train m.gguf --trace short.json -q --no-resume
test "$(grep -c '"name": "update"' short.json)" = 6 || fail 'the trace of a short run'
train m.gguf --trace over.json -q
grep -q '"name": "model"' over.json || fail 'the trace of a run that is over'

if command -v python3 > /dev/null 2>&1; then
    python3 "$SOURCE/scripts/check-trace.py" trace.json short.json over.json || fail 'no good trace'
else
    echo 'no python3: the form of traces is tested by lines alone'
fi

# refuse WHAT OPTION...
refuse() {
    what=$1 rc=0
    shift
    train no.gguf "$@" > out 2> err || rc=$?
    test $rc = 2 && grep -q -- "$what" err || fail "$*: exit code $rc, $(cat err)"
    test ! -e no.gguf.ckpt || fail "$*: checkpoints"
}
refuse 'trace shows updates, and --dry-run makes none' --trace t.json --dry-run
refuse 'trace-updates counts the updates of --trace FILE' --trace-updates 3
refuse 'expected .*1..10000' --trace t.json --trace-updates 0
refuse 'both' --trace no.gguf
refuse 'same file' --trace data/train.en
rc=0
train no.gguf --trace none/t.json 2> err || rc=$?
test $rc = 1 && grep -q 'none/t.json' err || fail "no folder: $rc, $(cat err)"
