#!/bin/sh
# CTranslate2's set_random_seed does not begin anew: the same seed, set before each call, gives
# another sample each time.
#
# ctranslate2 4.8.5, PyPI, seen 2026-11-28 with a model of one layer and random weights. Each worker
# thread has a generator of its own, made with the seed of the time when it first samples; a later
# set_random_seed reaches only threads that come after. Expected: equal samples. Seen: of eight
# calls on one Translator, each after set_random_seed(1), several differ.
#
# A sampled back-translation can only be made again by a new process.
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

samples = set()
for _ in range(8):
    ctranslate2.set_random_seed(1)
    r = t.translate_batch([['w1', 'w2']], beam_size=1, sampling_topk=0, max_decoding_length=6)
    samples.add(' '.join(r[0].hypotheses[0]))
print(len(samples), 'different samples of 8 with one seed')
assert len(samples) > 1
END
echo "as in $(basename "$0" .sh): still so"
