# import_settings.sh: settings of other programs that are not known to be harmless are refused by their
# names, in each kind of configuration; languages are those of the folder's own tokenizer.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
from="$SOURCE/tests/cli/model/import"
import() { "$DRAGOMAN" import "$@"; }
# folder KIND: a copy of such a model, in `model`.
folder() {
    rm -rf model
    cp -r "$from/$1" model
    chmod -R u+w model
}
# with SETTING...: settings of JSON come in front of those that stand there.
with() {
    list=$(printf '%s, ' "$@")
    sed "1s/{/{ $list/" "$from/$kind/config.json" > model/config.json
}
plan() { import model --dry-run > plan 2> note || { cat note; exit 1; }; test ! -s note || { cat note; exit 1; }; }

for kind in hf-marian hf-m2m100 fairseq opennmt; do
    folder $kind
    for setting in '"rotary": true' '"quantization_config": { "bits": 4 }' '"use_rms_norm": false' \
        '"new_trick": 0' '"attention_bias": [1]'; do
        name=${setting#?} name=${name%%\"*}
        with "$setting"
        ends 4 "config.json.*not known, and may change what the network computes: $name;" \
            import model -o x.gguf
    done
    with '"layer_norm_eps": 1e-12'
    ends 4 'layer_norm_eps' import model -o x.gguf
    with '"rotary": true' '"use_rms_norm": true'
    ends 4 'computes: rotary, use_rms_norm;' import model -o x.gguf
    with '"rotary": null' # as if it did not stand there
    import model --dry-run > plan
done

# Marian's: four bytes of the name of a setting, and the checksum at both ends of the archive.
folder marian
printf 'smrt' | dd of=model/model.npz bs=1 seek=31836 conv=notrunc 2> /dev/null
for place in 31651 35682; do
    printf '\013\167\150\104' | dd of=model/model.npz bs=1 seek=$place conv=notrunc 2> /dev/null
done
briefly 4 'special:model.yml.*not known.*: smrt-train-type-embeddings;' import model -o x.gguf

# What the configurations of published models have of training, search and book-keeping.
kind=hf-marian
folder $kind
with '"_name_or_path": "opus-mt"' '"_num_labels": 3' '"add_bias_logits": false' \
    '"add_final_layer_norm": false' '"bad_words_ids": [[69]]' '"classif_dropout": 0.0' \
    '"classifier_dropout": 0.0' '"extra_pos_embeddings": 70' '"gradient_checkpointing": false' \
    '"force_bos_token_to_be_generated": false' '"id2label": { "0": "LABEL_0" }' \
    '"label2id": { "LABEL_0": 0 }' '"max_length": 512' '"normalize_before": false' \
    '"normalize_embedding": false' '"num_beams": 6' '"num_hidden_layers": 6' \
    '"static_position_embeddings": true' '"torch_dtype": "float16"' '"pruned_heads": {}' \
    '"tie_encoder_decoder": false' '"cross_attention_hidden_size": null' '"top_k": 50' \
    '"suppress_tokens": null' '"layer_norm_eps": 1e-05'
plan
kind=hf-m2m100
folder $kind
with '"_name_or_path": "m2m"' '"early_stopping": true' '"gradient_checkpointing": false' \
    '"max_length": 200' '"num_beams": 5' '"num_hidden_layers": 12' \
    '"tokenizer_class": "M2M100Tokenizer"' '"torch_dtype": "float32"'
import model --dry-run > plan

# Languages.
# languages SOURCE TARGET: those of the plan.
languages() {
    import model --dry-run "$@" > plan 2> note
    sed -n 's/^\(source\|target\)-lang = //p' plan | paste -s -d ' '
}
folder hf-marian
test "$(languages)" = 'en de'
echo '{ "source_lang": "fra", "target_lang": "es", "model_max_length": 512 }' > model/tokenizer_config.json
test "$(languages)" = 'fr es'
test "$(languages -s it)" = 'it es'
test "$(languages -s it -t nl)" = 'it nl'
import model -o fr-es.gguf
"$DRAGOMAN" inspect fr-es.gguf > shown
grep -q '^ *language *fr.*es\|source-lang *= *fr' shown || { cat shown; exit 1; }
echo '{ "src_lang": "eng_Latn", "tgt_lang": "zho_Hans" }' > model/tokenizer_config.json
test "$(languages)" = 'en zho'
echo '{ "src_lang": "pt_BR", "tgt_lang": null }' > model/tokenizer_config.json
test "$(languages)" = 'pt de'
echo '{ "source_lang": "en", "target_lang": "ROMANCE" }' > model/tokenizer_config.json
test "$(languages)" = 'en de'
grep -q 'note.*target_lang is "ROMANCE", which is no language; --target-lang names one' note
echo '{ "source_lang": ' > model/tokenizer_config.json
briefly 3 'tokenizer_config.json' import model -o x.gguf
# So do the other kinds.
for kind in hf-m2m100 marian fairseq opennmt; do
    folder $kind
    echo '{ "source_lang": "nl", "tgt_lang": "it" }' > model/tokenizer_config.json
    test "$(languages)" = 'nl it' || fail $kind
done
