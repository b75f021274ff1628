# model_outputs.sh: --model, and -o of average, replace no training text, no treebank, no model of
# somebody else, and nothing that is no regular file; translations that were cut off are kept.
. "$SOURCE/tests/support/shell/lib.sh"
bad=0
# wrong WORDS: it is told, and the test goes on.
wrong() {
    echo "failed: $*"
    bad=1
}
generate data --seed 5 --train 40 --dev 5 --test 5

small bpe-merges=0 dim-emb=8 transformer-dim-ffn=8 batch-tokens=200 after=2u save-freq=1u
valid_on=
text() { (start "$@" --quiet); }
trees() { "$DRAGOMAN" train-parser --quiet --dim-emb 8 --after 1u --train-sets data/train.en.conllu "$@"; }
sums() { cksum data/* other.gguf one.gguf 2> /dev/null; }

text one.gguf || wrong "training"
cp one.gguf other.gguf
before=$(sums)

# ---- inputs --------------------------------------------------------------------------------------

for file in data/train.en data/train.de; do
    ends 2 '(--train-sets) and output (--model)' text $file
    ends 2 '(--train-sets)' text $file --overwrite
done
ln -s data/train.en soft.gguf
ln data/train.en hard.gguf
ends 2 'same file' text soft.gguf --overwrite
ends 2 'same file' text hard.gguf --overwrite
rm hard.gguf
ends 2 '(--valid-sets)' text data/dev.en --valid-sets data/dev.en data/dev.de --overwrite
ends 2 '(--train-trees)' text data/train.en.conllu --train-trees data/train.en.conllu --overwrite
ends 2 '(--parser)' text other.gguf --parser other.gguf --overwrite
ends 2 '(--codes)' text data/dev.en --codes data/dev.en --overwrite
echo 'lr = 0.01' > run.conf
ends 2 '(--config)' text run.conf --config run.conf --overwrite
ends 2 '(--train-sets)' trees -m data/train.en.conllu
ends 2 'lies in' text one.gguf --vocabs one.gguf.ckpt/metrics.jsonl data/dev.de
refuse 2 'same file' average -o other.gguf one.gguf other.gguf
refuse 2 'same file' average --overwrite -o ./one.gguf one.gguf other.gguf

# ---- files of somebody else ----------------------------------------------------------------------

ends 2 'without its checkpoints' text other.gguf
ends 2 'without its checkpoints' trees -m other.gguf
ends 2 'is no model' text data/test.en
ends 2 'is no model' trees -m data/test.en
echo text > foreign.gguf
cp -r one.gguf.ckpt foreign.gguf.ckpt
ends 2 'is no model' text foreign.gguf
test "$(cat foreign.gguf)" = text || wrong "foreign.gguf was changed"
refuse 2 'exists' average -o other.gguf one.gguf
refuse 2 'is no model' average --overwrite -o data/test.en one.gguf
# Texts replace no model.
spares() { refuse 2 'other.gguf: .*is a model and would be replaced' "$@"; }
spares translate -m one.gguf -i data/test.en -o other.gguf
spares translate -m one.gguf -i data/test.en -o x --alignment other.gguf
spares translate -m one.gguf -i data/test.en -o x --attention other.gguf
spares rescore data/test.en data/test.de -m one.gguf -o other.gguf
spares inspect one.gguf -o other.gguf
spares draw training one.gguf -o other.gguf
spares shortlist -m one.gguf -t data/train.en data/train.de -o other.gguf
for name in other.gguf data/train.en data/test.en soft.gguf; do
    test ! -e $name.ckpt || wrong "a refused run left $name.ckpt"
done
test "$before" = "$(sums)" || wrong "a file was changed"

# What the run itself wrote is replaced: finished again, resumed, begun anew.
text one.gguf || wrong "a finished run"
text one.gguf --after 3u || wrong "a run that goes on"
cmp -s one.gguf other.gguf && wrong "the model is still the old one"
text one.gguf --no-resume || wrong "a run begun anew"
cmp one.gguf other.gguf || wrong "the same run gives another model"
# --overwrite replaces a model without checkpoints, and what is no model.
text foreign.gguf --overwrite || wrong "--overwrite of a file that is no model"
cmp one.gguf foreign.gguf || wrong "another model"
cp one.gguf copy.gguf
text copy.gguf --overwrite --seed 2 || wrong "--overwrite of a model"

# ---- links, devices, folders ---------------------------------------------------------------------

mkdir place
ln -s place/real.gguf link.gguf
text link.gguf || wrong "a link"
test -h link.gguf || wrong "the link was replaced by the model"
cmp one.gguf place/real.gguf || wrong "the model is not at the link's end"
text link.gguf || wrong "a link again"
test -h link.gguf || wrong "the link was replaced by the model"
mkfifo pipe.gguf
# A device of our own: root would lose the system's to a mistake.
null=pipe.gguf
if mknod null.gguf c 1 3 2> /dev/null; then null=null.gguf; fi
ends 2 'regular file' text pipe.gguf --overwrite
ends 2 'regular file' text $null --overwrite
ends 2 'regular file' text -
ends 2 'a folder' text place
refuse 2 'regular file' average -o $null one.gguf --overwrite
test ! -f $null || wrong "a device was replaced"
test -p pipe.gguf || wrong "a pipe was replaced"
test ! -e pipe.gguf.ckpt || wrong "a refused run left a folder"
chmod 640 other.gguf
"$DRAGOMAN" average --overwrite -o other.gguf one.gguf.ckpt/update-*.gguf || wrong "average --overwrite"
ls -l other.gguf | grep -q '^-rw-r-----' || wrong "the mode of the old model is lost"

# ---- what takes hours is kept ----------------------------------------------------------------------

translate() { "$DRAGOMAN" translate -q -m one.gguf --maxi-batch 2 -b 1 "$@"; }
translate -i data/test.en -o whole || wrong "translate"
test ! -e whole.part || wrong "a part of what is whole"
echo old > out
if gzip -c < data/train.en > all.gz 2> /dev/null && "$DRAGOMAN" tok -i all.gz > /dev/null 2>&1; then
    head -c 700 all.gz > cut.gz
    rc=0
    translate -i cut.gz -o out 2> err || rc=$?
    test $rc = 3 || wrong "a cut gzip file: exit $rc"
    grep -q 'is in .*out.part' err || wrong "no word of the part: $(cat err)"
    test "$(cat out)" = old || wrong "a failed translation replaced its output"
    lines=$(wc -l < out.part)
    test "$lines" -gt 0 || wrong "nothing was kept"
    translate -i data/train.en | head -n $lines | cmp - out.part || wrong "the part is another text"
    cp out.part kept
    translate -i data/test.en -o out 2> err || wrong "over a part"
    test "$(wc -l < err)" = 1 || wrong "--quiet says more: $(cat err)"
    grep -q 'is now in out.part.old' err || wrong "no word of the old part: $(cat err)"
    cmp kept out.part.old || wrong "an old part was lost"
    test ! -e out.part || wrong "a part of what is whole"
fi
: > out.part # nobody's work
translate -i data/test.en -o out || wrong "over an empty part"
cmp out whole || wrong "another translation"
test ! -e out.part || wrong "a part is left"
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
cmp out whole || wrong "a killed translation replaced its output"
test -s out.part || wrong "a killed translation left nothing"

exit $bad
