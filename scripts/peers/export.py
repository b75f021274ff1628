#!/usr/bin/env python3
"""export.py: what `dragoman export` writes, loaded by CTranslate2 and transformers, beside the model.

    export.py --dragoman PROGRAM [--lines N] MODEL SOURCE TARGET FOLDER

The log-probability of each line of TARGET, given that of SOURCE, must be the same to 1e-4 for each
token; greedy translations and those with five hypotheses must be the same words, but for lines that
both sides find equally good, which are listed. Models that MarianMTModel cannot express are compared
with CTranslate2 alone. Needs: pip install -r requirements.txt, transformers, safetensors
"""
import argparse
import os
import subprocess
import sys
import time

import ctranslate2

import gguf

BEAMS, TOLERANCE = (1, 5), 1e-4


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--lines", type=int, default=100)
    for name in ("model", "source", "target", "folder"):
        parser.add_argument(name)
    return parser.parse_args()


def limit(pieces):
    """Tokens that a translation may have, as `translate` has it by default."""
    return 2 * (len(pieces) + 1) + 10


def by_length(source):
    """Numbers of sources that have as many pieces: nothing is padded, and all have the same limit."""
    for length in sorted({len(x) for x in source}):
        yield [i for i, x in enumerate(source) if len(x) == length]


class Ours:
    def __init__(self, options):
        self.options, self.metadata = options, gguf.read(options.model)[0]
        self.folder = options.folder
        os.makedirs(self.folder, exist_ok=True)
        self.source = self.lines("source", options.source)
        self.target = self.lines("target", options.target)

    def run(self, *words, text=None):
        done = subprocess.run([self.options.dragoman, *words], input=text, check=False,
                              capture_output=True, encoding="utf-8")
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout.splitlines()

    def lines(self, name, path):
        """The first lines, also as a file."""
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()[:self.options.lines]
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))
        return lines

    def pieces(self, lines, side):
        """As the model cuts them; words that it has not become <unk>."""
        codes = self.metadata.get("dragoman.bpe.codes")
        if codes:
            path = os.path.join(self.folder, "codes")
            with open(path, "w", encoding="utf-8") as file:
                file.write(codes)
            lines = self.run("bpe", "apply", "-c", path, text="".join(x + "\n" for x in lines))
        known = set(self.vocab(side))
        return [[x if x in known else "<unk>" for x in line.split()] for line in lines]

    def vocab(self, side):
        joint = self.metadata["dragoman.vocab.source"]
        return self.metadata.get("dragoman.vocab." + side, joint)

    def score(self, target):
        path = os.path.join(self.folder, "given")
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in target))
        return [float(x) for x in self.run(
            "rescore", "-q", os.path.join(self.folder, "source"), path, "-m", self.options.model)]

    def translate(self, beam):
        lines = self.run("translate", "-q", "--keep-tokens", "--penalty", "none", "-b", str(beam),
                         "-m", self.options.model, "-i", os.path.join(self.folder, "source"))
        return lines

    def export(self, to):
        folder = os.path.join(self.folder, to)
        self.run("export", "-m", self.options.model, "--to", to, "-o", folder, "--overwrite")
        return folder


class CTranslate2:
    def __init__(self, ours):
        self.model = ctranslate2.Translator(ours.export("ctranslate2"), "cpu",
                                            compute_type="float32", intra_threads=1)

    def score(self, source, target):
        return [sum(x.log_probs) for x in self.model.score_batch(source, target)]

    def translate(self, source, beam):
        made = [None] * len(source)
        for these in by_length(source):
            found = self.model.translate_batch(
                [source[i] for i in these], beam_size=beam, length_penalty=0, min_decoding_length=0,
                max_decoding_length=limit(source[these[0]]), suppress_sequences=[["<pad>"]])
            for i, result in zip(these, found):
                made[i] = result.hypotheses[0]
        return made


class Transformers:
    def __init__(self, ours):
        import torch
        from transformers import MarianMTModel
        self.torch = torch
        torch.set_num_threads(1)  # more only wait for each other, on matrices as small as these
        folder = ours.export("huggingface")
        self.model, info = MarianMTModel.from_pretrained(folder, output_loading_info=True)
        self.model.eval()
        wrong = {k: v for k, v in info.items() if v}
        if wrong:
            raise RuntimeError(f"transformers: {wrong}")
        self.names = ours.vocab("target")
        self.numbers = [{x: i for i, x in enumerate(ours.vocab(side))}
                        for side in ("source", "target")]

    def ids(self, pieces, side):
        return [self.numbers[side][x] for x in pieces] + [2]

    def score(self, source, target):
        start, scores = self.model.config.decoder_start_token_id, []
        for x, y in zip(source, target):
            labels = self.torch.tensor([self.ids(y, 1)])
            first = self.torch.cat([self.torch.tensor([[start]]), labels[:, :-1]], 1)
            with self.torch.no_grad():
                logits = self.model(input_ids=self.torch.tensor([self.ids(x, 0)]),
                                    decoder_input_ids=first).logits
            scores.append(logits.log_softmax(-1).gather(2, labels[:, :, None]).sum().item())
        return scores

    def translate(self, source, beam):
        made = [None] * len(source)
        more = dict(length_penalty=0.0, early_stopping=True) if beam > 1 else {}
        for these in by_length(source):
            out = self.model.generate(
                self.torch.tensor([self.ids(source[i], 0) for i in these]), num_beams=beam,
                do_sample=False, max_length=limit(source[these[0]]) + 1, **more)
            for i, found in zip(these, out.tolist()):
                made[i] = [self.names[t] for t in found[1:] if t > 2]
        return made


def join(pieces):
    return " ".join(pieces).replace("@@ ", "").removesuffix("@@")


def compare(name, ours, theirs):
    """How many numbers and translations are wrong."""
    source, target = ours.pieces(ours.source, "source"), ours.pieces(ours.target, "target")
    mine, other = ours.score(ours.target), theirs.score(source, target)
    worst = max(abs(a - b) / (len(y) + 1) for a, b, y in zip(mine, other, target))
    print(f"{name}: log-probabilities of {len(mine)} lines, {sum(map(len, target))} tokens: "
          f"largest difference {worst:.1e} a token")
    wrong = int(worst > TOLERANCE)
    for beam in BEAMS:
        began = time.time()
        made = ours.translate(beam)
        given = [join(x) for x in theirs.translate(source, beam)]
        differ = [i for i, (a, b) in enumerate(zip(made, given)) if a != b]
        scores = list(zip(ours.score(made), ours.score(given))) if differ else []
        ties = [i for i in differ if abs(scores[i][0] - scores[i][1]) < 1e-3]
        print(f"{name}: {beam} hypotheses: {len(made) - len(differ)} of {len(made)} the same, "
              f"{len(ties)} ties, {len(differ) - len(ties)} others; {time.time() - began:.0f} s",
              flush=True)
        for i in differ:
            print(f"  line {i + 1}: ours {scores[i][0]:.4f}, theirs {scores[i][1]:.4f}\n"
                  f"    {made[i][:300]}\n    {given[i][:300]}")
        wrong += len(differ) - len(ties)
    return wrong


def main():
    ours = Ours(read_arguments())
    wrong = compare("ctranslate2", ours, CTranslate2(ours))
    try:
        theirs = Transformers(ours)
    except RuntimeError as error:
        if "MarianMTModel does not have" not in str(error):
            raise
        print(f"transformers: left out: {error}".strip())
    else:
        wrong += compare("transformers", ours, theirs)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
