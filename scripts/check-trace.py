#!/usr/bin/env python3
"""check-trace.py FILE...: whether each is a trace that `train --trace` may have written: JSON, and
complete events of which those of one row of one process nest."""
import json
import sys

for path in sys.argv[1:]:
    with open(path, encoding="ascii") as file:
        events = json.load(file)
    rows = {}
    for event in events:
        if event["ph"] == "M":
            continue
        assert event["ph"] == "X" and event["ts"] >= 0 and event["dur"] >= 0, event
        rows.setdefault((event["pid"], event["tid"]), []).append(event)
    assert rows, f"{path}: no events"
    named = {event["pid"] for event in events if event["name"] == "process_name"}
    assert named == {pid for pid, _ in rows}, f"{path}: processes {named}"
    for row in rows.values():
        row.sort(key=lambda event: (event["ts"], -event["dur"]))
        open_until = []
        for event in row:
            end = event["ts"] + event["dur"]
            while open_until and event["ts"] >= open_until[-1] - 0.002:  # digits that are written
                open_until.pop()
            assert not open_until or end <= open_until[-1] + 0.002, f"{path}: not nested: {event}"
            open_until.append(end)
