/*
 * flat_json.h: reads a JSON object whose members are not known before: a line of a log.
 *
 * Members are numbers and strings; true, false, lists and objects are skipped. Beside the numbers
 * of RFC 8259 it takes what programs write that have none: nan, inf, -inf, NaN, Infinity and null,
 * which are no finite numbers.
 */
#ifndef DGM_TEXT_FLAT_JSON_H
#define DGM_TEXT_FLAT_JSON_H

#include "text/json.h"

struct dgm_flat_member {
    size_t name;  /* where it begins in `bytes`, ended by NUL */
    size_t text;  /* the same of a string */
    double value; /* of a number; NaN or infinite where it is no finite one */
    int is_text;
};

/* Zero-initialise, read any number, clear. */
struct dgm_flat {
    struct dgm_flat_member *members;
    size_t count, capacity;
    struct dgm_buf bytes, scratch;
};

/* DGM_DATA at path and line unless it is an object. */
dgm_status dgm_flat_read(struct dgm_env *env, struct dgm_flat *flat, const char *path, long line,
                         const char *text, size_t size);
void dgm_flat_clear(struct dgm_env *env, struct dgm_flat *flat);

static inline const char *dgm_flat_name(const struct dgm_flat *flat, size_t i)
{
    return flat->bytes.data + flat->members[i].name;
}

/* The number of this name: 1, or 0 where there is none. Of two the last one counts. */
int dgm_flat_number(const struct dgm_flat *flat, const char *name, double *value);
/* The string of this name, or NULL. */
const char *dgm_flat_text(const struct dgm_flat *flat, const char *name);

#endif
