#!/bin/sh
# transformers 5 knows no language of NLLB in a folder that has sentencepiece.bpe.model alone: each source
# begins with <unk> in place of its language, and nothing is said.
#
# transformers 5.24.0 beside 4.57.1, PyPI, seen 2026-11-28 with a model of SentencePiece made here. The same
# folder, NllbTokenizer.from_pretrained. Expected: the 202 codes of NLLB behind the pieces, as 4.57.1 has
# them. Seen: 5.24.0 has none, and eng_Latn, the default source, becomes <unk>. (4.57.1 puts <mask> in front
# of the codes; the published models have it behind them, by their tokenizer.json.)
#
# Who converts or moves a model and leaves tokenizer.json behind trains and translates without a language.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for version in 4.57.1 5.24.0; do
    python3 -m venv "$dir/$version"
    "$dir/$version/bin/pip" install -q --disable-pip-version-check "transformers==$version" sentencepiece==0.2.1 protobuf==6.33.1 tiktoken==0.12.0
done
cd "$dir"
mkdir model
5.24.0/bin/python - <<'END'
import sentencepiece
with open("text", "w") as out:
    out.writelines(f"the {a} dog sees a {b} cat .\n" for a in "red black old small".split() for b in "grey white young".split())
sentencepiece.SentencePieceTrainer.train(input="text", model_prefix="m", model_type="bpe", vocab_size=60, minloglevel=2,
                                         hard_vocab_limit=False)
END
mv m.model model/sentencepiece.bpe.model
cat > show.py <<'END'
import transformers
from transformers import NllbTokenizer
t = NllbTokenizer.from_pretrained("model")
pieces = t.convert_tokens_to_ids("<mask>")
print(transformers.__version__, "tokens behind <mask>:", len(t) - pieces - 1, "eng_Latn:", t.convert_tokens_to_ids("eng_Latn"),
      "unk:", t.unk_token_id, "the old dog:", t("the old dog").input_ids[0])
END
4.57.1/bin/python show.py > seen 2> /dev/null
5.24.0/bin/python show.py >> seen 2> /dev/null
cat seen
grep -q '^4.57.1 tokens behind <mask>: 202 ' seen
grep -q '^5.24.0 tokens behind <mask>: 0 eng_Latn: 3 unk: 3 the old dog: 3$' seen
echo "as in $(basename "$0" .sh): still so"
