#!/usr/bin/env python3
"""training.py: speed and memory of training, `dragoman train` against PyTorch.

    training.py --dragoman PROGRAM --config RECIPE [OPTION]... SOURCE TARGET

Both train the model of the recipe
for --warmup + --updates updates on the CPU, in float32, with the same number of threads
and the same pieces: BPE learned and applied by dragoman beforehand, one joint vocabulary.
Runs take turns, --rounds times; medians count. Without --dragoman, PyTorch runs alone on the
10,000 most frequent words. PyTorch has tcmalloc, where the machine has it.

What is compared
  tokens/s    target tokens, ends of sentences included, over the time of the updates
              behind the warm-up; "window": in the fastest --window updates in a row, which
              other work on the machine disturbs least; "per CPU second": over the time
              that all threads of the process were computing or spinning
  peak RSS    of the whole process: for PyTorch with Python and the library (their share is
              printed), for dragoman with the corpus, reading it and writing a model file
  batches     dragoman packs random sentences without padding, batch-tokens a batch.
              PyTorch runs twice: on batches cut in the same way, padded ("packed"), and in
              its usual form, fairseq's batches by length ("bucketed"), whose batch-tokens
              include the padding, so that an update sees somewhat fewer tokens. The second
              is the one to compare with.

What is not compared
  The quality of what is learned: the loss after the last updates is printed for both only
  to show that they do the same work; seeds and order differ. GPUs, half precision,
  torch.compile (on CPUs slower where it was tried). Reading and cutting the text:
  dragoman cuts batches and takes the gradient's norm while the clock runs, PyTorch does
  neither (see pytorch_transformer.py for what else is done in its favour). A PyTorch without MKL
  (Debian's) is slower than the one from PyPI: the interpreter that runs this script
  decides which is measured.
"""
import argparse
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
LOG_LINE = re.compile(r"Up\. (\d+) : .* : Cost ([\d.]+) \* ([\d,]+) : .* ([\d.]+) words/s")


# ---- processes ------------------------------------------------------------------------


def run(command, log=None, **environment):
    """Runs a process; its standard output, and its peak memory in MiB. Each line of its
    standard error goes to `log`, with the process's number, or straight through."""
    process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE if log else None, text=True)
    lines = []
    reader = threading.Thread(target=lambda: lines.extend(process.stdout))
    reader.start()
    errors = []
    for line in process.stderr if log else ():
        errors.append(line)
        log(line, process.pid)
    reader.join()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{''.join(errors[-20:])}failed: {' '.join(command)}")
    unit = 1 if sys.platform == "darwin" else 1024
    return "".join(lines), usage.ru_maxrss * unit / 2 ** 20


def cpu_seconds(pid):
    """CPU time of a running process so far; None where there is no /proc."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# ---- the two sides --------------------------------------------------------------------


def segment(options, scratch):
    """BPE codes of both sides, and both sides in pieces; their paths."""
    codes = os.path.join(scratch, "codes")
    with open(options.config, encoding="utf-8") as file:
        merges = re.search(r"^bpe-merges *= *(\d+)", file.read(), re.M).group(1)
    run([options.dragoman, "bpe", "learn", "-s", merges, "-o", codes, options.source,
         options.target])
    pieces = [os.path.join(scratch, name) for name in ("source", "target")]
    for text, path in zip((options.source, options.target), pieces):
        run([options.dragoman, "bpe", "apply", "-c", codes, "-i", text, "-o", path])
    return codes, pieces


def run_dragoman(options, codes, scratch):
    points, facts = [], {}

    def log(line, pid):
        found = LOG_LINE.search(line)
        if found:
            update, cost, labels, speed = found.groups()
            points.append((int(update), float(cost), int(labels.replace(",", "")),
                           float(speed), cpu_seconds(pid)))
        found = re.search(r"device: ([^;]*)|parameters: (\d+) \(vocabularies (\d+)", line)
        if found and found.group(1):
            facts["device"] = found.group(1)
        elif found:
            facts["parameters"], facts["vocab"] = map(int, found.groups()[1:])

    _, facts["megabytes"] = run(
        [options.dragoman, "train", "--config", options.config, "--codes", codes,
         "--train-sets", options.source, options.target, "--model",
         os.path.join(scratch, "model.gguf"), "--no-resume", "--overwrite",
         "--threads", str(options.threads),
         "--after", f"{options.warmup + options.updates}u", "--disp-freq",
         f"{options.window}u", "--save-freq", "1000000u"], log)
    # Windows behind the warm-up: tokens, tokens/s and cost; the seconds follow.
    start = next(i for i, point in enumerate(points) if point[0] >= options.warmup)
    tokens = [after[2] - before[2] for before, after in zip(points[start:], points[start + 1:])]
    speeds = [point[3] for point in points[start + 1:]]
    seconds = sum(n / speed for n, speed in zip(tokens, speeds))
    cpu = (points[-1][4] or 0) - (points[start][4] or 0)
    facts.update(tokens_per_second=sum(tokens) / seconds, best_window=max(speeds),
                 tokens_per_cpu_second=sum(tokens) / cpu if cpu > 0 else float("nan"),
                 tokens_per_update=sum(tokens) / (points[-1][0] - points[start][0]),
                 loss=points[-1][1])
    return facts


def tcmalloc():
    """The path of the allocator that suits PyTorch best; empty where it is not installed."""
    found = [path for folder in ("/usr/lib", "/usr/lib/*", "/usr/local/lib")
             for path in glob.glob(f"{folder}/libtcmalloc_minimal.so.*")]
    return min(found, key=len, default="")


def run_pytorch(options, pieces, vocab, *more):
    out, _ = run([sys.executable, os.path.join(HERE, "pytorch_transformer.py"), "--config",
                  options.config, "--threads", str(options.threads), "--updates",
                  str(options.updates), "--warmup", str(options.warmup), "--window",
                  str(options.window), "--vocab", str(vocab), *more, *pieces],
                 LD_PRELOAD=tcmalloc())
    return json.loads(out.splitlines()[-1])


# ---- the table ------------------------------------------------------------------------


def median(runs):
    """The medians of speed and memory over several runs; the rest from the last."""
    result = dict(runs[-1])
    for key in ("tokens_per_second", "best_window", "tokens_per_cpu_second", "megabytes"):
        result[key] = statistics.median(run[key] for run in runs)
    return result


def show(name, result):
    print(f"{name:18} {result['tokens_per_second']:9.0f} {result['best_window']:9.0f} "
          f"{result['tokens_per_cpu_second']:9.0f} {result['megabytes']:9.0f} "
          f"{result['tokens_per_update']:9.0f} {result['loss']:8.3f}", flush=True)


def show_ratios(ours, theirs, order):
    def ratio(key):
        return ours[key] / theirs[key]
    print(f"dragoman / PyTorch {order}: {ratio('tokens_per_second'):.2f} x tokens/s, "
          f"{ratio('best_window'):.2f} x in the fastest window, "
          f"{ratio('tokens_per_cpu_second'):.2f} x per CPU second, "
          f"1/{1 / ratio('megabytes'):.1f} of the memory")


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--dragoman", help="the program; without it PyTorch runs alone")
    parser.add_argument("--config", required=True, help="a recipe of `dragoman train`")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--updates", type=int, default=40)
    parser.add_argument("--warmup", type=int, default=5)
    parser.add_argument("--window", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--attention", default="auto", help="as in pytorch_transformer.py")
    parser.add_argument("--adam", default="auto", help="as in pytorch_transformer.py")
    parser.add_argument("--loss", default="auto", help="as in pytorch_transformer.py")
    options = parser.parse_args()
    if options.warmup % options.window != 0 or options.warmup == 0:
        parser.error("--warmup must be a multiple of --window")
    return options


def compare(options, scratch):
    busy = os.getloadavg()[0]
    pieces, vocab, codes = [options.source, options.target], 10000, None
    if options.dragoman:
        vocab = 0
        codes, pieces = segment(options, scratch)
    ways = ["--attention", options.attention, "--adam", options.adam, "--loss", options.loss]
    if "auto" in ways:
        print("choosing among PyTorch's ways", flush=True)
        chosen = run_pytorch(options, pieces, vocab, *ways, "--choose")
        ways = ["--attention", chosen["attention"], "--adam", chosen["adam"], "--loss",
                chosen["loss_way"]]
    if busy > 0.5:
        print(f"other work is running here (load average {busy:.1f}): tokens/s and windows "
              "mean little,\nmost of all PyTorch's with several threads, which wait for each "
              "other spinning;\nwith --threads 1, tokens per CPU second hold")
    print(f"threads: {options.threads}\n"
          f"{'':18} {'tokens/s':>9} {'window':>9} {'/CPU s':>9} {'peak MiB':>9} "
          f"{'tokens/up':>9} {'loss':>8}", flush=True)
    runs = {"dragoman": [], "packed": [], "bucketed": []}
    for _ in range(options.rounds):
        if options.dragoman:
            runs["dragoman"].append(run_dragoman(options, codes, scratch))
            show("dragoman", runs["dragoman"][-1])
        for order in ("packed", "bucketed"):
            runs[order].append(run_pytorch(options, pieces, vocab, *ways, "--order", order))
            show(f"PyTorch {order}", runs[order][-1])
    theirs = runs["packed"][-1]
    print(f"PyTorch {theirs['torch']}: attention {theirs['attention']}, Adam {theirs['adam']}, "
          f"loss {theirs['loss_way']}, {'tcmalloc' if tcmalloc() else 'no tcmalloc'}, "
          f"{theirs['parameters']} parameters, vocabulary {theirs['vocab']}, "
          f"{theirs['import_megabytes']:.0f} MiB of its memory are Python and the library")
    if not options.dragoman:
        return
    ours = median(runs["dragoman"])
    print(f"dragoman: {ours['device']}, {ours['parameters']} parameters, "
          f"vocabulary {ours['vocab']}")
    if ours["parameters"] != theirs["parameters"]:
        print("the models differ in size: the comparison does not hold")
    for order in ("packed", "bucketed"):
        show_ratios(ours, median(runs[order]), order)


def main():
    options = read_arguments()
    with tempfile.TemporaryDirectory(prefix="bench-peers-") as scratch:
        compare(options, scratch)


if __name__ == "__main__":
    main()
