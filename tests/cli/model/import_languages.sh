# import_languages.sh: tags of languages, in each way in which versions of transformers write them; NLLB-200, whose pieces are
# those of sentencepiece.bpe.model in fairseq's numbers: the network of tests/cli/model/import/hf-m2m100 under such files
# translates as it does under its own.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
from="$SOURCE/tests/cli/model/import"
translate() { "$DRAGOMAN" translate -q -m m.gguf -b 1 --penalty fairseq -n 1 --allow-empty --allow-unk "$@" < "$from/lines"; }
# folder [FILE...]: a copy, without these.
folder() {
    rm -rf model
    cp -r "$from/hf-m2m100" model
    chmod -R u+w model
    for file in "$@"; do rm "model/$file"; done
}
# same SOURCE TARGET: what is imported translates as the original.
same() {
    "$DRAGOMAN" import model -o m.gguf --overwrite 2> note || fail "$(cat note)"
    translate --tag "<$1>" --target-tag "<$2>" | cmp - want || fail "$1, $2: other translations"
}
folder
"$DRAGOMAN" import model -o m.gguf 2> note
translate --tag '<en>' --target-tag '<de>' > want
size=$(grep -o '": [0-9]*' model/vocab.json | wc -l | tr -d ' ')

# M2M-100, without the file of special tokens.
folder special_tokens_map.json
printf '{"__de__": %d, "__en__": %d, "__fr__": %d}' "$size" $((size + 1)) $((size + 2)) > model/added_tokens.json
same en de
rm model/added_tokens.json
described='"lstrip": false, "normalized": true, "special": true'
printf '{"added_tokens_decoder": {"0": {"content": "<s>", %s}, "%d": {"content": "__de__", %s}, "%d": {%s, "content": "__en__"},
    "%d": {"content": "__fr__"}}, "src_lang": "en", "tgt_lang": null}' \
    "$described" "$size" "$described" $((size + 1)) "$described" $((size + 2)) > model/tokenizer_config.json
same en de
echo '{"language_codes": "wmt21"}' > model/tokenizer_config.json
refuse 3 "$((size + 8)) tokens for embeddings of $((size + 5)) rows" import model -o no.gguf
echo '{"language_codes": "none"}' > model/tokenizer_config.json
refuse 4 'tokenizer_config.json: error: language_codes is "none"; expected m2m100 or wmt21' import model -o no.gguf
echo '{"added_tokens_decoder": {"x": {"content": "__de__"}}}' > model/tokenizer_config.json
refuse 3 'expected the number of a token as a name' import model -o no.gguf
echo '{}' > model/tokenizer_config.json
"$DRAGOMAN" import model --dry-run 2> note > /dev/null
grep -q 'the model has no tags of them' note || fail "no word on tags: $(cat note)"

# NLLB-200: the list of a tokenizer, or its numbers.
folder special_tokens_map.json vocab.json
echo '{"tokenizer_class": "NllbTokenizer", "extra_special_tokens": ["deu_Latn", "eng_Latn", "fra_Latn"], "legacy_behaviour": false,
    "src_lang": "eng_Latn", "tgt_lang": null}' > model/tokenizer_config.json
same eng_Latn deu_Latn
grep -q 'the model has tags of 3 languages: from <deu_Latn>' note || fail "no word on tags: $(cat note)"
sed 's/^/>>deu_Latn<< /' "$from/lines" | "$DRAGOMAN" translate -q -m m.gguf -b 1 --penalty fairseq -n 1 --allow-empty --allow-unk \
    --tag '<eng_Latn>' | cmp - want || fail 'a tag in front of a line'
printf '{"version": "1.0", "added_tokens": [{"id": %d, "content": "eng_Latn"}, {"id": 0, "content": "<s>", "special": true},
    {"id": %d, "content": "deu_Latn", "special": true}, {"id": %d, "content": "<mask>"}], "model": {"type": "BPE", "merges": [["a", "b"]]}}' \
    $((size + 1)) "$size" $((size + 2)) > model/tokenizer.json
same eng_Latn deu_Latn
sed 's/"legacy_behaviour": false/"legacy_behaviour": true/' model/tokenizer_config.json > config
cp config model/tokenizer_config.json
refuse 4 'legacy_behaviour is true: languages stand behind the end of a source' import model -o no.gguf
rm model/sentencepiece.bpe.model
refuse 4 'no vocab.json (M2M-100) and no sentencepiece.bpe.model (NLLB-200) here' import model -o no.gguf
test ! -e no.gguf
