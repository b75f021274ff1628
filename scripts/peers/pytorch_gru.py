#!/usr/bin/env python3
"""pytorch_gru.py: the sequential recurrent model in PyTorch, as the rival of recurrent.sh.

    pytorch_gru.py [--threads N] [--rounds N] [--vocab N] [--dim N] [--sentences N] [--encoder KIND]

One update of the model of corpora/recipes/dynamic-rnn.conf on the CPU: a bidirectional GRU, a
decoder of two GRU cells with additive attention between them, Adadelta, the gradient cut to length
1. The sentences have the lengths of `make bench B=tree_rnn`, 15 to 50 words, drawn anew. Prints the
median time of an update: the process's processor time, and that on the wall.

In PyTorch's favour: batches are padded and turned into tensors before the clock starts; rows of
padding are left out of the readout and of the product with the vocabulary; keys of attention are
computed once; --encoder module (the default) is nn.GRU over a packed sequence, cells a loop of
GRUCell. The decoder, whose input depends on its state, is a loop of cells either way.
"""
import argparse
import random
import statistics
import sys
import time

PAD, EOS = 0, 2
SHORTEST, LONGEST = 15, 50

try:
    import torch
    from torch import nn
except ImportError:
    sys.exit("pytorch_gru.py: this interpreter has no PyTorch")


class Batch:
    """Longest source first; (B,T) numbers, their lengths, and the real places of targets."""

    def __init__(self, sentences, vocab, generator):
        def line():
            words = generator.randint(SHORTEST, LONGEST)
            return torch.tensor([generator.randrange(3, vocab) for _ in range(words)] + [EOS])

        def pad(lines):
            return nn.utils.rnn.pad_sequence(lines, batch_first=True, padding_value=PAD)

        pairs = sorted(((line(), line()) for _ in range(sentences)), key=lambda p: -len(p[0]))
        self.source = pad([source for source, _ in pairs])
        self.target = pad([target for _, target in pairs])
        self.lengths = torch.tensor([len(source) for source, _ in pairs])
        self.is_padding = self.source == PAD
        self.rows = (self.target.t().reshape(-1) != PAD).nonzero().flatten()  # time-major
        self.expected = self.target.t().reshape(-1)[self.rows]


class Encoder(nn.Module):
    def __init__(self, dim, kind):
        super().__init__()
        self.kind = kind
        if kind == "module":
            self.gru = nn.GRU(dim, dim, bidirectional=True, batch_first=True)
        else:
            self.cells = nn.ModuleList(nn.GRUCell(dim, dim) for _ in range(2))

    def run_cells(self, cell, x, is_padding, steps):
        """A padded step leaves the state as it is."""
        state, states = x.new_zeros(x.shape[0], cell.hidden_size), {}
        for t in steps:
            state = torch.where(is_padding[:, t, None], state, cell(x[:, t], state))
            states[t] = state
        return torch.stack([states[t] for t in sorted(states)], dim=1)

    def forward(self, x, lengths, is_padding):
        if self.kind == "module":
            packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
            return nn.utils.rnn.pad_packed_sequence(self.gru(packed)[0], batch_first=True)[0]
        steps = range(x.shape[1])
        return torch.cat([self.run_cells(self.cells[0], x, is_padding, steps),
                          self.run_cells(self.cells[1], x, is_padding, reversed(steps))], dim=2)


class Model(nn.Module):
    def __init__(self, vocab, dim, kind):
        super().__init__()
        self.source, self.target = nn.Embedding(vocab, dim), nn.Embedding(vocab, dim)
        self.encoder = Encoder(dim, kind)
        self.start = nn.Linear(2 * dim, dim)
        self.first, self.second = nn.GRUCell(dim, dim), nn.GRUCell(2 * dim, dim)
        self.key, self.query = nn.Linear(2 * dim, 2 * dim), nn.Linear(dim, 2 * dim, bias=False)
        self.score = nn.Linear(2 * dim, 1)
        self.readout, self.out = nn.Linear(4 * dim, dim), nn.Linear(dim, vocab)

    def forward(self, batch):
        states = self.encoder(self.source(batch.source), batch.lengths, batch.is_padding)
        states = states.masked_fill(batch.is_padding[..., None], 0)
        keys, y = self.key(states), self.target(batch.target)
        y = torch.cat([torch.zeros_like(y[:, :1]), y[:, :-1]], dim=1)
        state = torch.tanh(self.start(states.sum(1) / batch.lengths[:, None]))
        rows = []
        for t in range(y.shape[1]):
            middle = self.first(y[:, t], state)
            energy = self.score(torch.tanh(keys + self.query(middle)[:, None])).squeeze(2)
            weights = energy.masked_fill(batch.is_padding, float("-inf")).softmax(dim=1)
            context = torch.bmm(weights[:, None], states).squeeze(1)
            state = self.second(context, middle)
            rows.append(torch.cat([state, y[:, t], context], dim=1))
        read = torch.cat(rows).index_select(0, batch.rows)
        return self.out(torch.tanh(self.readout(read)))


def update(model, optimizer, batch, sentences):
    optimizer.zero_grad()
    logits = model(batch)
    loss = nn.functional.cross_entropy(logits, batch.expected, reduction="sum") / sentences
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1)
    optimizer.step()


def main():
    parser = argparse.ArgumentParser()
    for name, usual in (("threads", 2), ("rounds", 3), ("vocab", 30000), ("dim", 500),
                        ("sentences", 50)):
        parser.add_argument("--" + name, type=int, default=usual)
    parser.add_argument("--encoder", choices=("module", "cells"), default="module")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    batch = Batch(options.sentences, options.vocab, random.Random(1))
    model = Model(options.vocab, options.dim, options.encoder).train()
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1, rho=0.95, eps=1e-6)
    update(model, optimizer, batch, options.sentences)
    processor, wall = [], []
    for _ in range(options.rounds):
        start = time.process_time(), time.perf_counter()
        update(model, optimizer, batch, options.sentences)
        processor.append(time.process_time() - start[0])
        wall.append(time.perf_counter() - start[1])
    print(f"PyTorch {torch.__version__}, {options.encoder}: {len(batch.rows)} target words, "
          f"{1e3 * statistics.median(processor):.0f} ms of the processor, "
          f"{1e3 * statistics.median(wall):.0f} ms")


if __name__ == "__main__":
    main()
