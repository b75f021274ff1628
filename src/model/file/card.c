/* card.c: keys of a head as words for people, and as codes of languages. */
#include "model/file/card.h"

#include <string.h>

#include "base/option/settings_file.h"
#include "model/file/langid_file.h"
#include "model/file/model.h"
#include "model/parser/parser.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"

/* Adds a word behind the others. */
static dgm_status add_word(struct dgm_env *env, struct dgm_buf *words, const char *text,
                           size_t bytes)
{
    if (words->size > 0)
        DGM_TRY(dgm_buf_add_char(env, words, ' '));
    return dgm_buf_add(env, words, text, bytes);
}

static dgm_status read_text(struct dgm_env *env, struct dgm_buf *out, const struct dgm_gguf *file,
                            const char *key)
{
    size_t bytes;
    const char *text = dgm_gguf_text(file, key, &bytes);

    return text != NULL ? dgm_buf_add(env, out, text, bytes) : DGM_OK;
}

/* "de", "ger", "pt_BR", "zh-Hans": what a code begins with is two or three small letters. */
static int is_code(const char *text, size_t bytes)
{
    size_t letters = 0;

    while (letters < bytes && text[letters] >= 'a' && text[letters] <= 'z')
        letters++;
    return (letters == 2 || letters == 3) &&
           (letters == bytes || text[letters] == '_' || text[letters] == '-');
}

/* The codes that tags name; other tags name domains, or whatever else. */
static dgm_status read_tags(struct dgm_env *env, struct dgm_buf *codes, const struct dgm_gguf *file)
{
    size_t length = 0, bytes;
    const char *tags = dgm_gguf_text(file, DGM_MODEL_TAGS, &length);

    for (size_t at = 0; tags != NULL && at < length; at += bytes + 1) {
        const char *blank = memchr(tags + at, ' ', length - at);

        bytes = blank != NULL ? (size_t)(blank - tags) - at : length - at;
        if (bytes > 2 && is_code(tags + at + 1, bytes - 2))
            DGM_TRY(add_word(env, codes, tags + at + 1, bytes - 2));
    }
    return DGM_OK;
}

static dgm_status read_languages(struct dgm_env *env, struct dgm_card *card,
                                 const struct dgm_gguf *file, const char *list)
{
    size_t count = 0, bytes;
    const struct dgm_gguf_key *key = dgm_gguf_strings(file, list, &count);

    for (size_t i = 0; key != NULL && i < count; i++) {
        const char *code = dgm_gguf_string_at(file, key, i, &bytes);

        if (is_code(code, bytes))
            DGM_TRY(add_word(env, &card->from, code, bytes));
    }
    return DGM_OK;
}

/* Of what it was trained on. */
static dgm_status read_pair(struct dgm_env *env, struct dgm_card *card, const struct dgm_gguf *file)
{
    size_t length = 0;
    const char *config = dgm_gguf_text(file, DGM_MODEL_CONFIG, &length);
    struct dgm_settings settings = { 0 };
    const char *from, *to;
    dgm_status status;

    DGM_TRY_OUT(dgm_settings_init(env, &settings, dgm_model_tables));
    DGM_TRY_OUT(dgm_settings_file_parse(env, &settings, config, length, file->name));
    from = dgm_settings_text(&settings, "source-lang");
    to = dgm_settings_text(&settings, "target-lang");
    DGM_TRY_OUT(dgm_buf_add_text(env, &card->from, from != NULL ? from : ""));
    DGM_TRY_OUT(dgm_buf_add_text(env, &card->to, to != NULL ? to : ""));
out:
    dgm_settings_clear(env, &settings);
    return status;
}

static dgm_status read_translation(struct dgm_env *env, struct dgm_card *card,
                                   const struct dgm_gguf *file)
{
    DGM_TRY(read_tags(env, &card->to, file));
    if (card->to.size == 0)
        return read_pair(env, card, file);
    card->is_tagged = 1;
    card->tags_both = dgm_gguf_find_key(file, DGM_MODEL_TARGET_TAGS) != NULL;
    return dgm_buf_add(env, &card->from, card->to.data, card->to.size);
}

static dgm_status read_head(struct dgm_env *env, struct dgm_card *card, const struct dgm_gguf *file)
{
    size_t bytes;
    const char *maker = dgm_gguf_text(file, "general.architecture", &bytes);

    card->bytes = (int64_t)file->size;
    if (maker == NULL || bytes != 8 || memcmp(maker, "dragoman", 8) != 0)
        return DGM_OK;
    if (dgm_gguf_find_key(file, DGM_MODEL_CONFIG) != NULL)
        card->kinds |= DGM_IS_TRANSLATION;
    if (dgm_parser_is_in(file))
        card->kinds |= DGM_IS_PARSER;
    if (dgm_langid_is_in(file))
        card->kinds |= DGM_IS_LANGID;
    DGM_TRY(read_text(env, &card->name, file, "general.name"));
    DGM_TRY(read_text(env, &card->license, file, "general.license"));
    if (card->kinds & DGM_IS_TRANSLATION)
        return read_translation(env, card, file);
    return read_languages(env, card, file,
                          card->kinds & DGM_IS_LANGID ? DGM_LANGID_CODES_KEY : "general.languages");
}

dgm_status dgm_card_read(struct dgm_env *env, struct dgm_card *card, const char *path)
{
    struct dgm_buf *const texts[] = { &card->from, &card->to, &card->name, &card->license };
    struct dgm_gguf file = { 0 };
    dgm_status status;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        DGM_TRY_OUT(dgm_buf_add(env, texts[i], "", 0));
    DGM_TRY_OUT(dgm_gguf_open(env, &file, path));
    status = read_head(env, card, &file);
out:
    dgm_gguf_clear(env, &file);
    return status;
}

void dgm_card_clear(struct dgm_env *env, struct dgm_card *card)
{
    dgm_buf_clear(env, &card->from);
    dgm_buf_clear(env, &card->to);
    dgm_buf_clear(env, &card->name);
    dgm_buf_clear(env, &card->license);
}
