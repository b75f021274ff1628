/*
 * json.h: reads JSON (RFC 8259) value by value, for files whose form is known.
 *
 * The caller asks for what must come next; anything else is DGM_DATA at file, line and column. So
 * nothing recurses, and memory is what the caller gives. Strings must be UTF-8 without U+0000.
 */
#ifndef DGM_TEXT_JSON_H
#define DGM_TEXT_JSON_H

#include "base/buf.h"
#include "base/env.h"

struct dgm_json {
    struct dgm_env *env;
    const char *path; /* for messages */
    long line;
    const char *text;
    size_t size, at;
};

void dgm_json_start(struct dgm_json *json, struct dgm_env *env, const char *path, long line,
                    const char *text, size_t size);

/* DGM_DATA here: found what stands there; expected `expected`. */
dgm_status dgm_json_fail(const struct dgm_json *json, const char *expected);

/* This mark must come: one of { } [ ] : , */
dgm_status dgm_json_mark(struct dgm_json *json, char mark);
/* The same if it comes: 1, else 0 and nothing is read. */
int dgm_json_try(struct dgm_json *json, char mark);
/*
 * Before each item of a list or object: *more = 0 behind the last, when `close` has been read.
 * *count is how many came so far, 0 before the first call.
 */
dgm_status dgm_json_item(struct dgm_json *json, char close, size_t *count, int *more);

/* Replaces the content of out by a string, ended by NUL; with its colon, the name of a member. */
dgm_status dgm_json_string(struct dgm_json *json, struct dgm_buf *out);
dgm_status dgm_json_name(struct dgm_json *json, struct dgm_buf *out);
int dgm_json_is_string(struct dgm_json *json);

dgm_status dgm_json_real(struct dgm_json *json, double *value);
/* A whole number within low..high. */
dgm_status dgm_json_int(struct dgm_json *json, int64_t low, int64_t high, int64_t *value);

/* Nothing but blanks may follow. */
dgm_status dgm_json_end(struct dgm_json *json);

#endif
