/*
 * json.h: just enough JSON for files of known form: finding keys, reading numbers in order.
 */
#ifndef DGM_TEST_JSON_H
#define DGM_TEST_JSON_H

#include <string.h>

#include "base/file/file.h"
#include "base/number/number.h"
#include "test.h"

/* Whole file with a NUL behind it; 0 when it cannot be read. The caller clears the buffer. */
static inline int json_read(struct dgm_buf *text, const char *folder, const char *name)
{
    struct dgm_buf path = { NULL, 0, 0, 0 };
    int done =
        dgm_buf_add_format(test_env(), &path, "%s/golden/optim/%s", folder, name) == DGM_OK &&
        dgm_file_read(test_env(), text, path.data) == DGM_OK &&
        dgm_buf_add_char(test_env(), text, '\0') == DGM_OK;

    dgm_buf_clear(test_env(), &path);
    return done;
}

/* Just behind "key": at or after `at`, or NULL. */
static inline const char *json_find(const char *at, const char *key)
{
    size_t length = strlen(key);

    while (at != NULL && (at = strchr(at, '"')) != NULL) {
        if (strncmp(at + 1, key, length) == 0 && at[length + 1] == '"' && at[length + 2] == ':')
            return at + length + 3;
        at++;
    }
    return NULL;
}

/* The next `count` numbers from `at`, brackets and commas skipped; where they end, or NULL. */
static inline const char *json_numbers(const char *at, double *out, int count)
{
    int i;

    for (i = 0; i < count && at != NULL; i++) {
        size_t length;
        at += strspn(at, "[], \n");
        length = strspn(at, "+-.0123456789eE");
        if (length == 0 || !dgm_number_real(&out[i], at, length))
            return NULL;
        at += length;
    }
    return at;
}

/* The number behind a key. */
static inline double json_number(const char *at, const char *key)
{
    double value = 0;

    return json_numbers(json_find(at, key), &value, 1) != NULL ? value : 0 / value;
}

/* How many numbers the list behind `at` holds, up to the first closing bracket. */
static inline int json_count(const char *at)
{
    int count = 1;

    for (; *at != ']' && *at != '\0'; at++)
        count += *at == ',';
    return count;
}

#endif
