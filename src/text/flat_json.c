/* flat_json.c: members of a JSON object, whatever their names. */
#include "text/flat_json.h"

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

void dgm_flat_clear(struct dgm_env *env, struct dgm_flat *flat)
{
    dgm_release(env, flat->members);
    dgm_buf_clear(env, &flat->bytes);
    dgm_buf_clear(env, &flat->scratch);
    memset(flat, 0, sizeof *flat);
}

static const struct dgm_flat_member *find(const struct dgm_flat *flat, const char *name,
                                          int is_text)
{
    for (size_t i = flat->count; i-- > 0;)
        if (flat->members[i].is_text == is_text && strcmp(dgm_flat_name(flat, i), name) == 0)
            return &flat->members[i];
    return NULL;
}

int dgm_flat_number(const struct dgm_flat *flat, const char *name, double *value)
{
    const struct dgm_flat_member *member = find(flat, name, 0);

    if (member != NULL)
        *value = member->value;
    return member != NULL;
}

const char *dgm_flat_text(const struct dgm_flat *flat, const char *name)
{
    const struct dgm_flat_member *member = find(flat, name, 1);

    return member != NULL ? flat->bytes.data + member->text : NULL;
}

/* ---- values --------------------------------------------------------------------------------- */

/* A word of the text, if it comes. */
static int try_word(struct dgm_json *json, const char *word)
{
    const size_t length = dgm_bytes_begin(json->text + json->at, json->size - json->at, word);

    json->at += length;
    return length > 0;
}

/* What is no finite number but stands for one. Longer words come first. */
static int try_special(struct dgm_json *json, double *value)
{
    static const struct {
        const char *word;
        int sign; /* 0: not a number */
    } words[] = { { "nan", 0 }, { "NaN", 0 },        { "null", 0 },  { "Infinity", 1 },
                  { "inf", 1 }, { "-Infinity", -1 }, { "-inf", -1 }, { "-nan", 0 } };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (try_word(json, words[i].word)) {
            *value = words[i].sign == 0 ? (double)NAN : words[i].sign * (double)INFINITY;
            return 1;
        }
    return 0;
}

/* A list or an object, from its first bracket to the last. Counts brackets; what stands between
 * them is not checked, apart from strings, which may hold brackets. */
static dgm_status skip_nested(struct dgm_json *json, struct dgm_buf *scratch)
{
    size_t depth = 0;

    do {
        char c = json->at < json->size ? json->text[json->at] : '\0';
        if (json->at == json->size)
            return dgm_json_fail(json, "the end of a list or an object");
        if (c == '"') {
            DGM_TRY(dgm_json_string(json, scratch));
            continue;
        }
        depth += c == '[' || c == '{';
        depth -= c == ']' || c == '}';
        json->at++;
    } while (depth > 0);
    return DGM_OK;
}

static dgm_status read_string(struct dgm_json *json, struct dgm_flat *flat,
                              struct dgm_flat_member *member)
{
    DGM_TRY(dgm_json_string(json, &flat->scratch));
    member->is_text = 1;
    member->text = flat->bytes.size;
    return dgm_buf_add(json->env, &flat->bytes, flat->scratch.data, flat->scratch.size + 1);
}

/* *is_kept 0: a value that is neither a number nor a string. */
static dgm_status read_value(struct dgm_json *json, struct dgm_flat *flat,
                             struct dgm_flat_member *member, int *is_kept)
{
    *is_kept = 1;
    member->is_text = 0;
    if (dgm_json_is_string(json)) /* skips blanks, too */
        return read_string(json, flat, member);
    if (try_special(json, &member->value))
        return DGM_OK;
    *is_kept = 0;
    if (try_word(json, "true") || try_word(json, "false"))
        return DGM_OK;
    if (json->at < json->size && (json->text[json->at] == '[' || json->text[json->at] == '{'))
        return skip_nested(json, &flat->scratch);
    *is_kept = 1;
    return dgm_json_real(json, &member->value);
}

dgm_status dgm_flat_read(struct dgm_env *env, struct dgm_flat *flat, const char *path, long line,
                         const char *text, size_t size)
{
    struct dgm_json json;
    size_t count = 0;
    int more, is_kept;

    flat->count = 0;
    dgm_buf_reset(&flat->bytes);
    dgm_json_start(&json, env, path, line, text, size);
    DGM_TRY(dgm_json_mark(&json, '{'));
    for (;;) {
        struct dgm_flat_member *member;
        DGM_TRY(dgm_json_item(&json, '}', &count, &more));
        if (!more)
            return dgm_json_end(&json);
        DGM_TRY(dgm_grow(env, &flat->members, &flat->capacity, flat->count, sizeof *member));
        member = &flat->members[flat->count];
        DGM_TRY(dgm_json_name(&json, &flat->scratch));
        member->name = flat->bytes.size;
        DGM_TRY(dgm_buf_add(env, &flat->bytes, flat->scratch.data, flat->scratch.size + 1));
        DGM_TRY(read_value(&json, flat, member, &is_kept));
        flat->count += (size_t)is_kept;
    }
}
