# model_outputs.sh: --model, and -o of average, replace no training text, no treebank, no model of
# somebody else, and nothing that is no regular file; translations that were cut off are kept.
test -x "$GENERATE" || { echo "no generator"; exit 77; }
exec >&2
bad=0
fail() {
    echo "failed: $*"
    bad=1
}
"$GENERATE" --seed 5 --train 40 --dev 5 --test 5 --out data > /dev/null || exit 1

# refuse WORDS COMMAND...: exit 2, with these words on standard error; no folder of checkpoints.
refuse() {
    words=$1
    shift
    rc=0
    "$@" > refused.out 2> refused.err || rc=$?
    test $rc = 2 || fail "exit $rc of: $* ($(cat refused.err))"
    grep -q -e "$words" refused.err || fail "message of $*: $(cat refused.err)"
}
train() {
    "$DRAGOMAN" train --quiet --tokenize none --bpe-merges 0 --enc-depth 1 --dec-depth 1 \
        --dim-emb 8 --transformer-dim-ffn 8 --transformer-heads 2 --batch-tokens 200 --after 2u \
        --save-freq 1u "$@"
}
text() { train --train-sets data/train.en data/train.de "$@"; }
parser() {
    "$DRAGOMAN" train-parser --quiet --dim-emb 8 --after 1u --train-sets data/train.en.conllu "$@"
}
sums() { cksum data/* other.gguf one.gguf 2> /dev/null; }

text -m one.gguf || fail "training"
cp one.gguf other.gguf
before=$(sums)

# ---- inputs --------------------------------------------------------------------------------------

for file in data/train.en data/train.de; do
    refuse '(--train-sets) and output (--model)' text -m $file
    refuse '(--train-sets)' text --overwrite -m $file
done
ln -s data/train.en soft.gguf
ln data/train.en hard.gguf
refuse 'same file' text --overwrite -m soft.gguf
refuse 'same file' text --overwrite -m hard.gguf
rm hard.gguf
refuse '(--valid-sets)' text --valid-sets data/dev.en data/dev.de --overwrite -m data/dev.en
refuse '(--train-trees)' text --train-trees data/train.en.conllu --overwrite -m data/train.en.conllu
refuse '(--parser)' text --parser other.gguf --overwrite -m other.gguf
refuse '(--codes)' text --codes data/dev.en --overwrite -m data/dev.en
echo 'lr = 0.01' > run.conf
refuse '(--config)' text --config run.conf --overwrite -m run.conf
refuse '(--train-sets)' parser -m data/train.en.conllu
refuse 'lies in' text --vocabs one.gguf.ckpt/metrics.jsonl data/dev.de -m one.gguf
refuse 'same file' "$DRAGOMAN" average -o other.gguf one.gguf other.gguf
refuse 'same file' "$DRAGOMAN" average --overwrite -o ./one.gguf one.gguf other.gguf

# ---- files of somebody else ----------------------------------------------------------------------

refuse 'without its checkpoints' text -m other.gguf
refuse 'without its checkpoints' parser -m other.gguf
refuse 'is no model' text -m data/test.en
refuse 'is no model' parser -m data/test.en
echo text > foreign.gguf
cp -r one.gguf.ckpt foreign.gguf.ckpt
refuse 'is no model' text -m foreign.gguf
test "$(cat foreign.gguf)" = text || fail "foreign.gguf was changed"
refuse 'exists' "$DRAGOMAN" average -o other.gguf one.gguf
refuse 'is no model' "$DRAGOMAN" average --overwrite -o data/test.en one.gguf
for name in other.gguf data/train.en data/test.en soft.gguf; do
    test ! -e $name.ckpt || fail "a refused run left $name.ckpt"
done
test "$before" = "$(sums)" || fail "a file was changed"

# What the run itself wrote is replaced: finished again, resumed, begun anew.
text -m one.gguf || fail "a finished run"
text -m one.gguf --after 3u || fail "a run that goes on"
cmp -s one.gguf other.gguf && fail "the model is still the old one"
text -m one.gguf --no-resume || fail "a run begun anew"
cmp one.gguf other.gguf || fail "the same run gives another model"
# --overwrite replaces a model without checkpoints, and what is no model.
text -m foreign.gguf --overwrite || fail "--overwrite of a file that is no model"
cmp one.gguf foreign.gguf || fail "another model"
cp one.gguf copy.gguf
text -m copy.gguf --overwrite --seed 2 || fail "--overwrite of a model"

# ---- links, devices, folders ---------------------------------------------------------------------

mkdir place
ln -s place/real.gguf link.gguf
text -m link.gguf || fail "a link"
test -h link.gguf || fail "the link was replaced by the model"
cmp one.gguf place/real.gguf || fail "the model is not at the link's end"
text -m link.gguf || fail "a link again"
test -h link.gguf || fail "the link was replaced by the model"
mkfifo pipe.gguf
# A device of our own: root would lose the system's to a mistake.
null=pipe.gguf
if mknod null.gguf c 1 3 2> /dev/null; then null=null.gguf; fi
refuse 'regular file' text --overwrite -m pipe.gguf
refuse 'regular file' text --overwrite -m $null
refuse 'regular file' text -m -
refuse 'a folder' text -m place
refuse 'regular file' "$DRAGOMAN" average -o $null one.gguf --overwrite
test ! -f $null || fail "a device was replaced"
test -p pipe.gguf || fail "a pipe was replaced"
test ! -e pipe.gguf.ckpt || fail "a refused run left a folder"
chmod 640 other.gguf
"$DRAGOMAN" average --overwrite -o other.gguf one.gguf.ckpt/update-*.gguf || fail "average --overwrite"
ls -l other.gguf | grep -q '^-rw-r-----' || fail "the mode of the old model is lost"

# ---- what takes hours is kept ----------------------------------------------------------------------

translate() { "$DRAGOMAN" translate -q -m one.gguf --maxi-batch 2 -b 1 "$@"; }
translate -i data/test.en -o whole || fail "translate"
test ! -e whole.part || fail "a part of what is whole"
echo old > out
if gzip -c < data/train.en > all.gz 2> /dev/null && "$DRAGOMAN" tok -i all.gz > /dev/null 2>&1; then
    head -c 700 all.gz > cut.gz
    rc=0
    "$DRAGOMAN" translate -m one.gguf --maxi-batch 2 -b 1 -i cut.gz -o out 2> err || rc=$?
    test $rc = 3 || fail "a cut gzip file: exit $rc"
    grep -q 'is in .*out.part' err || fail "no word of the part: $(cat err)"
    test "$(cat out)" = old || fail "a failed translation replaced its output"
    lines=$(wc -l < out.part)
    test "$lines" -gt 0 || fail "nothing was kept"
    translate -i data/train.en | head -n $lines | cmp - out.part || fail "the part is another text"
    cp out.part kept
    "$DRAGOMAN" translate -m one.gguf -b 1 -i data/test.en -o out 2> err || fail "over a part"
    grep -q 'is now in out.part.old' err || fail "no word of the old part: $(cat err)"
    cmp kept out.part.old || fail "an old part was lost"
    test ! -e out.part || fail "a part of what is whole"
fi
: > out.part # nobody's work
translate -i data/test.en -o out || fail "over an empty part"
cmp out whole || fail "another translation"
test ! -e out.part || fail "a part is left"
# Killed: what was translated so far is there.
mkfifo pipe
"$DRAGOMAN" translate -q -m one.gguf --maxi-batch 2 -b 1 -o out < pipe &
pid=$!
exec 3> pipe
head -n 4 data/train.en >&3
while test ! -s out.part && kill -0 $pid; do sleep 0.1; done
kill -9 $pid
wait $pid 2> /dev/null
exec 3>&-
cmp out whole || fail "a killed translation replaced its output"
test -s out.part || fail "a killed translation left nothing"

# ---- five gigabytes with a valid head; tests/tensor/gguf/test_gguf.c counts the bytes that are read ----------

cp one.gguf five.gguf
if truncate -s 5G five.gguf 2> /dev/null; then
    for command in translate inspect; do
        test $command = translate && set -- translate -m five.gguf || set -- inspect five.gguf
        rc=0
        "$DRAGOMAN" "$@" < /dev/null > /dev/null 2> err || rc=$?
        test $rc = 4 || fail "five gigabytes, $command: exit $rc ($(cat err))"
        grep -q 'bytes follow the last tensor' err || fail "$(cat err)"
    done
    truncate -s 5G one.gguf.ckpt/update-00000002.gguf
    rm -f one.gguf
    text -m one.gguf 2> err || fail "a checkpoint of five gigabytes: $(cat err)"
fi
exit $bad
