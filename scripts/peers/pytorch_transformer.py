#!/usr/bin/env python3
"""pytorch_transformer.py: a plain Transformer in PyTorch, as the rival of training.py.

    pytorch_transformer.py --config RECIPE [OPTION]... SOURCE TARGET

Trains for a few updates on two files of words or pieces and prints one line of
JSON: target tokens per second, peak memory, loss. RECIPE is a recipe of `dragoman train`
(post-norm, fairseq's sinusoids, all embeddings tied); sizes, dropout, label smoothing,
Adam and its rate come from there. float32, eager mode, standard modules only.

--device cuda trains on a GPU of NVIDIA, on which batches lie before the clock starts;
--precision tf32 lets its products have operands of 11 bits, bf16 is torch.autocast.

What is done in PyTorch's favour: batches are padded and turned into tensors before the
clock starts; rows of padding are left out of the product with the vocabulary, which is the
largest of all; no gradient norm is taken; with `auto`, several usual ways to write
attention, all of Adam's loops, and the library's loss beside one by hand that passes over
the logits less often, are tried first, in a process of their own, and the fastest is taken.

Batches (--order):
  packed    sentences in random order, cut where the sum of max(source, target) passes
            batch-tokens: the batches of `dragoman train`, padded
  bucketed  fairseq's: sorted by length, cut where longest * sentences passes batch-tokens,
            a multiple of 8 sentences where there are more; batches in random order
"""
import argparse
import collections
import contextlib
import json
import math
import os
import random
import resource
import sys
import time

PAD, EOS, UNK, SPECIALS = 1, 2, 3, 4  # the first numbers of dragoman's vocabularies

ATTENTION = ("bmm", "matmul", "sdpa", "mha", "layer")
ADAM = ("loop", "foreach", "fused")
LOSS = ("library", "own")
TRIAL = 5  # updates of each choice that `auto` tries, the first of them not timed


# ---- recipe and text ------------------------------------------------------------------


def read_config(path):
    """The `key = value` lines of a recipe, as text."""
    config = {"attention-dropout": "0", "activation-dropout": "0", "max-length": "1024"}
    with open(path, encoding="utf-8") as file:
        for line in file:
            key, equals, value = line.split("#")[0].partition("=")
            if equals:
                config[key.strip()] = value.strip()
    for key, value in (("transformer-norm", "post"), ("positions", "fairseq"),
                       ("tied-embeddings", "all"), ("lr-schedule", "inverse-sqrt"),
                       ("label-smoothing-form", "old")):
        if config.get(key) != value:
            sys.exit(f"{path}: expected {key} = {value}")
    return config


def read_lines(path):
    """Pieces stand between spaces: any other white space, such as U+00A0, belongs to a piece."""
    with open(path, encoding="utf-8", newline="\n") as file:
        return [[token for token in line.rstrip("\n").split(" ") if token] for line in file]


def number_tokens(sides, size):
    """Most frequent tokens first, equal ones in the order of their bytes."""
    counts = collections.Counter(token for side in sides for line in side for token in line)
    order = sorted(counts, key=lambda token: (-counts[token], token.encode()))
    if size:
        order = order[:size - SPECIALS]
    return {token: SPECIALS + i for i, token in enumerate(order)}


def read_pairs(paths, size, longest):
    """Pairs of lists of numbers, each with its end of sentence; and the vocabulary's size."""
    sides = [read_lines(path) for path in paths]
    numbers = number_tokens(sides, size)
    pairs = []
    for source, target in zip(*sides):
        if source and target and max(len(source), len(target)) < longest:
            pairs.append(tuple([numbers.get(token, UNK) for token in line] + [EOS]
                               for line in (source, target)))
    return pairs, SPECIALS + len(numbers)


# ---- batches --------------------------------------------------------------------------


def longer_side(pair):
    return max(len(pair[0]), len(pair[1]))


def cut_packed(pairs, limit):
    batches, tokens = [], limit
    for pair in pairs:
        tokens += longer_side(pair)
        if tokens > limit:
            batches.append([])
            tokens = longer_side(pair)
        batches[-1].append(pair)
    return batches


def cut_bucketed(pairs, limit):
    batches, batch, longest = [], [], 0
    for pair in sorted(pairs, key=lambda pair: (len(pair[0]), len(pair[1]))):
        longest = max(longest, longer_side(pair))
        if batch and longest * (len(batch) + 1) > limit:
            full = max(8 * (len(batch) // 8), len(batch) % 8)
            batches.append(batch[:full])
            batch = batch[full:]
            longest = max(longer_side(p) for p in batch + [pair])
        batch.append(pair)
    return batches + [batch]


def cut(pairs, order, limit, generator):
    pairs = list(pairs)
    generator.shuffle(pairs)
    if order == "packed":
        return cut_packed(pairs, limit)
    batches = cut_bucketed(pairs, limit)
    generator.shuffle(batches)
    return batches


class Batch:
    """Padded tensors: source and shifted target (B,T); of real target tokens, the places in
    the flattened (B*T) and what is expected there."""

    def __init__(self, torch, pairs):
        def pad(lines):
            longest = max(map(len, lines))
            return torch.tensor([line + [PAD] * (longest - len(line)) for line in lines])

        expected = pad([target for _, target in pairs]).flatten()
        self.source = pad([source for source, _ in pairs])
        self.shifted = pad([[EOS] + target[:-1] for _, target in pairs])
        self.rows = (expected != PAD).nonzero().flatten()
        self.expected = expected[self.rows]
        self.labels = len(self.rows)
        self.padding = self.source == PAD


# ---- model ----------------------------------------------------------------------------


def make_model(torch, config, vocab, way, longest):
    """A Transformer whose attention is written in one of the ways of ATTENTION."""
    nn, F = torch.nn, torch.nn.functional
    dim, ffn = int(config["dim-emb"]), int(config["transformer-dim-ffn"])
    heads, rate = int(config["transformer-heads"]), float(config["dropout"])
    attention_rate = float(config["attention-dropout"])
    activation_rate = float(config["activation-dropout"])
    head_dim = dim // heads

    def drop(x, p, training):
        return F.dropout(x, p, training) if p > 0 else x

    class Attention(nn.Module):
        """Heads by hand; `mask` is a sum of 0 and -inf that fits (B,H,T,S), or None."""

        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.empty(3 * dim, dim))
            self.bias = nn.Parameter(torch.zeros(3 * dim))
            self.out = nn.Linear(dim, dim)

        def heads_of(self, x):
            return x.view(x.shape[0], x.shape[1], heads, head_dim).transpose(1, 2)

        def forward(self, x, keys, mask, is_causal):
            if keys is x:
                q, k, v = F.linear(x, self.weight, self.bias).chunk(3, dim=-1)
            else:
                q = F.linear(x, self.weight[:dim], self.bias[:dim])
                k, v = F.linear(keys, self.weight[dim:], self.bias[dim:]).chunk(2, dim=-1)
            q, k, v = self.heads_of(q), self.heads_of(k), self.heads_of(v)
            z = getattr(self, way)(q, k, v, mask, is_causal)
            return self.out(z.transpose(1, 2).reshape(x.shape))

        def matmul(self, q, k, v, mask, is_causal):
            scores = torch.matmul(q * head_dim ** -0.5, k.transpose(2, 3)) + mask
            weights = drop(scores.softmax(dim=-1), attention_rate, self.training)
            return torch.matmul(weights, v)

        def bmm(self, q, k, v, mask, is_causal):
            def flat(x):
                return x.reshape(-1, *x.shape[2:])
            mask = flat(mask.expand(q.shape[0], heads, -1, -1))
            scores = torch.baddbmm(mask, flat(q), flat(k).transpose(1, 2),
                                   alpha=head_dim ** -0.5)
            weights = drop(scores.softmax(dim=-1), attention_rate, self.training)
            return torch.bmm(weights, flat(v)).view(q.shape)

        def sdpa(self, q, k, v, mask, is_causal):
            return F.scaled_dot_product_attention(
                q, k, v, None if is_causal else mask, attention_rate if self.training else 0,
                is_causal)

    class ModuleAttention(nn.MultiheadAttention):
        def __init__(self):
            super().__init__(dim, heads, attention_rate, batch_first=True)

        def forward(self, x, keys, mask, is_causal):
            square = mask[0, 0] if is_causal else None
            padding = None if is_causal else mask[:, 0, 0]
            return super().forward(x, keys, keys, attn_mask=square, key_padding_mask=padding,
                                   need_weights=False)[0]

    class Layer(nn.Module):
        """Post-norm; `encoded` is None in the encoder."""

        def __init__(self, is_decoder):
            super().__init__()
            kind = ModuleAttention if way == "mha" else Attention
            self.attentions = nn.ModuleList(kind() for _ in range(1 + is_decoder))
            self.norms = nn.ModuleList(nn.LayerNorm(dim) for _ in range(2 + is_decoder))
            self.fc1, self.fc2 = nn.Linear(dim, ffn), nn.Linear(ffn, dim)

        def add(self, x, out, norm):
            return norm(x + drop(out, rate, self.training))

        def forward(self, x, mask, encoded=None, cross_mask=None):
            is_decoder = encoded is not None
            x = self.add(x, self.attentions[0](x, x, mask, is_decoder), self.norms[0])
            if is_decoder:
                out = self.attentions[1](x, encoded, cross_mask, False)
                x = self.add(x, out, self.norms[1])
            h = drop(self.fc1(x).relu(), activation_rate, self.training)
            return self.add(x, self.fc2(h), self.norms[-1])

    def module_layer(is_decoder):
        """PyTorch's own layer, its two other dropouts set to the recipe's rates."""
        kind = nn.TransformerDecoderLayer if is_decoder else nn.TransformerEncoderLayer
        layer = kind(dim, heads, ffn, rate, batch_first=True)
        layer.dropout.p = activation_rate
        layer.self_attn.dropout = attention_rate
        if is_decoder:
            layer.multihead_attn.dropout = attention_rate
        return layer

    def sinusoids(rows):
        angles = torch.arange(2, rows + 2).unsqueeze(1) * torch.exp(
            torch.arange(dim // 2) * -(math.log(10000) / (dim // 2 - 1)))
        return torch.cat([angles.sin(), angles.cos()], dim=1)

    class Transformer(nn.Module):
        def __init__(self):
            super().__init__()
            make_layer = module_layer if way == "layer" else Layer
            self.embed = nn.Embedding(vocab, dim)
            nn.init.normal_(self.embed.weight, std=dim ** -0.5)
            self.register_buffer("positions", sinusoids(longest))
            self.encoder = nn.ModuleList(
                make_layer(False) for _ in range(int(config["enc-depth"])))
            self.decoder = nn.ModuleList(
                make_layer(True) for _ in range(int(config["dec-depth"])))
            for name, parameter in self.named_parameters():
                if parameter.dim() == 2 and not name.startswith("embed"):
                    nn.init.xavier_uniform_(parameter)

        def look_up(self, ids):
            x = self.embed(ids) * math.sqrt(dim) + self.positions[:ids.shape[1]]
            return drop(x, rate, self.training)

        def forward(self, batch):
            """Logits of the real target tokens, (labels, vocab)."""
            length = batch.shifted.shape[1]
            causal = torch.full((length, length), -math.inf).triu(1)
            x, y = self.look_up(batch.source), self.look_up(batch.shifted)
            if way == "layer":
                for layer in self.encoder:
                    x = layer(x, src_key_padding_mask=batch.padding)
                for layer in self.decoder:
                    y = layer(y, x, tgt_mask=causal, memory_key_padding_mask=batch.padding)
            else:
                mask = torch.zeros(batch.padding.shape)
                mask = mask.masked_fill_(batch.padding, -math.inf)[:, None, None]
                for layer in self.encoder:
                    x = layer(x, mask)
                for layer in self.decoder:
                    y = layer(y, causal[None, None], x, mask)
            states = y.reshape(-1, dim).index_select(0, batch.rows)
            return F.linear(states, self.embed.weight)

    return Transformer()


# ---- training -------------------------------------------------------------------------


def make_loss(torch, way, smoothing):
    """Label-smoothed cross-entropy, the mean over rows, of logits (rows,V) and numbers (rows)."""
    class Smoothed(torch.autograd.Function):
        """Keeps the logarithms alone, and makes the gradient where they stand."""

        @staticmethod
        def forward(context, logits, expected):
            logs = torch.log_softmax(logits, dim=1)
            context.save_for_backward(logs, expected)
            right = logs.gather(1, expected[:, None]).sum()
            return -((1 - smoothing) * right + smoothing / logs.shape[1] * logs.sum()) / len(logs)

        @staticmethod
        def backward(context, gradient):
            logs, expected = context.saved_tensors
            out = logs.exp_().sub_(smoothing / logs.shape[1])
            out[torch.arange(len(out)), expected] -= 1 - smoothing
            return out.mul_(gradient / len(out)), None

    if way == "own":
        return Smoothed.apply
    return lambda logits, expected: torch.nn.functional.cross_entropy(
        logits, expected, label_smoothing=smoothing)


class Trainer:
    def __init__(self, torch, config, vocab, longest, ways, autocast=contextlib.nullcontext):
        attention, adam, loss = ways
        self.autocast = autocast
        self.config, self.updates = config, 0
        self.loss = make_loss(torch, loss, float(config["label-smoothing"]))
        self.model = make_model(torch, config, vocab, attention, longest).train()
        loop = {adam: True} if adam != "loop" else {"foreach": False}
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), lr=0.0, eps=float(config["adam-eps"]),
            betas=(float(config["adam-beta1"]), float(config["adam-beta2"])), **loop)

    def rate(self):
        first, peak = float(self.config["warmup-init-lr"]), float(self.config["lr"])
        warmup = float(self.config["warmup"])
        if self.updates < warmup:
            return first + self.updates * (peak - first) / warmup
        return peak * math.sqrt(warmup / self.updates)

    def update(self, batch):
        """One update; returns the mean loss of the batch."""
        self.optimizer.param_groups[0]["lr"] = self.rate()
        self.optimizer.zero_grad(set_to_none=True)
        with self.autocast():
            loss = self.loss(self.model(batch), batch.expected)
        loss.backward()
        self.optimizer.step()
        self.updates += 1
        return loss.item()


def measure(trainer, batches, warmup, window):
    """Trains on the batches; times those behind the warm-up, and each `window` of them."""
    for batch in batches[:warmup]:
        trainer.update(batch)
    batches = batches[warmup:]
    marks, labels, losses = [], [], []

    def mark():
        marks.append((time.perf_counter(), time.process_time(), sum(labels)))

    for i in range(0, len(batches), window):
        mark()
        for batch in batches[i:i + window]:
            losses.append(trainer.update(batch))
            labels.append(batch.labels)
    mark()
    seconds, cpu_seconds, tokens = (last - first for first, last in zip(marks[0], marks[-1]))
    return {"tokens_per_second": tokens / seconds,
            "best_window": max((after[2] - before[2]) / (after[0] - before[0])
                               for before, after in zip(marks, marks[1:])),
            "tokens_per_cpu_second": tokens / cpu_seconds,
            "tokens_per_update": tokens / len(batches),
            "loss": sum(losses[-window:]) / len(losses[-window:])}


def fastest(choices, make, batches):
    """The choice with the fastest single update; choices that this PyTorch lacks fail."""
    speeds = {}
    for choice in choices:
        try:
            speeds[choice] = measure(make(choice), batches, 1, 1)["best_window"]
        except (AttributeError, RuntimeError, TypeError, ValueError) as error:
            print(f"  {choice:8} not available: {str(error).splitlines()[0]}",
                  file=sys.stderr)
            continue
        print(f"  {choice:8} {speeds[choice]:8.0f} tokens/s", file=sys.stderr)
    return max(speeds, key=speeds.get)


def peak_megabytes():
    """Linux counts ru_maxrss in KiB, macOS in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2 ** 20


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--config", required=True)
    parser.add_argument("--order", choices=("packed", "bucketed"), default="bucketed")
    parser.add_argument("--vocab", type=int, default=0, help="largest vocabulary, 0: all")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--updates", type=int, default=40)
    parser.add_argument("--warmup", type=int, default=5)
    parser.add_argument("--window", type=int, default=5,
                        help="updates of the windows of which the fastest is reported")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--attention", choices=ATTENTION + ("auto",), default="auto")
    parser.add_argument("--adam", choices=ADAM + ("auto",), default="auto")
    parser.add_argument("--loss", choices=LOSS + ("auto",), default="auto")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--precision", choices=("f32", "tf32", "bf16"), default="f32",
                        help="of the products' operands on a GPU")
    parser.add_argument("--choose", action="store_true",
                        help="only say what `auto` takes")
    return parser.parse_args()


def main():
    options = read_arguments()
    for name in ("OMP", "MKL", "OPENBLAS", "BLIS"):  # read when the libraries are loaded
        os.environ[f"{name}_NUM_THREADS"] = str(options.threads)
    import torch
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    torch.set_default_device(options.device)
    torch.backends.cuda.matmul.allow_tf32 = options.precision == "tf32"
    autocast = contextlib.nullcontext
    if options.precision == "bf16":
        def autocast():
            return torch.autocast(options.device, torch.bfloat16)
    import_megabytes = peak_megabytes()

    config = read_config(options.config)
    longest = int(config["max-length"])
    pairs, vocab = read_pairs((options.source, options.target), options.vocab, longest)
    cut_up = cut(pairs, options.order, int(config["batch-tokens"]),
                 random.Random(options.seed))
    wanted = TRIAL if options.choose else options.warmup + options.updates
    batches = [Batch(torch, cut_up[i % len(cut_up)]) for i in range(wanted)]
    del pairs, cut_up

    ways = [options.attention, options.adam, options.loss]
    for i, choices in enumerate((ATTENTION, ADAM, LOSS)):
        if ways[i] == "auto":
            rest = [kind[0] if way == "auto" else way
                    for way, kind in zip(ways, (ATTENTION, ADAM, LOSS))]
            ways[i] = fastest(choices, lambda way: Trainer(
                torch, config, vocab, longest, rest[:i] + [way] + rest[i + 1:], autocast),
                batches[:TRIAL])
    result = {"torch": torch.__version__, "vocab": vocab, "threads": torch.get_num_threads(),
              **dict(zip(("attention", "adam", "loss_way"), ways))}
    if not options.choose:
        trainer = Trainer(torch, config, vocab, longest, ways, autocast)
        result["parameters"] = sum(p.numel() for p in trainer.model.parameters())
        result.update(measure(trainer, batches, options.warmup, options.window))
        result["megabytes"] = peak_megabytes()
        result["import_megabytes"] = import_megabytes
        if options.device == "cuda":
            result["device"] = torch.cuda.get_device_name()
            result["device_megabytes"] = torch.cuda.max_memory_allocated() / 2 ** 20
    print(json.dumps(result))


if __name__ == "__main__":
    main()
