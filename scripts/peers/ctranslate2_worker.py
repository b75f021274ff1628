"""ctranslate2_worker.py: translates pieces with CTranslate2 and says what it took, as a line of JSON.

    ctranslate2_worker.py FOLDER PIECES [OPTION]...

Timed is translate_batch alone: not Python's start, nor loading, nor a warm-up of a hundred lines.
With --latency N the first N lines are translated one by one; with --write the translations are
written to a file, with --one the first line is printed as soon as it is there.
"""
import argparse
import json
import resource
import sys
import time


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("pieces")
    parser.add_argument("--compute-type", default="float32")
    parser.add_argument("--workers", type=int, default=1, help="batches at a time")
    parser.add_argument("--threads", type=int, default=1, help="of each worker")
    parser.add_argument("--beam", type=int, default=5)
    parser.add_argument("--batch", type=int, default=2048, help="tokens; 0: 32 sentences")
    parser.add_argument("--longest", type=int, default=256, help="tokens of a translation")
    parser.add_argument("--latency", type=int, default=0)
    parser.add_argument("--write")
    parser.add_argument("--one", action="store_true")
    return parser.parse_args()


def peak_mebibytes():
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2 ** 20


def main():
    options = read_arguments()
    import ctranslate2
    empty = peak_mebibytes()
    with open(options.pieces, encoding="utf-8", newline="\n") as file:
        lines = [line.split() for line in file]
    translator = ctranslate2.Translator(
        options.folder, compute_type=options.compute_type, inter_threads=options.workers,
        intra_threads=options.threads)
    batches = {"max_batch_size": options.batch or 32,
               "batch_type": "tokens" if options.batch else "examples"}

    def translate(part):
        return translator.translate_batch(part, beam_size=options.beam, length_penalty=1,
                                          max_decoding_length=options.longest, **batches)

    if options.one:
        print(" ".join(translate(lines[:1])[0].hypotheses[0]), flush=True)
        return
    result = {"version": ctranslate2.__version__}
    translate(lines[:100])
    if options.latency:
        times = []
        for line in lines[:options.latency]:
            start = time.perf_counter()
            translate([line])
            times.append(time.perf_counter() - start)
        result["latency"] = sorted(times)[len(times) // 2]
    else:
        cpu, start = time.process_time(), time.perf_counter()
        translations = translate(lines)
        result["seconds"] = time.perf_counter() - start
        result["cpu_seconds"] = time.process_time() - cpu
    if options.write:
        with open(options.write, "w", encoding="utf-8") as file:
            for translation in translations:
                print(" ".join(translation.hypotheses[0]), file=file)
    result.update(mebibytes=peak_mebibytes(), empty_mebibytes=empty)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
