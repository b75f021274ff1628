#!/usr/bin/env python3
"""translation.py: translation here and in CTranslate2: speed, latency, memory, start; a table.

    translation.py --dragoman PROGRAM [OPTION]... MODEL.gguf TEXT

The model is converted, and the translations of both are compared before anything is timed. Runs
take turns, --rounds times; medians count, and behind them stands half of what lies between the
quartiles, in per cent. Ours are whole runs of the program: start, loading, BPE, reading and
writing are in its time; a row of its own leaves out a run over no text, which starts and loads. Of
CTranslate2 only translating is timed, behind a warm-up, with the fastest of its batch sizes, which
is found once for each type of numbers on a part of the text, and, for several threads, with as many
workers. A line alone has all threads on both sides.
"""
import argparse
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TUNING_LINES = 100  # that choose CTranslate2's batch size
LATENCY_LINES = 20
SHORT = 11  # tokens of a translation with --max-length-factor 0.1, for lines of ten to twenty
# CTranslate2 has no bf16 on processors: its next best is what it is compared with.
PEER_TYPE = {"f32": "float32", "bf16": "float32", "int8": "int8"}


def run(command, **more):
    """Runs to the end; its standard output, its seconds, its peak memory in MiB."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **more)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"failed: {' '.join(command)}")
    unit = 1 if sys.platform == "darwin" else 1024
    return output, seconds, usage.ru_maxrss * unit / 2 ** 20


class Ours:
    def __init__(self, options):
        self.options = options

    def command(self, kind, threads, beam):
        command = [self.options.dragoman, "translate", "-q", "-m", self.options.model, "-b",
                   str(beam), "--normalize", "1", "--threads", str(threads), "--keep-tokens",
                   "--compute-type", kind]
        return command + (["--max-length-factor", "0.1"] if self.options.short else [])

    def whole(self, *what):
        output, seconds, memory = run(self.command(*what) + ["-i", self.options.text])
        _, idle, _ = run(self.command(*what) + ["-i", os.devnull])
        return {"seconds": seconds, "alone": seconds - idle, "mebibytes": memory,
                "output": output}

    def latency(self, *what):
        """Lines one by one through a pipe; the median of their times."""
        with open(self.options.text, encoding="utf-8", newline="\n") as file:
            lines = list(itertools.islice(file, LATENCY_LINES))
        times = []
        with subprocess.Popen(self.command(*what), stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True, bufsize=1) as process:
            for line in lines[:2] + lines:
                start = time.perf_counter()
                process.stdin.write(line)
                process.stdin.flush()
                process.stdout.readline()
                times.append(time.perf_counter() - start)
            process.stdin.close()
        return statistics.median(times[2:])

    def measure(self, *what):
        return dict(self.whole(*what), latency=self.latency(*what))

    def start(self, line):
        """From nothing to the first translation."""
        _, seconds, _ = run(self.command("f32", 1, 5) + ["-i", line])
        return {"seconds": seconds}


class Theirs:
    def __init__(self, options, scratch):
        self.options, self.batch = options, {}
        self.folder = os.path.join(scratch, "model")
        self.pieces = os.path.join(scratch, "pieces")
        # In a process of its own: the peak of a child counts from what its parent holds.
        run([sys.executable, os.path.join(HERE, "ctranslate2_model.py"), options.model,
             self.folder])
        self.cut(os.path.join(self.folder, "codes"))

    def cut(self, codes):
        """The text in the pieces of the model's codes; as it is where it has none."""
        if not os.path.exists(codes):
            shutil.copyfile(self.options.text, self.pieces)
            return
        run([self.options.dragoman, "bpe", "apply", "-q", "-c", codes, "-i",
             self.options.text, "-o", self.pieces])

    def worker(self, kind, *more):
        return [sys.executable, os.path.join(HERE, "ctranslate2_worker.py"), self.folder,
                self.pieces, "--compute-type", PEER_TYPE[kind], "--longest",
                str(SHORT if self.options.short else 256), *map(str, more)]

    def tuned(self, kind):
        """The fastest batch size for the widest beam."""
        if kind not in self.batch:
            out, _, _ = run(self.worker(kind, "--beam", max(self.options.beams), "--tune",
                                        TUNING_LINES))
            self.batch[kind] = json.loads(out)["batch"]
        return self.batch[kind]

    def whole(self, kind, threads, beam, *more):
        out, _, _ = run(self.worker(kind, "--threads", threads, "--beam", beam, "--batch",
                                    self.tuned(kind), *more))
        return json.loads(out)

    def measure(self, *what):
        found = self.whole(*what, "--latency", LATENCY_LINES)
        return dict(found, alone=found["seconds"])

    def start(self, _):
        _, seconds, _ = run(self.worker("f32", "--one"))
        return {"seconds": seconds}


def compare_outputs(options, ours, theirs, scratch):
    """How many lines are the same; too few of them, and there is nothing to time."""
    path = os.path.join(scratch, "theirs")
    for beam in options.beams:
        mine = ours.whole("f32", options.threads[0], beam)["output"].split("\n")[:-1]
        theirs.whole("f32", options.threads[0], beam, "--write", path)
        with open(path, encoding="utf-8", newline="\n") as file:
            other = [line.rstrip("\n").replace("@@ ", "") for line in file]
        same = sum(a == b for a, b in zip(mine, other))
        print(f"beam {beam}: {same} of {len(other)} lines are translated alike", flush=True)
        if len(mine) != len(other) or same < options.alike * len(other) and not options.short:
            sys.exit("too few: these are not the same model")


def spread(values):
    """Half the distance of the quartiles over the median, in per cent."""
    if len(values) < 3:
        return 0
    low, middle, high = statistics.quantiles(values, n=4)
    return 50 * (high - low) / middle


def turns(rounds, *sides):
    """Runs the sides in turn; of each what its runs gave."""
    found = [[] for _ in sides]
    for _ in range(rounds):
        for side, runs in zip(sides, found):
            runs.append(side())
    return found


def row(name, unit, mine, other, key):
    """Prints a row; the ratio is theirs to ours: above 1, ours is faster or smaller."""
    mine, other = ([run[key] for run in runs] for runs in (mine, other))
    a, b = statistics.median(mine), statistics.median(other)
    print(f"| {name} | {a:.3g} {unit} ({spread(mine):.0f} %) | {b:.3g} {unit} "
          f"({spread(other):.0f} %) | {b / a:.2f} |", flush=True)


def measure_shape(options, ours, theirs, what):
    """Throughput, memory and latency with one type of numbers, some threads and a beam."""
    kind, threads, beam = what
    name = f"{kind}, {threads} thread{'s' * (threads > 1)}, beam {beam}"
    mine, other = turns(options.rounds, lambda: ours.measure(*what),
                        lambda: theirs.measure(*what))
    row(f"{name}: the whole text", "s", mine, other, "seconds")
    row(f"{name}: the text without the start", "s", mine, other, "alone")
    row(f"{name}: peak memory", "MiB", mine, other, "mebibytes")
    row(f"{name}: a line alone", "s", mine, other, "latency")


def measure(options, scratch):
    ours, theirs = Ours(options), Theirs(options, scratch)
    compare_outputs(options, ours, theirs, scratch)
    with open(options.text, encoding="utf-8", newline="\n") as file:
        first = file.readline()
    line = os.path.join(scratch, "line")
    with open(line, "w", encoding="utf-8") as file:
        file.write(first)
    print("\n| what | dragoman | CTranslate2 | ratio |\n|---|---|---|---|", flush=True)
    for what in itertools.product(options.types, options.threads, options.beams):
        measure_shape(options, ours, theirs, what)
    row("start to the first translation", "s",
        *turns(options.rounds, lambda: ours.start(line), lambda: theirs.start(line)), "seconds")


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("text")
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--beams", type=int, nargs="+", default=[1, 5])
    parser.add_argument("--types", nargs="+", choices=PEER_TYPE, default=list(PEER_TYPE))
    parser.add_argument("--alike", type=float, default=0.98,
                        help="share of lines that must be translated alike")
    parser.add_argument("--short", action="store_true",
                        help=f"cut translations after about {SHORT} tokens, for models that hardly "
                        "learned and do not end, whose searches differ in when they give up")
    return parser.parse_args()


def main():
    with tempfile.TemporaryDirectory(prefix="bench-peers-") as scratch:
        measure(read_arguments(), scratch)


if __name__ == "__main__":
    main()
