# trace.sh: --trace writes a timeline of the first updates: JSON of complete events that nest; none of
# it changes what is trained.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 60 --dev 5 --test 5
demo transformer-dim-ffn=128 bpe-merges=5 batch-tokens=100 accumulate=2 after=6u valid-freq=2u save-freq=3u
train plain.gguf -q
train m.gguf --trace trace.json --trace-updates 3
cmp plain.gguf m.gguf || fail 'a trace changes the model'
said 'trace: written to trace.json'
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

untrained 2 'trace with --dry-run, which makes no updates' --trace t.json --dry-run
untrained 2 'trace-updates goes with --trace, which is not given' --trace-updates 3
untrained 2 'expected .*1..10000' --trace t.json --trace-updates 0
# A timeline takes the place of a timeline alone; the refusal comes before any text is read.
for file in plain.gguf data/test.en names; do
    cp $file before
    ends 2 'is no timeline of --trace' start m.gguf --train-sets none none --trace $file
    cmp $file before || fail "--trace replaced $file"
done
train m.gguf --trace over.json -q
untrained 2 'both' --trace x.gguf
untrained 2 'same file' --trace data/train.en
untrained 1 'none/t.json' --trace none/t.json
