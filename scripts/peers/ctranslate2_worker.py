"""ctranslate2_worker.py: translates pieces with CTranslate2 and says what it took, as a line of JSON.

    ctranslate2_worker.py FOLDER PIECES [OPTION]...

Timed is translate_batch alone: not Python's start, nor loading, nor a warm-up of some lines. With
--latency N the first N lines are translated one by one, too; with --write the translations are
written to a file. Instead of this, --tune N finds which of BATCHES is the fastest for N lines, and
--one prints the first line as soon as it is there.
"""
import argparse
import json
import resource
import sys
import time

BATCHES = (0, 1024, 2048, 4096)
WARM_UP = 30  # lines


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("pieces")
    parser.add_argument("--compute-type", default="float32")
    parser.add_argument("--threads", type=int, default=1,
                        help="batches at a time; of a line alone, threads of each product")
    parser.add_argument("--beam", type=int, default=5)
    parser.add_argument("--batch", type=int, default=2048, help="tokens; 0: 32 sentences")
    parser.add_argument("--longest", type=int, default=256, help="tokens of a translation")
    parser.add_argument("--latency", type=int, default=0)
    parser.add_argument("--tune", type=int, default=0)
    parser.add_argument("--write")
    parser.add_argument("--one", action="store_true")
    return parser.parse_args()


def peak_mebibytes():
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2 ** 20


class Worker:
    def __init__(self, options):
        self.options = options
        with open(options.pieces, encoding="utf-8", newline="\n") as file:
            self.lines = [[piece for piece in line.rstrip("\n").split(" ") if piece]
                          for line in file]

    def open(self, workers, threads):
        import ctranslate2
        self.translator = ctranslate2.Translator(
            self.options.folder, compute_type=self.options.compute_type, inter_threads=workers,
            intra_threads=threads)
        return ctranslate2.__version__

    def translate(self, lines, batch):
        return self.translator.translate_batch(
            lines, beam_size=self.options.beam, length_penalty=1,
            max_decoding_length=self.options.longest, max_batch_size=batch or 32,
            batch_type="tokens" if batch else "examples")

    def seconds(self, lines, batch):
        start = time.perf_counter()
        translations = self.translate(lines, batch)
        return time.perf_counter() - start, translations

    def tune(self):
        """The fastest batch; the first run only warms up."""
        lines = self.lines[:self.options.tune]
        self.translate(lines[:WARM_UP], 0)
        return min(BATCHES, key=lambda batch: self.seconds(lines, batch)[0])

    def whole(self):
        """All lines: seconds, and what came out."""
        self.translate(self.lines[:WARM_UP], self.options.batch)
        return self.seconds(self.lines, self.options.batch)

    def latency(self):
        """Lines one by one; the median of their times."""
        lines = [[line] for line in self.lines[:self.options.latency]]
        self.translate(lines[0], 0)
        times = sorted(self.seconds(line, 0)[0] for line in lines)
        return times[len(times) // 2]

    def measure(self):
        threads = self.options.threads
        result = {"version": self.open(threads, 1), "empty_mebibytes": peak_mebibytes()}
        result["seconds"], translations = self.whole()
        result["mebibytes"] = peak_mebibytes()
        if self.options.latency:
            if threads > 1:
                self.open(1, threads)
            result["latency"] = self.latency()
        return result, translations


def write(path, translations):
    with open(path, "w", encoding="utf-8") as file:
        for translation in translations:
            print(" ".join(translation.hypotheses[0]), file=file)


def main():
    options = read_arguments()
    worker = Worker(options)
    if options.one:
        worker.open(1, 1)
        print(" ".join(worker.translate(worker.lines[:1], 0)[0].hypotheses[0]), flush=True)
    elif options.tune:
        worker.open(options.threads, 1)
        print(json.dumps({"batch": worker.tune()}))
    else:
        result, translations = worker.measure()
        if options.write:
            write(options.write, translations)
        print(json.dumps(result))


if __name__ == "__main__":
    main()
