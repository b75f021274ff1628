#!/usr/bin/env python3
"""import.py: models of other programs with random weights, imported, against the originals.

    import.py [--dragoman ./dragoman] [--text FILE...] [--keep FOLDER] [--lines 100] [--fixtures FOLDER]
    import.py --time   (a MarianMT model of 75 million parameters: time and memory of the import)

For each kind: scores of given translations, greedy and beam-5 translations. Length conventions:
transformers divide by the number of generated tokens, end included, to the power length_penalty;
`translate --penalty fairseq --normalize A` divides by the same number. --fixtures writes the small models of
tests/cli/model/import. Needs requirements.txt; nothing of the project's own tests needs it.
"""
import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from import_models import KINDS, SMALL, make_large  # noqa: E402


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def read_lines(paths, count):
    lines = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            lines += [line.strip() for line in file]
    lines = [line for line in lines if line and len(line) < 200]
    return lines[:count]


def compare(args, kind, shown, lines, peer):
    """Greedy translations and those of five hypotheses, beside those of one peer."""
    name, penalty, translate = peer
    worst, ties, apart, cut, tokens = 0.0, [], [], 0, 0
    began = time.time()
    for beam in (1, 5):
        ours = run(args.dragoman, "translate", *shown, "-b", str(beam), *penalty, "--scores", "--allow-unk",
                   text="\n".join(lines) + "\n")
        for i, (line, (text, score, length)) in enumerate(zip(ours.splitlines(), translate(lines, beam))):
            mine_score, mine = line.split("\t", 1)
            mine_score = float(mine_score)
            if score is None:  # at the limit the two finish otherwise: no comparison
                cut += 1
                continue
            tokens += length
            worst = max(worst, abs(mine_score - score) / (length if "none" in penalty else 1))
            if mine != text:
                (ties if abs(mine_score - score) < 1e-4 else apart).append(
                    (beam, i, mine, text, mine_score, score))
    count = 2 * len(lines) - cut
    print(f"  {name}: {count - len(ties) - len(apart)} of {count} translations the same, of "
          f"{tokens / max(1, count):.1f} tokens each; ties {len(ties)}; others {len(apart)}; scores "
          f"within {worst:.1e} a token; cut by the limit, and left out, {cut}; {time.time() - began:.0f} s",
          flush=True)
    for beam, i, mine, text, a, b in ties + apart:
        print(f"    beam {beam} line {i + 1}: {a:.5f} {mine[:60]!r}\n      theirs {b:.5f} {text[:60]!r}")
    return not apart and count > len(lines)


def check(args, kind, folder, lines):
    """One kind of model: its numbers, theirs, and what differs."""
    model = kind.make(folder, args)
    gguf = folder + ".gguf"
    began = time.time()
    run(args.dragoman, "import", kind.path(folder), "-o", gguf, "--overwrite", "-q", *kind.options)
    took = time.time() - began
    shown = ["-q", "-j", "2", "-m", gguf, *kind.tags]
    targets = lines[::-1]
    with tempfile.TemporaryDirectory() as scratch:
        write_lines(scratch, "source", lines)
        write_lines(scratch, "target", targets)
        ours = run(args.dragoman, "rescore", os.path.join(scratch, "source"),
                   os.path.join(scratch, "target"), *shown)
    theirs = model.score(lines, targets)
    error = max(abs(float(a) - b) / n for a, (b, n) in zip(ours.split(), theirs))
    print(f"{kind.name}: imported in {took:.2f} s; {len(lines)} given translations: log-probabilities within "
          f"{error:.1e} a token", flush=True)
    good = error < 1e-4
    for peer in kind.peers(model):
        good &= compare(args, kind, shown, lines, peer)
    return good


FIXTURES = {"hf-marian-swish": "hf-marian", "hf-m2m100-unscaled-gelu": "hf-m2m100",
            "marian-npz-relu-separate": "marian-separate", "marian-npz-swish": "marian",
            "fairseq": "fairseq", "opennmt": "opennmt"}
UNUSED = ("generation_config.json", "target_vocab.json", "checkpoint.pt", "model.pt", "dict.txt")


def is_asked(args, kind):
    return args.only is None or args.only in kind.name


def make_fixtures(args, lines):
    """Models of a few kilobytes with what the originals make of some lines, for tests/cli/model/import.sh."""
    args.sizes = dict(d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
                      decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16)
    args.pieces, args.positions = 70, 80
    args.spm = dict(normalization_rule_name="identity")
    os.makedirs(args.fixtures, exist_ok=True)
    write_lines(args.fixtures, "lines", lines)
    for kind in KINDS:
        folder = os.path.join(args.fixtures, FIXTURES.get(kind.name, ""))
        if kind.name not in FIXTURES or not is_asked(args, kind):
            continue
        model = kind.make(folder, args)
        for beam in (1, 5):
            found = model.translate(lines, beam)
            found = ["*" if score is None else text for text, score, _ in found]  # cut: see there
            write_lines(folder, f"expected.{beam}", found)
        scores = model.score(lines, lines[::-1])
        write_lines(folder, "expected.scores", [f"{score:.6f}" for score, _ in scores])
        for name in UNUSED:
            if os.path.exists(os.path.join(folder, name)):
                os.remove(os.path.join(folder, name))
        shutil.rmtree(folder + "-ct2", ignore_errors=True)


def write_lines(folder, name, lines):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)


def measure(args, folder):
    make_large(folder)
    size = os.path.getsize(os.path.join(folder, "model.safetensors"))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(args.dragoman, "import", folder, "-o", folder + ".gguf", "--overwrite", "-q",
        "--tokenize", "none")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"file {size / 1e6:.0f} MB; {after.ru_utime - before.ru_utime:.2f} s user, "
          f"{after.ru_stime - before.ru_stime:.2f} s system; peak {after.ru_maxrss / 1024:.0f} MiB")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dragoman", default="./dragoman")
    parser.add_argument("--text", nargs="+", help="raw text: trains SentencePiece, is translated")
    parser.add_argument("--keep", help="a folder for the models")
    parser.add_argument("--lines", type=int, default=100)
    parser.add_argument("--only", help="kinds whose names have this part")
    parser.add_argument("--fixtures", help="write the small models of the tests here")
    parser.add_argument("--time", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(1)
    args.sizes, args.pieces, args.positions = SMALL, 500, 512
    args.spm = {}
    work = args.keep or tempfile.mkdtemp()
    os.makedirs(work, exist_ok=True)
    if args.time:
        return measure(args, os.path.join(work, "large"))
    lines = read_lines(args.text, args.lines)
    args.sample = [line for line in read_lines(args.text, 1000) if len(line) < 45][:20]
    if args.fixtures:
        return make_fixtures(args, lines)
    good = True
    for kind in KINDS:
        if is_asked(args, kind):
            good &= check(args, kind, os.path.join(work, kind.name), lines)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
