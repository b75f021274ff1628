#!/bin/sh
# CTranslate2's scores of found translations are not those that score_batch gives the same tokens.
#
# ctranslate2 4.8.5, PyPI, seen 2026-11-28 with a model of one layer and random weights. Expected: with
# length_penalty=0 the score of a hypothesis is its log-probability. Seen: it is larger by -log(1 - p), where p
# is the probability of </s> as the first token: min_decoding_length is 1 unless given, </s> is taken out
# before the softmax of the first step, and the rest is renormalised. With min_decoding_length=0 both agree.
#
# Confidences, n-best lists that are rescored, and comparisons between programs are off by that, a constant
# of the source: large where a model wavers between nothing and something.
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

source = ['w1', 'w2', 'w3']
def found(**more):
    r = t.translate_batch([source], beam_size=1, length_penalty=0, max_decoding_length=4, return_scores=True,
                          **more)[0]
    return r.hypotheses[0], r.scores[0]
def forced(tokens):
    return sum(t.score_batch([source], [tokens])[0].log_probs)
def first_end():
    return numpy.exp(t.score_batch([source], [['</s>']])[0].log_probs[0])
tokens, score = found()
ended = len(tokens) < 4 # else </s> is not in the score
want = forced(tokens) if ended else sum(t.score_batch([source], [tokens])[0].log_probs[:4])
free, free_score = found(min_decoding_length=0)
print('found %.6f, forced %.6f, apart %.6f; -log(1 - p(</s>)) is %.6f' % (score, want, score - want, -numpy.log(1 - first_end())))
assert abs(score - want + numpy.log(1 - first_end())) < 1e-4 and score - want > 1e-3
if free == tokens:
    print('with min_decoding_length=0: %.6f' % free_score)
    assert abs(free_score - want) < 1e-4
END
echo "as in $(basename "$0" .sh): still so"
