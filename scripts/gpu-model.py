#!/usr/bin/env python3
"""gpu-model.py TRACE...: predicts how long the launches of a trace take on GPUs that nobody has at hand.

A trace is a CSV file that names each launch of an update (CL_NULL_TRACE=out/trace make bench B=null
writes out/trace.h100.csv and so on). The last part of its name but .csv says which card it is for,
since the choice of kernels depends on the card. Several traces of one card are compared.

A prediction is no measurement. A launch takes the longest of three times:
  compute  its FLOP, at the card's peak in f32, times what its kernel can reach of a busy unit (EFFICIENCY),
           times the share of the card that its groups keep busy (busy_share);
  memory   its bytes, each operand once, at MEMORY_SHARE of the card's bandwidth, or less where there
           are too few work-items to ask for that much;
  launch   what a driver needs from one kernel to the next in an ordered queue.
The three guesses in capital letters below are not measured. Where people have measured such kernels, they
reach from two thirds of these numbers to one and a half times them: take a total as right within a
factor of 1.5, and the order of two traces of one card as more reliable than either of them.
"""
import argparse
import csv
import math
import sys

# Peak f32 and bf16 (dense) in TFLOP/s, memory in GB/s, units to which groups go, and how many of the driver's
# CL_DEVICE_MAX_COMPUTE_UNITS are one such unit; work-items that keep a unit busy: two subgroups for each of
# its pipelines, which hide each other's latency; microseconds from kernel to kernel: assumed for all.
CARDS = {
    # NVIDIA H100 Tensor Core GPU data sheet, SXM5: 67 TFLOP/s, 989 bf16 without sparsity, 3.35 TB/s; H100
    # white paper: 132 SMs of 4 x 32 lanes.
    "h100": dict(name="NVIDIA H100 SXM5", f32=67, bf16=989, memory=3350, units=132, full=256, launch=3),
    # AMD Instinct MI210 data sheet: 22.6 TFLOP/s f32 vector, 181 bf16 matrix, 1.6 TB/s, 104 compute units;
    # CDNA2 white paper: 4 x 16 lanes, waves of 64.
    "mi210": dict(name="AMD Instinct MI210", f32=22.6, bf16=181, memory=1638, units=104, full=512, launch=5),
    # Intel ARK, Arc A770 16GB: 32 Xe cores of 16 vector engines (8 lanes), 2.1 GHz, 560 GB/s; f32 is
    # 4096 lanes x 2 x 2.1 GHz, bf16 by XMX 8 times that.
    "a770": dict(name="Intel Arc A770 16GB", f32=17.2, bf16=137.6, memory=560, units=32, full=256, launch=8),
    # One stack, as OpenCL shows it, of two of a Data Center GPU Max 1550; Intel's product brief: 52.4 TFLOP/s f32,
    # 839 bf16, 3.28 TB/s, 128 Xe cores of 8 vector engines (16 lanes), here half of each.
    "pvc": dict(name="Intel Max 1550, one stack", f32=26.2, bf16=419, memory=1640, units=64, full=256, launch=8),
}

# Share of a busy unit's peak. Products: eight local loads of 16 bytes a pair of steps beside 128 multiply-adds fill
# local memory's time as well as the arithmetic's, so neither runs alone. Attention: nine local loads for eight
# multiply-adds, where a unit has 32 loads a cycle for 128 of these: 28 of 128.
EFFICIENCY = {"product": 0.65, "small product": 0.55, "attention": 0.2, "other": 0.3}
MEMORY_SHARE = 0.8

BLOCK = 256  # steps of a block of a sum (src/kernel/gemm.h)
REAL = 4

CLASSES = [
    ("products NN, NT", ("gemm_gpu_nn", "gemm_gpu_nt", "gemm_gpu_thin", "gemm_gpu_blocks_nn")),
    ("products TN (gradients)", ("gemm_gpu_tn", "gemm_gpu_blocks_tn")),
    ("attention", ("attention", "add_parts")),
    ("norms, residuals", ("norm", "residual")),
    ("loss", ("cross_entropy",)),
    ("optimiser", ("adam", "adadelta", "sum_s")),
    ("embeddings, others", ("",)),
]


def class_of(kernel):
    return next(name for name, begins in CLASSES if kernel.startswith(begins))


def size_of(text):
    return math.prod(int(side) for side in text.split("x"))


def read_trace(path):
    """The launches of a file: dicts with numbers. Blocks of a sum and their addition are told apart here."""
    launches, product = [], None
    with open(path, newline="") as file:
        rows = csv.DictReader(file)
        wanted = ["kernel", "global", "local", "task", "flop", "read", "written", "m", "n", "k"]
        if rows.fieldnames != wanted:
            sys.exit(f"{path}: line 1: expected the columns {','.join(wanted)}")
        for row in rows:
            try:
                one = {name: float(row[name]) for name in wanted[4:]}
                one["items"] = size_of(row["local"])
                one["groups"] = size_of(row["global"]) // one["items"]
            except (TypeError, ValueError, ZeroDivisionError):
                sys.exit(f"{path}: line {rows.line_num}: expected numbers: {row}")
            one["kernel"] = row["kernel"]
            one["class"] = class_of(row["kernel"])
            if row["task"] == "gemm":
                product = one
            if row["kernel"].startswith("gemm_gpu_blocks"):
                one["read"] = REAL * one["k"] * (one["m"] + one["n"])
                one["written"] = parts_of(one)
            elif row["kernel"] == "gemm_add":
                if product is None:
                    sys.exit(f"{path}: line {rows.line_num}: gemm_add before any product")
                one["written"] = REAL * product["m"] * product["n"]
                one["read"] = parts_of(product) + one["written"]
                one["flop"] = 2 * parts_of(product) / REAL
                one["class"] = product["class"]
            elif row["kernel"].startswith("residual_norm"):
                one["read"] -= one["written"] / 2  # what lies between the two tasks is not read again
            launches.append(one)
    if not launches:
        sys.exit(f"{path}: it names no launch")
    return launches


def parts_of(product):
    return REAL * product["m"] * product["n"] * math.ceil(product["k"] / BLOCK)


def kind_of(kernel):
    if kernel.startswith(("gemm_gpu_thin", "gemm_gpu_")) and not kernel.endswith("_128"):
        return "small product"
    if kernel.startswith("gemm_gpu_"):
        return "product"
    return "attention" if kernel.startswith("attention") else "other"


def busy_share(card, launch):
    """Groups go to units in rounds, of which the last may be short; a unit with few work-items waits for itself."""
    rounds = math.ceil(launch["groups"] / card["units"])
    even = launch["groups"] / (card["units"] * rounds)
    return even * min(1, rounds * launch["items"] / card["full"])


def time_of(card, launch):
    """Microseconds, and which of the three times it is."""
    speed = card["f32"] * 1e6 * EFFICIENCY[kind_of(launch["kernel"])] * busy_share(card, launch)
    asking = min(1, launch["groups"] * launch["items"] / (card["units"] * card["full"]))
    bandwidth = card["memory"] * 1e3 * MEMORY_SHARE * asking
    return max(
        (launch["flop"] / speed, "compute"),
        ((launch["read"] + launch["written"]) / bandwidth, "memory"),
        (card["launch"], "launch"),
    )


def predict(card, launches):
    table = {name: dict(launches=0, flop=0, bytes=0, time=0, bound={}) for name, _ in CLASSES}
    for launch in launches:
        line = table[launch["class"]]
        time, bound = time_of(card, launch)
        line["launches"] += 1
        line["flop"] += launch["flop"]
        line["bytes"] += launch["read"] + launch["written"]
        line["time"] += time
        line["bound"][bound] = line["bound"].get(bound, 0) + time
    return table


def print_table(card, path, launches):
    table = predict(card, launches)
    tokens = sum(one["m"] for one in launches if one["kernel"] == "cross_entropy")
    time = sum(line["time"] for line in table.values())
    flop = sum(line["flop"] for line in table.values())
    print(f"{card['name']}: PREDICTED, not measured, from {path}")
    print(f"  peak {card['f32']} TFLOP/s f32 ({card['bf16']} bf16, not used here), {card['memory']} GB/s, "
          f"{card['units']} units, {card['launch']} us a launch")
    print(f"  {'':<24}{'launches':>9}{'GFLOP':>9}{'MB':>9}{'ms':>9}{'share':>8}  most of it")
    for name, line in table.items():
        if line["launches"] == 0:
            continue
        most = max(line["bound"], key=line["bound"].get)
        print(f"  {name:<24}{line['launches']:>9}{line['flop'] / 1e9:>9.1f}{line['bytes'] / 1e6:>9.0f}"
              f"{line['time'] / 1e3:>9.2f}{100 * line['time'] / time:>7.0f}%  {most}")
    print(f"  {'all':<24}{len(launches):>9}{flop / 1e9:>9.1f}"
          f"{sum(line['bytes'] for line in table.values()) / 1e6:>9.0f}{time / 1e3:>9.2f}")
    if tokens > 0:
        print(f"  {tokens:.0f} target tokens: {1e6 * tokens / time:,.0f} a second, within a factor of 1.5; "
              f"{flop / time / 1e6:.1f} TFLOP/s, {100 * flop / time / 1e6 / card['f32']:.0f} % of the peak")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace", nargs="+", help="NAME.CARD.csv; cards: " + ", ".join(CARDS))
    for path in parser.parse_args().trace:
        word = path[:-4].rpartition(".")[2] if path.endswith(".csv") else ""
        if word not in CARDS:
            sys.exit(f"{path}: expected a name that ends in .CARD.csv, CARD one of {', '.join(CARDS)}")
        try:
            print_table(CARDS[word], path, read_trace(path))
        except OSError as error:
            sys.exit(f"{path}: {error.strerror}")


main()
