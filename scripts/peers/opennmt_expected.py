"""opennmt_expected.py: what the network of tests/cli/model/import/opennmt computes, by CTranslate2.

    opennmt_expected.py FOLDER LINES

Takes the model in FOLDER as CTranslate2's own converter takes a checkpoint of OpenNMT-py (no end of
the source, <s> first), and writes into it expected.scores, the log-probabilities of the reversed
LINES as translations of LINES, and expected.1 and expected.5, translations by greedy search and by a
beam of 5 ("*" where the limit of length, two tokens for one and ten more, cut one, or padding is in it). Wants
ctranslate2, numpy, safetensors and sentencepiece.
"""
import argparse
import json
import os
import sys
import tempfile

import ctranslate2
import sentencepiece
from ctranslate2.converters import opennmt_py
from safetensors.numpy import load_file


def convert(folder, out):
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        options = argparse.Namespace(**json.load(file))
    vocabularies = []
    for side in ("source", "target"):
        with open(os.path.join(folder, f"vocab.{side}.txt"), encoding="utf-8") as file:
            vocabularies.append([[line.rstrip("\n") for line in file]])
    spec = opennmt_py._get_model_spec_seq2seq(
        options, load_file(os.path.join(folder, "model.safetensors")), *vocabularies, 1)
    spec.config.layer_norm_epsilon = 1e-6  # as the converter sets it for what has no norm_eps
    spec.validate()
    spec.optimize()
    spec.save(out)


def main():
    folder, lines = sys.argv[1], [line.rstrip("\n") for line in open(sys.argv[2], encoding="utf-8")]
    spm = sentencepiece.SentencePieceProcessor(model_file=os.path.join(folder, "sentencepiece.bpe.model"))
    sources = [spm.encode(line, out_type=str) for line in lines]
    with tempfile.TemporaryDirectory() as out:
        convert(folder, out)
        translator = ctranslate2.Translator(out, compute_type="float32")

    def write(name, texts):
        with open(os.path.join(folder, f"expected.{name}"), "w", encoding="utf-8") as file:
            file.writelines(f"{text}\n" for text in texts)

    write("scores", [f"{sum(scored.log_probs):.6f}"
                     for scored in translator.score_batch(sources, sources[::-1])])
    for beam in (1, 5):
        texts = []
        for source in sources:
            limit = 2 * len(source) + 10
            # Its own way to leave a token out changes the probabilities of the others, which a beam notices.
            found = translator.translate_batch(
                [source], beam_size=beam, length_penalty=1, min_decoding_length=0, max_decoding_length=limit,
                suppress_sequences=[["<blank>"]] if beam == 1 else None)[0].hypotheses[0]
            pieces = [piece for piece in found if piece != "<s>"]
            texts.append("*" if len(found) >= limit or "<blank>" in found else spm.decode(pieces).replace("\n", " "))
        write(beam, texts)


main()
