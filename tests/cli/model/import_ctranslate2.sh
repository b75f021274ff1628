# import_ctranslate2.sh: model.bin of CTranslate2: what export writes comes back with the same scores; the real model of its own
# tests, float32 and int8, translates as it does there; damaged files, and networks that ours cannot be, are refused.
# That other types of numbers and forms give its log-probabilities is what scripts/peers/import_ctranslate2.py checks.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 100 --dev 10 --test 8
small bpe-merges=0 dim-emb=8 transformer-dim-ffn=8 batch-tokens=250 max-length=40 after=2u
valid_on=
head -n 4 data/test.en > source
head -n 4 data/test.de > target

# back NAME OPTION...: a model, exported and imported again, scores alike.
back() {
    name=$1
    shift
    train $name.gguf "$@"
    "$DRAGOMAN" export -m $name.gguf -o $name
    "$DRAGOMAN" import $name -o $name.back
    "$DRAGOMAN" rescore source target -q -m $name.gguf > want
    "$DRAGOMAN" rescore source target -q -m $name.back | cmp - want || fail "$name: other scores"
}
back plain
back start --decoder-start pad --output-bias 1 --ffn-activation swish --positions marian
back first --decoder-start bos --ffn-activation gelu --positions vaswani --norm-eps 1e-6
back pre --transformer-norm pre --tied-embeddings decoder --embedding-scale one --positions tensor2tensor
back bare --tied-embeddings none --attention-bias 0 --enc-depth 3 --positions opennmt-tf --dim-emb 12 --transformer-heads 3
back without --source-end 0 --decoder-start bos
grep -q '"add_source_eos": false' without/config.json || fail 'an end that nobody reads'
"$DRAGOMAN" inspect --no-tensors without.back | grep -q 'source-end = 0' || fail 'an end that nobody learned'
"$DRAGOMAN" inspect --no-tensors bare.back | grep -q 'positions = opennmt-tf' || fail 'other positions'
refuse 1 'a model with --source-end 0, which MarianMTModel does not have; expected 1' export -m without.gguf --to huggingface -o no

# A folder of Argos Translate has it one below; the plan says which rows of a matrix go where.
mkdir argos
mv plain argos/model
"$DRAGOMAN" import argos --dry-run > plan
grep -q '^encoder/layer_0/self_attention/linear_0/weight float32 (24, 8) -> encoder.layers.0.self_attn.k_proj.weight (8, 8), part 2 of 3$' plan ||
    fail "no parts: $(grep linear_0 plan)"
"$DRAGOMAN" import argos --from ctranslate2 -o argos.gguf
cmp argos.gguf plain.back

# ---- what is refused --------------------------------------------------------------------------------------

model=argos/model/model.bin
cp $model whole
size=$(wc -c < whole)
for bytes in 5 12 24 60 300 $((size / 2)) $((size - 90)) $((size - 1)); do
    head -c $bytes whole > $model
    refuse 4 "model.bin:@0x[0-9A-F]*: error: .*expected" import argos -o no.gguf
done
{ cat whole; echo; } > $model
refuse 4 'behind the last variable; expected the end' import argos -o no.gguf
# put PATTERN REPLACEMENT: in the file, of the same length, as perl has no place here.
put() { LC_ALL=C sed "s/$1/$2/" whole > $model; }
put TransformerSpec WhisperSpecific
refuse 4 'WhisperSpecific, revision 7, which no network of ours is' import argos -o no.gguf
put 'ffn.linear_1.bias' 'ffn.linear_1.bial'
refuse 4 'tensor "encoder/layer_0/ffn/linear_1/bias" is missing' import argos -o no.gguf
put 'decoder.alignment_layer' 'decoder\/alignment_later'
refuse 4 'alignment_later" () has no place in such a network' import argos -o no.gguf
cp whole $model
sed 's/"add_source_bos": false/"add_source_bos": true/' argos/model/config.json > config
mv argos/model/config.json kept
cp config argos/model/config.json
refuse 4 'add_source_bos is "true", which no network of ours has; expected false' import argos -o no.gguf
sed 's/"add_source_eos": true/"add_source_eos": false/' kept > argos/model/config.json
refuse 4 'ends and tags of languages, which nothing here names' import argos -o no.gguf
sed 's/"eos_token"/"rotary": 2, "eos_token"/' kept > argos/model/config.json
refuse 4 'may change what the network computes: rotary' import argos -o no.gguf
cp kept argos/model/config.json
rm argos/model/shared_vocabulary.json
refuse 4 'no source_vocabulary.json or .txt beside it' import argos -o no.gguf
# A package that is still an archive, stored (its first entry is a folder): what to do is said.
printf 'PK\003\004\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\002\0\0\0p/PK\001\002\n\0\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\002\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0p/PK\005\006\0\0\0\0\001\0\001\0\060\0\0\0\040\0\0\0\0\0' > p.argosmodel
refuse 4 'an archive of folders, not of arrays; expected what it holds, unpacked' import p.argosmodel -o no.gguf
refuse 2 'this is a model of ctranslate2' import argos --from marian -o no.gguf
test ! -e no.gguf

# ---- the real one -----------------------------------------------------------------------------------------

real=$SOURCE/../shared/data/ct2-aren
test -d "$real" || exit 0
printf 'م ح م د\nف ا ط م ة\nع ب د ا ل ل ه\nا ل ق ا ه ر ة\n' > words
for kind in f32 i8; do
    "$DRAGOMAN" import "$real/$kind" -o $kind.gguf -s ar -t en
    "$DRAGOMAN" translate -q -m $kind.gguf -i words --beam-size 1 > $kind.out
done
# CTranslate2 4.8.1, beam_size=1, compute_type="float32".
printf 'm a h m a d\nf a t m a\na b d a l\nq a h r a\n' | cmp - f32.out
printf 'm a h m a d\nf a t m a\na b d a l\nq a h r a h a\n' | cmp - i8.out
