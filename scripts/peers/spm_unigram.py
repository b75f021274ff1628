#!/usr/bin/env python3
"""Compares unigram models of `dragoman spm train` with the sentencepiece library's on text that neither has seen.

usage: spm_unigram.py DRAGOMAN FOLDER PIECES TEXT HELD-OUT [TEXT HELD-OUT]...

Three models learn PIECES pieces from TEXT, on one thread, by default settings: the library's, the library's from the pieces
that ours begins with (its option seed_sentencepieces_file), and ours. For TEXT and for HELD-OUT each has a line: pieces, bits a
character of the best cut, and bits a character of all cuts together, which is the likelihood that Kudo (2018) maximises.
Probabilities are made to sum to 1 first, for the scores of neither do; a character that is no piece costs 20 bits and counts
as a piece of its own. Then each figure beside the library's. Needs: pip install sentencepiece
"""
import collections
import math
import os
import subprocess
import sys

import sentencepiece

LONGEST = 16  # characters of a piece
UNKNOWN = 20 * math.log(2)
BLANK = "\u2581"


def read_words(path, normalizer):
    """The words of a text as models see them, each with its blank before it: word -> how often."""
    words = collections.Counter()
    with open(path, encoding="utf-8") as file:
        for line in file:
            text = normalizer.normalize(line.rstrip("\n"))
            words.update(BLANK + word for word in text.replace(BLANK, " ").split())
    return words


class Model:
    def __init__(self, path):
        library = sentencepiece.SentencePieceProcessor(model_file=path)
        scores = {library.id_to_piece(i): library.get_score(i) for i in range(len(library))
                  if not (library.is_control(i) or library.is_unknown(i))}
        log_sum = math.log(math.fsum(math.exp(score) for score in scores.values()))
        self.scores = {piece: score - log_sum for piece, score in scores.items()}

    def cut(self, word):
        """Pieces of the best cut, its log probability, and that of all cuts together."""
        best, all_cuts = [(0.0, 0)], [0.0]
        for end in range(1, len(word) + 1):
            ways = []
            for start in range(max(0, end - LONGEST), end):
                score = self.scores.get(word[start:end])
                if score is None and end - start == 1:
                    score = -UNKNOWN
                if score is not None:
                    ways.append((start, score))
            best.append(max((best[start][0] + score, best[start][1] - 1) for start, score in ways))
            terms = [all_cuts[start] + score for start, score in ways]
            most = max(terms)
            all_cuts.append(most + math.log(sum(math.exp(term - most) for term in terms)))
        return -best[-1][1], best[-1][0], all_cuts[-1]

    def measure(self, words):
        """Pieces, and bits a character, blanks included, of the best cut and of all."""
        pieces = best = all_cuts = 0
        for word, times in words.items():
            of_word = self.cut(word)
            pieces += times * of_word[0]
            best += times * of_word[1]
            all_cuts += times * of_word[2]
        bits = -math.log(2) * sum(len(word) * times for word, times in words.items())
        return pieces, best / bits, all_cuts / bits


def learn_theirs(text, pieces, prefix, **options):
    sentencepiece.SentencePieceTrainer.train(input=text, model_prefix=prefix, vocab_size=pieces, num_threads=1, minloglevel=2,
                                             hard_vocab_limit=False, **options)
    return prefix + ".model"


def write_seeds(words, path):
    """Repeated substrings of words that no longer one replaces everywhere, and repeated words, as ours begins; the library leaves
    out what it never takes, such as pieces of two scripts."""
    places = [(word, start, count) for word, count in words.items() for start in range(len(word))]
    with open(path, "w", encoding="utf-8") as file:
        for length in range(1, LONGEST + 1):
            times, behind, branching = collections.Counter(), {}, set()
            places = [place for place in places if place[1] + length <= len(place[0])]
            for word, start, count in places:
                piece, follows = word[start:start + length], word[start + length:start + length + 1]
                times[piece] += count
                if piece == word or behind.setdefault(piece, follows or (word,)) != (follows or (word,)):
                    branching.add(piece)
            for piece, count in times.items():
                if length == 1 or (count > 1 and piece in branching):
                    file.write(f"{piece}\t{count * length}\n")
            places = [place for place in places if times[place[0][place[1]:place[1] + length]] > 1]


def compare(program, folder, text, held_out, pieces):
    prefix = os.path.join(folder, "ours")
    subprocess.run([program, "spm", "train", "--quiet", "-V", str(pieces), "-o", prefix + ".model", text], check=True)
    normalizer = sentencepiece.SentencePieceNormalizer(model_file=prefix + ".model")
    words = read_words(text, normalizer)
    write_seeds(words, os.path.join(folder, "seeds.tsv"))
    models = {
        "library": learn_theirs(text, pieces, os.path.join(folder, "theirs")),
        "library, our seeds": learn_theirs(text, pieces, os.path.join(folder, "seeded"),
                                           seed_sentencepieces_file=os.path.join(folder, "seeds.tsv")),
        "dragoman": prefix + ".model",
    }
    models = {name: Model(path) for name, path in models.items()}
    names = [set(model.scores) for model in models.values()]
    print(f"{text}, {pieces} pieces, of which library and dragoman have in common {len(names[0] & names[2])}, "
          f"with our seeds {len(names[1] & names[2])}")
    for path, counted in (text, words), (held_out, read_words(held_out, normalizer)):
        base = None
        for name, model in models.items():
            figures = model.measure(counted)
            base = base or figures
            beside = "".join(f" {100 * (a / b - 1):+.2f} %" for a, b in zip(figures, base))
            print(f"  {path}: {name}: pieces {figures[0]}, bits {figures[1]:.4f} {figures[2]:.4f};{beside}", flush=True)


def main():
    program, folder, pieces, texts = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4:]
    os.makedirs(folder, exist_ok=True)
    for text, held_out in zip(texts[::2], texts[1::2]):
        compare(program, folder, text, held_out, pieces)


main()
