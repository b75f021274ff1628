#!/usr/bin/env python3
"""gpu-model.py TRACE...: predicts how long the launches of a trace take on GPUs that nobody has at hand.

A trace is a CSV file that names each launch of an update (CL_NULL_TRACE=out/trace make bench B=null
writes out/trace.h100.csv and so on). The last part of its name but .csv says which card it is for,
since the choice of kernels depends on the card. Several traces of one card are compared.

A prediction is no measurement. A launch takes the longest of three times:
  compute  its FLOP, at the card's peak in f32, times what its kernel can reach of a busy unit (EFFICIENCY),
           times the share of the card that its groups keep busy (busy_share, pair_share);
  memory   its bytes, each operand once, at a share of the card's bandwidth, MEMORY_SHARE, or less where there
           are too few work-items to ask for that much;
  launch   what a driver needs from one kernel to the next in an ordered queue.
The shares in capital letters below are those that make the prediction for an NVIDIA H200 what was measured
there, by kind of kernel (doc/devices.md); for other cards they are guesses: take a total as right within a
factor of 1.5, and the order of two traces of one card as more reliable than either of them.
"""
import argparse
import csv
import heapq
import math
import sys

# Peak f32, tf32 and bf16 (dense) in TFLOP/s, memory in GB/s, units to which groups go, and how many of the driver's
# CL_DEVICE_MAX_COMPUTE_UNITS are one such unit; work-items that keep a unit busy: two subgroups for each of
# its pipelines, which hide each other's latency; microseconds from kernel to kernel: assumed for all.
CARDS = {
    # NVIDIA H100 Tensor Core GPU data sheet, SXM5: 67 TFLOP/s, 989 bf16 and 495 tf32 without sparsity, 3.35 TB/s; H100
    # white paper: 132 SMs of 4 x 32 lanes.
    "h100": dict(name="NVIDIA H100 SXM5", f32=67, tf32=495, bf16=989, memory=3350, units=132, full=256, launch=3),
    # NVIDIA H200 data sheet: an H100 with 4.8 TB/s. A trace for it is one of the H100 under this name.
    "h200": dict(name="NVIDIA H200", f32=67, tf32=495, bf16=989, memory=4800, units=132, full=256, launch=3),
    # AMD Instinct MI210 data sheet: 22.6 TFLOP/s f32 vector, 45.3 f32 matrix, which stands for tf32 (CDNA2 has none),
    # 181 bf16 matrix, 1.6 TB/s, 104 compute units; CDNA2 white paper: 4 x 16 lanes, waves of 64.
    "mi210": dict(name="AMD Instinct MI210", f32=22.6, tf32=45.3, bf16=181, memory=1638, units=104, full=512, launch=5),
    # Intel ARK, Arc A770 16GB: 32 Xe cores of 16 vector engines (8 lanes), 2.1 GHz, 560 GB/s; f32 is
    # 4096 lanes x 2 x 2.1 GHz, bf16 by XMX 8 times that, tf32 none: as f32.
    "a770": dict(name="Intel Arc A770 16GB", f32=17.2, tf32=17.2, bf16=137.6, memory=560, units=32, full=256, launch=8),
    # One stack, as OpenCL shows it, of two of a Data Center GPU Max 1550; Intel's product brief: 52.4 TFLOP/s f32,
    # 839 bf16, 419 tf32, 3.28 TB/s, 128 Xe cores of 8 vector engines (16 lanes), here half of each.
    "pvc": dict(name="Intel Max 1550, one stack", f32=26.2, tf32=209.5, bf16=419, memory=1640, units=64, full=256, launch=8),
}

# Share of a busy unit's peak, and of the memory's, that a kernel reaches.
EFFICIENCY = {
    "product": 0.52, "small product": 0.45, "tensor": 0.13, "small tensor": 0.08, "attention": 0.058, "other": 0.3
}
MEMORY_SHARE = {"norm": 0.23, "pack": 0.5, "other": 0.83}

BLOCK = 256  # steps of a block of a sum (src/kernel/gemm.h)
NARROW_BLOCK = 512  # the same of narrow numbers (opencl/gemm_tensor.clh)
REAL = 4
WORD = 4  # bytes of a packed word,
STEPS_OF_WORD = {"bf16": 2, "tf32": 1}  # and the reals in it; an item packs four words

CLASSES = [
    ("packing", ("gemm_bf16_pack", "gemm_tf32_pack")),
    ("products NN, NT", ("gemm_gpu_nn", "gemm_gpu_nt", "gemm_gpu_thin", "gemm_bf16", "gemm_tf32")),
    ("products TN (gradients)", ("gemm_gpu_tn", "gemm_gpu_pair")),
    ("attention", ("attention", "add_parts")),
    ("norms, residuals", ("norm", "residual")),
    ("loss", ("cross_entropy",)),
    ("optimiser", ("adam", "adadelta", "sum_s")),
    ("embeddings, others", ("",)),
]


# Kernels whose launches may have two products.
PAIRS = [f"gemm_{word}_{side}" for word in ("gpu_pair", "bf16", "tf32") for side in (128, 64)]


def class_of(kernel):
    return next(name for name, begins in CLASSES if kernel.startswith(begins))


def precision_of(kernel):
    """Of a kernel for narrow numbers; None: the kernel is another."""
    return next((word for word in STEPS_OF_WORD if kernel.startswith(f"gemm_{word}_")), None)


def size_of(text):
    return math.prod(int(side) for side in text.split("x"))


def numbers_of(row, path, line):
    """A launch of the trace; its products: (m, n, k) of each, the one with split sums first."""
    try:
        one = {name: float(row[name]) for name in ("flop", "read", "written")}
        sides = [[float(side) for side in row[name].split("+")] for name in ("m", "n", "k")]
        one["items"] = size_of(row["local"])
        one["groups"] = size_of(row["global"]) // one["items"]
    except (AttributeError, TypeError, ValueError, ZeroDivisionError):
        sys.exit(f"{path}: line {line}: expected numbers: {row}")
    one["products"] = list(zip(*sides))
    one["m"], one["n"], one["k"] = one["products"][0]
    one["kernel"] = row["kernel"]
    one["class"] = class_of(row["kernel"])
    return one


def read_trace(path):
    """The launches of a file: dicts with numbers. What a launch adds up for the one before is told apart here."""
    launches, rest, early, second = [], None, None, None
    with open(path, newline="") as file:
        rows = csv.DictReader(file)
        wanted = ["kernel", "global", "local", "task", "flop", "read", "written", "m", "n", "k"]
        if rows.fieldnames != wanted:
            sys.exit(f"{path}: line 1: expected the columns {','.join(wanted)}")
        for row in rows:
            one = numbers_of(row, path, rows.line_num)
            precision = precision_of(one["kernel"])
            if one["kernel"].startswith(f"gemm_{precision}_pack"):
                one["written"] = 4 * WORD * one["items"] * one["groups"]
                one["read"] = REAL / WORD * STEPS_OF_WORD[precision] * one["written"]
            elif one["kernel"] in PAIRS:
                if row["task"] == "" and second is not None:
                    one.update(bare_product(second))
                    row, second = dict(row, task="gemm"), None
                elif len(one["products"]) == 2 and one["groups"] == tiles_of(one["products"][0], side_of(one)):
                    second = one["products"][1]  # operands of both have no room beside each other: two launches
                    one.update(bare_product(one["products"][0]))
                if row["task"] == "" and early is not None:
                    row, early = early, None
                    one.update({name: value for name, value in numbers_of(row, path, rows.line_num).items()
                                if name in ("flop", "read", "written", "products", "m", "n", "k")})
                elif row["task"] != "" and rest is not None and one["groups"] == adding_groups(rest, one["items"]):
                    early = row  # told for the products behind this launch, which need what it adds up
                    row = dict(row, task="")
                    one.update(flop=0, read=0, written=0, products=[])
                if precision and row["task"] == "gemm" and is_packed_before(one, launches):
                    launches[-1]["written"] += WORD / STEPS_OF_WORD[precision] * one["m"] * one["k"]
                try:
                    rest = read_pair(one, row["task"], rest)
                except ValueError as error:
                    sys.exit(f"{path}: line {rows.line_num}: {error}")
            elif one["kernel"] == "embed_sort":  # compares each number with each: three operations
                one["flop"] = 3 * (one["items"] * one["groups"]) ** 2
            elif one["kernel"].startswith("residual_norm"):
                one["read"] -= one["written"] / 2  # what lies between the two tasks is not read again
            launches.append(one)
    if not launches:
        sys.exit(f"{path}: it names no launch")
    return launches


def bare_product(product):
    m, n, k = product
    return dict(flop=2 * m * n * k, read=REAL * (m * k + k * n), written=REAL * m * n, products=[product], m=m, n=n, k=k)


def is_packed_before(product, launches):
    """Whether the launch before has made op(a), and packed it, too: it packs nothing else, and fits."""
    before = launches[-1] if launches else None
    if before is None or "_pack" in before["kernel"]:
        return False
    return "gemm" not in before["kernel"] or (before["m"], before["n"]) == (product["m"], product["k"])


def side_of(launch):
    return int(launch["kernel"].rpartition("_")[2])


def adding_groups(rest, items):
    """Work-items have four columns each."""
    return math.ceil(rest[0] * math.ceil(rest[1] / 4) / items)


def tiles_of(product, side):
    return math.ceil(product[0] / side) * math.ceil(product[1] / side)


def read_pair(one, task, rest):
    """
    How long the groups of a launch of opencl/gemm_pair.clh are, in steps (0: they add up blocks), and what it
    reads and writes of blocks. rest: (m, n, blocks) that the launch before has left. Returns what this one leaves.
    The launch tells the groups that it has in all: hence the blocks of the split sum that have a group of their own,
    behind its first chunk.
    """
    side = side_of(one)
    precision = precision_of(one["kernel"])
    is_narrow = precision is not None
    if is_narrow:
        packed = WORD / STEPS_OF_WORD[precision]  # bytes of a real
        one["read"] -= sum((REAL - packed) * (m * k + k * n) for m, n, k in one["products"])
    if is_narrow and task == "gemm" and one["groups"] == tiles_of(one["products"][0], side):
        return rest
    adding, block = 0, NARROW_BLOCK if is_narrow else BLOCK
    if rest is not None:
        cells = rest[0] * rest[1]
        # Sums of lines have items, too, where there are any: at most m of them.
        adding = adding_groups(rest, one["items"])
        one["read"] += REAL * cells * (rest[2] + 1)
        one["written"] += REAL * cells
        one["flop"] += 2 * cells * rest[2]
    one["lengths"] = []
    if task == "":
        return None
    split = one["products"][0]
    whole = one["products"][1] if len(one["products"]) > 1 else None
    wholes = tiles_of(whole, side) if whole else 0
    stored = int((one["groups"] - wholes - adding) // tiles_of(split, side)) - 1
    blocks = math.ceil(split[2] / block)
    if not 0 <= stored <= max(0, blocks - 1):
        raise ValueError("a launch of products with another number of groups than its sums have")
    ends = [block * b for b in range(blocks - stored, blocks)] + [split[2]]
    for begin, end in zip([0] + ends, ends):
        one["lengths"] += [end - begin] * tiles_of(split, side)
    one["lengths"] += [whole[2]] * wholes if whole else []
    one["class"] = "products TN (gradients)"
    one["share"] = 1 if whole is None else split[2] * split[0] * split[1] / sum(math.prod(p) for p in one["products"])
    if stored == 0:
        return None
    one["written"] += REAL * split[0] * split[1] * stored
    return split[0], split[1], stored


def pair_share(card, launch):
    """Groups of unlike lengths, the longest first, each to the first unit that is free, or part of one."""
    parts = max(1, card["full"] // int(launch["items"]))
    slots = [0] * (card["units"] * parts)
    for length in sorted(launch["lengths"], reverse=True):
        heapq.heapreplace(slots, slots[0] + length)
    even = sum(launch["lengths"]) / (max(slots) * len(slots))
    return even * min(1, parts * launch["items"] / card["full"])


def kind_of(kernel):
    if precision_of(kernel):
        return {"128": "tensor", "64": "small tensor"}.get(kernel.rpartition("_")[2], "other")
    if kernel.startswith(("gemm_gpu_thin", "gemm_gpu_")) and not kernel.endswith("_128"):
        return "small product"
    if kernel.startswith("gemm_gpu_"):
        return "product"
    return "attention" if kernel.startswith("attention") else "other"


def busy_share(card, launch):
    """Groups go to units in rounds, of which the last may be short; a unit with few work-items waits for itself."""
    if launch.get("lengths"):
        return pair_share(card, launch)
    rounds = math.ceil(launch["groups"] / card["units"])
    even = launch["groups"] / (card["units"] * rounds)
    return even * min(1, rounds * launch["items"] / card["full"])


def time_of(card, launch):
    """Microseconds, and which of the three times it is."""
    kind = kind_of(launch["kernel"])
    precision = precision_of(launch["kernel"]) if "tensor" in kind else "f32"
    speed = card[precision] * 1e6 * EFFICIENCY[kind] * busy_share(card, launch)
    asking = min(1, launch["groups"] * launch["items"] / (card["units"] * card["full"]))
    share = next(value for word, value in MEMORY_SHARE.items() if word in launch["kernel"] or word == "other")
    bandwidth = card["memory"] * 1e3 * share * asking
    return max(
        (launch["flop"] / speed, "compute"),
        ((launch["read"] + launch["written"]) / bandwidth, "memory"),
        (card["launch"], "launch"),
    )


def predict(card, launches):
    table = {name: dict(launches=0, flop=0, bytes=0, time=0, bound={}) for name, _ in CLASSES}
    for launch in launches:
        time, bound = time_of(card, launch)
        table[launch["class"]]["launches"] += 1
        for name, share in shares_of(launch):
            line = table[name]
            line["flop"] += share * launch["flop"]
            line["bytes"] += share * (launch["read"] + launch["written"])
            line["time"] += share * time
            line["bound"][bound] = line["bound"].get(bound, 0) + share * time
    return table


def shares_of(launch):
    """Two products of one launch have its time as they have its FLOP."""
    share = launch.get("share", 1)
    return [(launch["class"], share)] + ([("products NN, NT", 1 - share)] if share < 1 else [])


def print_table(card, path, launches):
    table = predict(card, launches)
    tokens = sum(one["m"] for one in launches if one["kernel"] == "cross_entropy")
    time = sum(line["time"] for line in table.values())
    flop = sum(line["flop"] for line in table.values())
    print(f"{card['name']}: PREDICTED, not measured, from {path}")
    print(f"  peak {card['f32']} TFLOP/s f32, {card['tf32']} tf32, {card['bf16']} bf16 (for products in them), {card['memory']} GB/s, "
          f"{card['units']} units, {card['launch']} us a launch")
    print(f"  {'':<24}{'launches':>9}{'GFLOP':>9}{'MB':>9}{'ms':>9}{'share':>8}  most of it")
    for name, line in table.items():
        if not line["bound"]:
            continue
        most = max(line["bound"], key=line["bound"].get)
        print(f"  {name:<24}{line['launches']:>9}{line['flop'] / 1e9:>9.1f}{line['bytes'] / 1e6:>9.0f}"
              f"{line['time'] / 1e3:>9.2f}{100 * line['time'] / time:>7.0f}%  {most}")
    print(f"  {'all':<24}{len(launches):>9}{flop / 1e9:>9.1f}"
          f"{sum(line['bytes'] for line in table.values()) / 1e6:>9.0f}{time / 1e3:>9.2f}")
    if tokens > 0:
        print(f"  {tokens:.0f} target tokens: {1e6 * tokens / time:,.0f} a second, within a factor of 1.5; "
              f"{flop / time / 1e6:.1f} TFLOP/s, {100 * flop / time / 1e6 / card['f32']:.0f} % of the peak in f32")
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
