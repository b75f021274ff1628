/* card_write.c: keys of the general section, changed; all else copied. */
#include "model/file/card_write.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "text/unicode/utf8.h"

#define PREFIX "general."
enum { MOST_BYTES = 10000 };

/* Of the specification's table of general metadata; the last ones are lists. */
/* clang-format off */
static const char *const names[] = {
    "name", "author", "version", "organization", "description", "url", "source.url", "license",
    "license.name", "license.link", "doi", "tags", "languages", "datasets"
};
#define EXPECTED                                                                               \
    "expected KEY=TEXT in UTF-8, with one of name, author, version, organization, "           \
    "description, url, source.url, license, license.name, license.link, doi, tags, languages, " \
    "datasets, each once"
/* clang-format on */
enum { NAMES = sizeof names / sizeof names[0], LISTS = 3 };

/* What becomes of each key; NULL: it stays. */
struct changes {
    const char *text[NAMES];
};

static dgm_status read_word(struct dgm_env *env, struct changes *changes, const char *word)
{
    const size_t bytes = strcspn(word, "=");
    const size_t name = word[bytes] == '=' ? dgm_bytes_which(word, bytes, names, NAMES) : NAMES;
    char quoted[DGM_QUOTE_SIZE];
    size_t offset, length;
    long column;

    if (name < NAMES && changes->text[name] == NULL && strlen(word) < MOST_BYTES &&
        !dgm_utf8_find_bad(word, strlen(word), &offset, &length, &column)) {
        changes->text[name] = word + bytes + 1;
        return DGM_OK;
    }
    dgm_quote(quoted, sizeof quoted, word, strlen(word));
    return dgm_fail(env, DGM_USAGE, "\"%s\": " EXPECTED, quoted);
}

/* The number of a key of the file among the names; NAMES if it is none. */
static size_t find_name(const char *key)
{
    const size_t length = sizeof PREFIX - 1;

    if (strncmp(key, PREFIX, length) != 0)
        return NAMES;
    return dgm_bytes_which(key + length, strlen(key + length), names, NAMES);
}

static dgm_status add_list(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                           const char *text)
{
    size_t count = 1;

    for (const char *at = text; *at != '\0'; at++)
        count += *at == ',';
    DGM_TRY(dgm_gguf_begin_strings(env, writer, key, count));
    for (size_t i = 0; i < count; i++) {
        const size_t bytes = strcspn(text, ",");

        DGM_TRY(dgm_gguf_add_item(env, writer, text, bytes));
        text += bytes + 1;
    }
    return DGM_OK;
}

static dgm_status add_changes(struct dgm_env *env, struct dgm_gguf_writer *writer,
                              const struct changes *changes)
{
    char key[40];

    for (size_t i = 0; i < NAMES; i++) {
        const char *text = changes->text[i];

        if (text == NULL || *text == '\0')
            continue;
        snprintf(key, sizeof key, PREFIX "%s", names[i]);
        DGM_TRY(i < NAMES - LISTS ? dgm_gguf_add_text(env, writer, key, text, strlen(text))
                                  : add_list(env, writer, key, text));
    }
    return DGM_OK;
}

static dgm_status add_all(struct dgm_env *env, struct dgm_gguf_writer *writer,
                          const struct dgm_gguf *file, const struct changes *changes)
{
    for (size_t i = 0; i < file->key_count; i++) {
        const size_t name = find_name(file->keys[i].name);

        if (name == NAMES || changes->text[name] == NULL)
            DGM_TRY(dgm_gguf_add_key(env, writer, file, &file->keys[i]));
    }
    DGM_TRY(add_changes(env, writer, changes));
    for (size_t i = 0; i < file->tensor_count; i++) {
        const struct dgm_gguf_tensor *tensor = &file->tensors[i];

        DGM_TRY(dgm_gguf_add_raw(env, writer, tensor->name, tensor->type, tensor->rank,
                                 tensor->dims, dgm_gguf_data(file, tensor)));
    }
    return DGM_OK;
}

dgm_status dgm_card_write(struct dgm_env *env, const char *path, char *const *words, size_t count,
                          const char *out)
{
    struct dgm_gguf_writer writer = { .name_limit = DGM_GGUF_NAME };
    struct dgm_gguf file = { 0 };
    struct changes changes = { { NULL } };
    dgm_status status;

    for (size_t i = 0; i < count; i++)
        DGM_TRY_OUT(read_word(env, &changes, words[i]));
    DGM_TRY_OUT(dgm_gguf_load(env, &file, path));
    DGM_TRY_OUT(dgm_gguf_verify(env, &file, NULL));
    DGM_TRY_OUT(add_all(env, &writer, &file, &changes));
    status = dgm_gguf_write(env, &writer, out);
out:
    dgm_gguf_writer_clear(env, &writer);
    dgm_gguf_clear(env, &file);
    return status;
}
