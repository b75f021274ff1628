# export.sh: `export`: the bytes of what is written, what is refused, and what stays of a folder.
# That the programs load it and compute the same is what scripts/peers/export.py checks.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 100 --dev 10 --test 8
small bpe-merges=20 dim-emb=8 transformer-dim-ffn=8 batch-tokens=250 max-length=40 after=2u
valid_on=
export_to() { "$DRAGOMAN" export "$@"; }
# bytes FILE FROM COUNT: as hexadecimal numbers.
bytes() { od -An -v -tx1 -j "$2" -N "$3" "$1" | tr -d ' \n'; echo; }
shown() {
    rc=0
    "$DRAGOMAN" export "$@" 2> err || rc=$?
    echo "$rc: $(cat err)"
    ls -d x x.* 2> /dev/null || :
}

train m.gguf --ffn-activation swish --positions marian --decoder-start pad --output-bias 1
size=$(wc -c < m.gguf)

export_to -m m.gguf -o ct2/
ls ct2
cat ct2/config.json
# Version 6, "TransformerSpec" with its NUL, revision 7, 52 variables, the first: heads, int16.
bytes ct2/model.bin 0 30
bytes ct2/model.bin 30 4
bytes ct2/model.bin 34 31
tail -c 104 ct2/model.bin | tr '\000-\037' '.'
echo
sed -n '1,6p' ct2/shared_vocabulary.json

export_to -m m.gguf --to huggingface -o hf
ls hf
cat hf/config.json hf/generation_config.json
sed -n '1,6p' hf/vocab.json
# The header is as long as the first eight bytes say, and what it says is as long as the file.
length=$(od -An -tu4 -N 4 hf/model.safetensors | tr -d ' ')
head -c $((8 + length)) hf/model.safetensors | tail -c "$length" > header
last=$(sed 's/.*data_offsets":\[[0-9]*,\([0-9]*\)\]}}.*/\1/' header)
test $((8 + length + last)) = "$(wc -c < hf/model.safetensors)"
test $((length % 8)) = 0
sed 's/},"/}\n"/g' header | grep -E 'self_attn.q|embed_pos|logits'
# One tensor's numbers: those of the model's file; it is the only one of its size in both.
at=$(sed 's/.*encoder.layers.0.fc1.weight":{"dtype":"F32","shape":\[8,8\],"data_offsets":\[\([0-9]*\),.*/\1/' header)
bytes hf/model.safetensors $((8 + length + at)) 256 > theirs
od -An -v -tx1 m.gguf | tr -d ' \n' > ours
grep -q -F -f theirs ours
# The first rows of positions: 0 0 0 0 1 1 1 1, then sin 1.
at=$(sed 's/.*encoder.embed_positions.weight":{"dtype":"F32","shape":\[1024,8\],"data_offsets":\[\([0-9]*\),.*/\1/' header)
bytes hf/model.safetensors $((8 + length + at)) 36

# Matrices in fewer bits become f32 again; separate tables and vocabularies.
train wide.gguf --dim-emb 16 --transformer-dim-ffn 16
"$DRAGOMAN" quantize wide.gguf -o q.gguf -t bf16 2> /dev/null
export_to -m wide.gguf -o wide
export_to -m q.gguf -o q
test "$(wc -c < q/model.bin)" = "$(wc -c < wide/model.bin)"
train two.gguf --tied-embeddings none
export_to -m two.gguf -o two && ls two
export_to -m two.gguf -o two.hf --to huggingface && ls two.hf
grep -a -o 'lm_head.weight\|model.[a-z]*.embed_tokens.weight\|model.shared.weight' two.hf/model.safetensors

# The layer whose first head learned links: CTranslate2 counts from 0, and -1 is the last.
alignment_layer() {
    od -An -v -tx1 "$1/model.bin" | tr -d ' \n' |
        sed 's/.*616c69676e6d656e745f6c617965720000\(0202000000....\).*/\1\n/'
}
alignment_layer wide
sed 's/.*/0-0/' data/train.en > links
train guided.gguf --dec-depth 2 --guided-alignment links --guided-alignment-layer 1
export_to -m guided.gguf -o guided
alignment_layer guided

# What comes back from Hugging Face's form: each layout of positions, and a model that gives the same scores.
head -n 4 data/test.en > source
head -n 4 data/test.de > target
for positions in marian fairseq vaswani tensor2tensor; do
    train $positions.gguf --positions $positions --bpe-merges 0
    export_to -m $positions.gguf -o $positions.hf --to huggingface
    "$DRAGOMAN" import $positions.hf -o $positions.back --tokenize none
    "$DRAGOMAN" inspect --no-tensors $positions.back | grep 'positions ='
    "$DRAGOMAN" rescore source target -q -m $positions.gguf > want
    "$DRAGOMAN" rescore source target -q -m $positions.back | cmp - want
done

# What is there stays, and is replaced by an export where it is one; names beside it are nobody's.
shown -m m.gguf -o ct2
cp -R ct2 before
mkdir ct2.new ct2.tmp-1-0
echo theirs | tee ct2.new/model.bin > ct2.tmp-1-0/config.json
export_to -m m.gguf -o ct2 --overwrite
diff -r before ct2
cat ct2.new/model.bin ct2.tmp-1-0/config.json
ls -d ct2.*
export_to -m m.gguf -o ct2 --to huggingface --overwrite
ls ct2
echo mine > ct2/notes
shown -m m.gguf -o ct2 --overwrite
cat ct2/notes
rm ct2/notes
mkdir ct2/vocab.json.d ct2.old
shown -m m.gguf -o ct2 --overwrite
rmdir ct2/vocab.json.d ct2.old
cp m.gguf ct2/model.bin
shown -m ct2/model.bin -o ct2 --overwrite
ln ct2/model.bin linked.gguf
shown -m linked.gguf -o ct2/ --overwrite
cmp m.gguf ct2/model.bin
mkdir empty
export_to -m m.gguf -o empty --overwrite
diff -r before empty
shown -m m.gguf -o m.gguf --overwrite
test "$(wc -c < m.gguf)" = "$size"
# Several to one name at a time: one folder is whole, and nothing is mixed or left.
for to in ctranslate2 huggingface ctranslate2 huggingface; do
    "$DRAGOMAN" export -m m.gguf --to $to -o mixed 2> /dev/null &
done
wait
diff -r mixed before > /dev/null || diff -r mixed hf
ls -d mixed*

train tree.gguf --syntax 'shaw(k=2)'
"$DRAGOMAN" train -q --tokenize none --bpe-merges 20 --encoder sequential --dim-emb 8 --dim-rnn 8 \
    --batch-tokens 250 --train-sets data/train.en data/train.de --after 1u -m rnn.gguf
train pre.gguf --transformer-norm pre
train free.gguf --attention-bias 0
train eps.gguf --norm-eps 1e-6
for model in tree rnn; do
    shown -m $model.gguf -o x
done
for model in pre free eps; do
    shown -m $model.gguf -o x --to huggingface
    export_to -m $model.gguf -o $model
done
grep epsilon eps/config.json
shown -m m.gguf -o x --to onnx
shown -m m.gguf
shown -o x
shown -m missing.gguf -o x
shown -m data/train.en -o x
shown -m m.gguf -o no/such/x
