/*
 * yml.h: reads the part of YAML 1.2 that Marian writes: one mapping of names to plain or quoted
 * values on a line each, and to lists of such values, "[a, b]" or a "- a" on a line each. A name
 * may stand alone behind "?", its value behind ":" on the next line: so yaml-cpp writes long ones,
 * and PyYAML others, in quotes over several lines. The mapping may be indented as a whole, or stand
 * in braces over any lines, as JSON does. Tags of YAML's own (!!str, !!int) are passed over.
 *
 * It is for configurations and vocabularies of other programs. Whatever else YAML has, mappings
 * inside mappings, anchors, other tags, blocks of text, is refused with its line.
 */
#ifndef DGM_TEXT_YML_H
#define DGM_TEXT_YML_H

#include "base/buf.h"
#include "base/env.h"

struct dgm_yml_item {
    const char *key, *value; /* ended by NUL, and without another one; borrowed for the call */
    size_t key_bytes, value_bytes;
    int is_item, is_quoted; /* of a list; the value was */
    long line;
};

/* Told of every value, in order; a list without items is not told. */
typedef dgm_status dgm_yml_fn(struct dgm_env *env, void *user, const struct dgm_yml_item *item);

/* DGM_DATA at path and line. A name that comes twice is told twice. */
dgm_status dgm_yml_read(struct dgm_env *env, const char *path, const char *text, size_t size,
                        dgm_yml_fn *fn, void *user);

#endif
