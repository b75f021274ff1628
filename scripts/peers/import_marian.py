#!/usr/bin/env python3
"""import_marian.py: students of Marian, whose decoders are simple recurrent units, beside Marian itself.

    import_marian.py DRAGOMAN [--pymarian FOLDER] [--lines 100] [--fixture FOLDER]

Makes models with random weights in the forms that such students have (orders of norms, tied layers,
one vocabulary or two, an .npz or a binary file), imports them, and compares with the decoder of
pymarian 1.12.42 (FOLDER: its unpacked wheel): of how many lines the translations are equal, greedy and
with a beam of 5, and how far sums of log-probabilities lie apart, of forced translations too. Wants
numpy. --fixture writes the small model of tests/cli/model/import/marian-ssru, with what Marian said.

Words are plain tokens of a vocab.yml, so that a translation can be forced as it was chosen.
"""
import argparse
import os
import random
import struct
import subprocess
import sys
import tempfile
import time

import numpy

YML = """dec-cell: ssru
dec-depth: {dec}
dim-emb: {dim}
dim-vocabs:
  - {vocab}
  - {vocab}
enc-depth: {enc}
layer-normalization: false
tied-embeddings: false
tied-embeddings-all: {all}
tied-embeddings-src: false
transformer-decoder-autoreg: {autoreg}
transformer-dim-ffn: {ffn}
transformer-ffn-activation: {activation}
transformer-ffn-depth: 2
transformer-heads: {heads}
transformer-postprocess: {post}
transformer-postprocess-emb: d
transformer-postprocess-top: "{top}"
transformer-preprocess: "{pre}"
transformer-tied-layers:
{tied}
type: transformer
version: v1.12.0
"""


class Shape:
    """What a model is like."""

    def __init__(self, name, dim, ffn, enc, dec, heads, vocab, pre_norm=False, activation="relu", tied=(),
                 shared=True, binary=False, autoreg="rnn", ends=None):
        self.name, self.dim, self.ffn, self.enc, self.dec, self.heads = name, dim, ffn, enc, dec, heads
        self.vocab, self.pre_norm, self.activation, self.tied = vocab, pre_norm, activation, tied
        self.shared, self.binary, self.autoreg = shared, binary, autoreg
        self.ends = ends if ends is not None else 2 * numpy.log(vocab) ** 0.5 + 2 + dim / 64

    def config(self):
        tied = "\n".join(f"  - {i}" for i in self.tied) or "  []"
        return YML.format(dec=self.dec, dim=self.dim, vocab=self.vocab, enc=self.enc, all=str(self.shared).lower(),
                          autoreg=self.autoreg, ffn=self.ffn, activation=self.activation, heads=self.heads,
                          post="da" if self.pre_norm else "dan", pre="n" if self.pre_norm else "",
                          top="n" if self.pre_norm else "", tied=tied)

    def norm(self, prefix, place):
        """The two arrays of a norm that stands before (or behind) the sub-layer `prefix`."""
        end = "_pre" if self.pre_norm else ""
        return {f"{prefix}_{place}ln_scale{end}": 1 + self.draw((1, self.dim), 0.2),
                f"{prefix}_{place}ln_bias{end}": self.draw((1, self.dim), 0.2)}

    def draw(self, shape, scale):
        return (self.random.standard_normal(shape) * scale).astype("float32")

    def matrix(self, rows, cols):
        return self.draw((rows, cols), rows ** -0.5)

    def attention(self, prefix):
        arrays = self.norm(prefix, "Wo_")
        for letter in "qkvo":
            arrays[f"{prefix}_W{letter}"] = self.matrix(self.dim, self.dim)
            arrays[f"{prefix}_b{letter}"] = self.draw((1, self.dim), 0.1)
        return arrays

    def unit(self, prefix):
        # Before the unit the norm is called after it alone; behind it "ffn" comes between.
        arrays = self.norm(prefix, "" if self.pre_norm else "ffn_")
        arrays[f"{prefix}_W"] = self.matrix(self.dim, self.dim)
        arrays[f"{prefix}_Wf"] = self.matrix(self.dim, self.dim)
        arrays[f"{prefix}_bf"] = self.draw((1, self.dim), 0.3)
        return arrays

    def feed_forward(self, prefix):
        arrays = self.norm(prefix, "ffn_")
        for i, (rows, cols) in enumerate([(self.dim, self.ffn), (self.ffn, self.dim)], 1):
            arrays[f"{prefix}_W{i}"] = self.matrix(rows, cols)
            arrays[f"{prefix}_b{i}"] = self.draw((1, cols), 0.1)
        return arrays

    def arrays(self, seed):
        self.random = numpy.random.default_rng(seed)
        arrays = {}
        for layer in range(1, self.enc + 1):
            arrays |= self.attention(f"encoder_l{layer}_self") | self.feed_forward(f"encoder_l{layer}_ffn")
        for layer in sorted(set(self.tied)) or range(1, self.dec + 1):
            first = self.unit if self.autoreg == "rnn" else self.attention
            arrays |= first(f"decoder_l{layer}_{'rnn' if self.autoreg == 'rnn' else 'self'}")
            arrays |= self.attention(f"decoder_l{layer}_context") | self.feed_forward(f"decoder_l{layer}_ffn")
        if self.pre_norm:
            arrays |= self.norm_at_top("encoder") | self.norm_at_top("decoder")
        for name in ["Wemb"] if self.shared else ["encoder_Wemb", "decoder_Wemb"]:
            arrays[name] = self.draw((self.vocab, self.dim), 3 * self.dim ** -0.5)
        if not self.shared:
            arrays["decoder_ff_logit_out_Wt"] = numpy.ascontiguousarray(3 * self.matrix(self.dim, self.vocab).T)
        bias = self.draw((1, self.vocab), 0.3)
        bias[0, 0] += self.ends  # so that they come soon
        bias[0, 1] -= 20         # no unknown words
        arrays["decoder_ff_logit_out_b"] = bias
        return arrays

    def norm_at_top(self, side):
        return {f"{side}_top_ln_scale": 1 + self.draw((1, self.dim), 0.2),
                f"{side}_top_ln_bias": self.draw((1, self.dim), 0.2)}

    def write(self, folder, seed):
        os.makedirs(folder)
        arrays = self.arrays(seed)
        arrays["special:model.yml"] = numpy.frombuffer(self.config().encode() + b"\0", dtype=numpy.int8)
        if self.binary:
            path = os.path.join(folder, "model.bin")
            write_binary(path, arrays)
        else:
            path = os.path.join(folder, "model.npz")
            numpy.savez(path, **arrays)
        names = ["vocab.yml"] if self.shared else ["source.vocab.yml", "target.vocab.yml"]
        for which, name in enumerate(names):
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write("</s>: 0\n<unk>: 1\n")
                for i in range(2, self.vocab):
                    file.write(f"{'wt'[which]}{i}: {i}\n")
        return path, [os.path.join(folder, name) for name in (names * 2)[:2]]


def write_binary(path, arrays):
    """Marian's binary form, version 1: headers, names, shapes, then data from a multiple of 256 on."""
    head, names, shapes, data = b"", b"", b"", []
    for name, array in arrays.items():
        text, block = name.encode() + b"\0", array.tobytes()
        head += struct.pack("<4Q", len(text), 0x0101 if array.dtype == numpy.int8 else 0x0404, array.ndim, len(block))
        names += text
        shapes += struct.pack(f"<{array.ndim}i", *array.shape)
        data.append(block)
    start = struct.pack("<2Q", 1, len(arrays)) + head + names + shapes
    gap = 256 - (len(start) + 8) % 256
    with open(path, "wb") as file:
        file.write(start + struct.pack("<Q", gap) + bytes(gap) + b"".join(data))


def write_shortlist(path, shape, first, best):
    """Marian's binary shortlist: `first` words for all, up to `best` more for each source word."""
    draw = random.Random(5)
    lists = [sorted(draw.sample(range(shape.vocab), draw.randrange(1, best + 1))) for _ in range(shape.vocab)]
    starts = [0]
    for words in lists:
        starts.append(starts[-1] + len(words))
    rest = struct.pack("<4Q", first, best, len(starts), starts[-1]) + struct.pack(f"<{len(starts)}Q", *starts)
    rest += struct.pack(f"<{starts[-1]}I", *(word for words in lists for word in words))
    total = 0
    for (word,) in struct.iter_unpack("<Q", rest[:len(rest) // 8 * 8]):
        total ^= (word + 0x9E3779B9 + (total << 6) + (total >> 2)) & (1 << 64) - 1
    with open(path, "wb") as file:
        file.write(struct.pack("<2Q", 0xF11A48D5013417F5, total) + rest)


SHAPES = [
    Shape("post-norm, 2 + 2, one vocabulary", 64, 128, 2, 2, 4, 300),
    Shape("pre-norm, 3 + 1, swish, two vocabularies", 32, 96, 3, 1, 2, 200, pre_norm=True, activation="swish",
          shared=False),
    Shape("tied layers 1 1 3, a binary file", 64, 64, 1, 3, 8, 250, tied=(1, 1, 3), binary=True),
    Shape("self-attention, tied layers 1 1", 32, 64, 1, 2, 4, 150, tied=(1, 1), autoreg="self-attention"),
    Shape("a student: 6 + 2, 256, 1536, 8,000 words", 256, 1536, 6, 2, 8, 8000, binary=True),
]
FIXTURE = Shape("", 12, 16, 1, 2, 2, 40, pre_norm=True, binary=True, shared=False, tied=(1, 1), ends=3)


def sentences(shape, count, seed):
    draw = random.Random(seed)
    return [" ".join(f"w{draw.randrange(2, shape.vocab)}" for _ in range(draw.randrange(1, 16))) for _ in range(count)]


def theirs(path, vocabs, lines, beam, shortlist=None, normalize=0):
    """Of each line: the translation, the sum of its log-probabilities, whether its end was chosen."""
    import _pymarian
    cli = ["--models", path, "--vocabs", *vocabs, "--quiet", "--beam-size", str(beam), "--cpu-threads", "1",
           "--mini-batch", "1", "--maxi-batch", "1", "--workspace", "256", "--n-best", "--word-scores",
           "--max-length-factor", "3", "--normalize", str(normalize)]
    cli += ["--shortlist", shortlist, "1"] if shortlist else []  # 1: its checksum is looked at
    translator, told = _pymarian.Translator(" ".join(cli)), []
    for line in lines:
        fields = translator.translate(line).split("\n")[0].split(" ||| ")
        scores = fields[2].split("= ", 1)[1].split()
        told.append((fields[1], sum(map(float, scores)), len(scores) > len(fields[1].split())))
    return told


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout.splitlines()


def ours(dragoman, model, lines, beam, *more):
    """The same of our search, with Marian's rule."""
    told = run(dragoman, "translate", "-q", "-m", model, "-b", str(beam), "--beam-rule", "shrinking", "-n", "0",
               "--allow-empty", "--scores", "--max-length-factor", "3", *more, text="\n".join(lines) + "\n")
    return [line.split("\t")[1::-1] for line in told]


def compare_listed(dragoman, shape, folder, lines, path, vocabs):
    """With a beam of 5 and a shortlist: equal of how many, and sums of log-probabilities within."""
    table, made = os.path.join(folder, "lex.s2t.bin"), folder + ".list"
    write_shortlist(table, shape, first=30, best=6)
    run(dragoman, "shortlist", "-q", "-m", folder + ".gguf", "--lexical-table", table, "-o", made)
    peer = theirs(path, vocabs, lines, 5, table)
    mine = ours(dragoman, folder + ".gguf", lines, 5, "--shortlist", made)
    whole = [i for i, line in enumerate(peer) if line[2]]
    same = [i for i in whole if mine[i][0] == peer[i][0]]
    return f"{len(same)} of {len(whole)}", max((abs(float(mine[i][1]) - peer[i][1]) for i in same), default=0)


def compare_plain(dragoman, folder, lines, path, vocabs):
    """The command without options, of a model that says how it was searched, also where a limit cuts."""
    peer = theirs(path, vocabs, lines, 4, normalize=1)
    mine = run(dragoman, "translate", "-q", "--allow-empty", "-m", folder + ".gguf", text="\n".join(lines) + "\n")
    return f"{sum(a == b[0] for a, b in zip(mine, peer))} of {len(peer)}"


def compare(dragoman, shape, folder, lines):
    path, vocabs = shape.write(folder, seed=1)
    with open(os.path.join(folder, "decoder.yml"), "w", encoding="ascii") as file:
        file.write("relative-paths: true\nbeam-size: 4\nnormalize: 1\nword-penalty: 0\nmax-length-factor: 3\n")
    model = folder + ".gguf"
    began = time.time()
    run(dragoman, "import", folder, "-o", model, "--tokenize", "none", "-q", "--vocabs", *vocabs[:1 if shape.shared else 2])
    took = time.time() - began
    shown, equal, apart = [], [], 0.0
    for beam in (1, 5):
        peer = theirs(path, vocabs, lines, beam)
        whole = [i for i, line in enumerate(peer) if line[2]]
        mine = ours(dragoman, model, lines, beam)
        same = [i for i in whole if mine[i][0] == peer[i][0]]
        equal.append(f"{len(same)} of {len(whole)}")
        files = [os.path.join(folder, name) for name in ("forced.source", "forced.target")]
        for file, texts in zip(files, ([lines[i] for i in whole], [peer[i][0] for i in whole])):
            with open(file, "w", encoding="ascii") as out:
                out.write("".join(text + "\n" for text in texts))
        forced = run(dragoman, "rescore", *files, "-q", "-m", model)
        for i, score in zip(whole, forced):
            apart = max(apart, abs(float(score) - peer[i][1]))
        for i in set(whole) - set(same):
            shown.append(f"    beam {beam}, line {i + 1}: ours {mine[i][0]!r} {mine[i][1]}, theirs {peer[i][:2]}")
    listed, near = compare_listed(dragoman, shape, folder, lines, path, vocabs)
    plain = compare_plain(dragoman, folder, lines, path, vocabs)
    print(f"{shape.name} | {apart:.1e} | {equal[0]} | {equal[1]} | {near:.1e} | {listed} | {plain} | {took:.2f} s", flush=True)
    print("".join(line + "\n" for line in shown), end="")


def write_fixture(folder):
    """Of many lines five whose translations end, after some words."""
    path, vocabs = FIXTURE.write(folder, seed=4)
    table = os.path.join(folder, "lex.s2t.bin")
    write_shortlist(table, FIXTURE, first=10, best=3)
    lines = sentences(FIXTURE, 200, seed=2)
    told = [theirs(path, vocabs, lines, *how) for how in ((1,), (5,), (5, table))]
    fine = [i for i in range(len(lines)) if all(of[i][2] and len(set(of[i][0].split())) >= 3 for of in told)][:5]
    listed = [told[2][i] for i in fine]
    for name, texts in (("lines", [lines[i] for i in fine]), ("expected.list", [line[0] for line in listed]),
                        ("expected.list.scores", [f"{line[1]:.5f}" for line in listed]), 
                        ("targets", [told[1][i][0] for i in fine]),
                        ("expected.scores", [f"{told[1][i][1]:.5f}" for i in fine]),
                        ("expected.1", [told[0][i][0] for i in fine]), ("expected.5", [told[1][i][0] for i in fine])):
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write("".join(text + "\n" for text in texts))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("dragoman")
    parser.add_argument("--pymarian", default=os.environ.get("PYMARIAN_DIR"))
    parser.add_argument("--lines", type=int, default=100)
    parser.add_argument("--fixture")
    args = parser.parse_args()
    if args.pymarian:
        sys.path.insert(0, args.pymarian)
    if args.fixture:
        write_fixture(args.fixture)
        return 0
    print("model | sums of forced log-probabilities within | greedy equal | beam 5 equal | with a shortlist: within | equal | the plain command: equal | import")
    with tempfile.TemporaryDirectory() as folder:
        for i, shape in enumerate(SHAPES):
            compare(os.path.abspath(args.dragoman), shape, os.path.join(folder, str(i)), sentences(shape, args.lines, i))
    return 0


if __name__ == "__main__":
    sys.exit(main())
