#!/usr/bin/env python3
"""link-times.py TRACE: of a trace of ranks of one machine, medians over updates, in milliseconds:
what rank 0 waits for computation (the slowest rank's batches), what exchanges take, and the update.

An exchange begins when the last rank comes to it, and has computed its batch, and ends when the last
rank has its part: waiting for a slower rank does not count, nor does what travels while ranks compute.
The first two updates are left out."""
import json
import statistics
import sys

rows, updates, clock = {}, {}, {}
batches = {}
with open(sys.argv[1], encoding="ascii") as file:
    events = json.load(file)
for event in events:
    if event["name"] == "process_name":
        clock[event["pid"]] = event["args"]["clock"]
for event in events:
    if event["ph"] != "X":
        continue
    start = clock[event["pid"]] + 1e-6 * event["ts"]
    span = (start, start + 1e-6 * event["dur"])
    if event["name"] == "transfer":
        rows.setdefault(event["pid"], []).append(span)
    elif event["name"] == "update":
        updates.setdefault(event["pid"], []).append(span)
    elif event["name"] == "batch":
        batches.setdefault(event["pid"], []).append(span)

count = min(len(row) for row in rows.values())
ranks = sorted(rows)
exchanges = []

def began(rank, start, end):
    """Behind the batches that were computed in between."""
    return max([start] + [e for s, e in batches.get(rank, []) if start <= e <= end])

for k in range(count):
    spans = [(began(rank, *rows[rank][k]), rows[rank][k][1]) for rank in ranks]
    exchanges.append((max(s for s, _ in spans), max(e for _, e in spans)))

def inside(spans, update):
    return [(s, e) for s, e in spans if update[0] <= e <= update[1]]

# The order to make an update stands before it.
compute, sending, whole = [], [], []
for k in range(2, len(updates[0])):
    update = (max(updates[0][k - 1][1], updates[0][k][0] - 0.5), updates[0][k][1] + 1e-4)
    here = inside(exchanges, update)
    sending.append(sum(e - s for s, e in here))
    compute.append(max(sum(e - s for s, e in inside(batches.get(rank, []), update)) for rank in ranks))
    whole.append(updates[0][k][1] - updates[0][k - 1][1])
print(*(f"{1e3 * statistics.median(times):.2f}" for times in (compute, sending, whole)))
