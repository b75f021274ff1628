#!/usr/bin/env python3
"""intl-tables.py: prints src/text/score/intl_data.c from the Unicode data of Python's module `regex`.
Usage: scripts/intl-tables.py > src/text/score/intl_data.c

sacreBLEU's tokeniser intl cuts by this module, whose Unicode is newer than that of any Perl or Python
(regex 2026.11.19: Unicode 18.0), so that its numbers are those of this table. The other tables are
made by scripts/*-tables.perl.
"""
import re
import sys
from importlib import metadata

import regex

KINDS = ((1, r"\p{P}"), (2, r"\p{S}"), (3, r"\p{N}"))


def kind_of(code):
    if 0xD800 <= code <= 0xDFFF:
        return 0
    return next((kind for kind, pattern in KINDS if regex.match(pattern, chr(code))), 0)


def runs():
    last = None
    for code in range(0x110000):
        kind = kind_of(code)
        if kind != last:
            yield f"0x{code << 2 | kind:X},"
        last = kind


def rows(words, width=88):
    line = "   "
    for word in words:
        if len(line) + 1 + len(word) > width:
            yield line
            line = "   "
        line += " " + word
    yield line


def main():
    about = metadata.metadata("regex")
    text = about.get_payload() or about["Description"]
    unicode = re.search(r"supports Unicode (\d+\.\d+)", text).group(1)
    table = list(runs())
    print(f"""/*
 * intl_data.c: punctuation, symbols and numbers of Unicode {unicode}, as a table.
 *
 * Written by scripts/intl-tables.py from the data of Python's regex {about["Version"]}; do not edit.
 */
#include "text/score/intl_data.h"

/* clang-format off */
const size_t dgm_intl_run_count = {len(table)};
const uint32_t dgm_intl_runs[] = {{""")
    print("\n".join(rows(table)))
    print("};\n/* clang-format on */")


sys.exit(main())
