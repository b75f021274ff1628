#!/bin/sh
# CTranslate2 translates and scores the first 1,024 tokens of a line and does not tell that there
# were more.
#
# ctranslate2 4.8.5, PyPI, seen 2026-11-28 with a model of one layer and random weights.
# max_input_length is 1024 unless given. Expected: a warning, or an error as from a model with too
# few positions. Seen: 500 tokens more behind 1,024 change nothing in the score, their attention is
# zero, and score_batch returns 1,024 log-probabilities for a target of 1,100 tokens; with
# max_input_length=0 the score differs.
#
# Whole documents lose their ends; a rescored n-best list of long lines is scored by their heads.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check ctranslate2==4.8.5 numpy==2.4.6
cd "$dir"
PATH=$dir/venv/bin:$PATH
python - <<'END'
import os
import numpy, ctranslate2
from ctranslate2.specs import TransformerSpec

words, width, inner = ['<unk>', '<s>', '</s>'] + ['w%d' % i for i in range(17)], 8, 16
random = numpy.random.RandomState(0)
def matrix(*shape):
    return (random.randn(*shape) * 0.5).astype('float32')
def norm(n):
    n.gamma, n.beta = numpy.ones(width, 'float32'), numpy.zeros(width, 'float32')
def linear(l, rows, columns):
    l.weight, l.bias = matrix(rows, columns), numpy.zeros(rows, 'float32')
spec = TransformerSpec.from_config((1, 1), 2)
for part in (spec.encoder, spec.decoder):
    embeddings = part.embeddings
    first = embeddings[0] if isinstance(embeddings, list) else embeddings
    first.weight = matrix(len(words), width)
    part.position_encodings.encodings = numpy.zeros((2000, width), 'float32')
    norm(part.layer_norm)
    layer = part.layer[0]
    norm(layer.self_attention.layer_norm)
    linear(layer.self_attention.linear[0], 3 * width, width)
    linear(layer.self_attention.linear[1], width, width)
    if part is spec.decoder:
        norm(layer.attention.layer_norm)
        for l, rows in zip(layer.attention.linear, (width, 2 * width, width)):
            linear(l, rows, width)
    norm(layer.ffn.layer_norm)
    linear(layer.ffn.linear_0, inner, width)
    linear(layer.ffn.linear_1, width, inner)
linear(spec.decoder.projection, len(words), width)
spec.register_source_vocabulary(words)
spec.register_target_vocabulary(words)
spec.validate()
os.mkdir('model')
spec.save('model')
t = ctranslate2.Translator('model')

line = ['w%d' % (i % 17) for i in range(1024)]
def score(tokens, **more):
    r = t.translate_batch([tokens], max_decoding_length=5, return_scores=True,
                          return_attention=True, **more)[0]
    return r.scores[0], r.attention[0][0]
short, longer = score(line), score(line + ['w3'] * 500)
whole = score(line + ['w3'] * 500, max_input_length=0)
print('score of 1024 tokens %.6f, of 1524 %.6f, of 1524 read whole %.6f' %
      (short[0], longer[0], whole[0]))
assert short[0] == longer[0] != whole[0] and sum(longer[1][1024:]) == 0
scored = len(t.score_batch([['w1']], [['w%d' % (i % 17) for i in range(1100)]])[0].log_probs)
print('log-probabilities of a target of 1100 tokens:', scored)
assert scored == 1024
END
echo "as in $(basename "$0" .sh): still so"
