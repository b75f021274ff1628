/* test_card.c: what heads say: of translation models with and without tags, of parsers, of others;
 * and heads that are changed. */
#include "model/file/card.h"

#include <string.h>

#include "model/file/card_write.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "test.h"

/* Keys of a file and their texts. */
struct pair {
    const char *key, *text;
};

static void write(const char *path, const struct pair *pairs)
{
    struct dgm_env *env = test_env();
    struct dgm_gguf_writer writer = { 0 };

    for (; pairs->key != NULL; pairs++)
        CHECK_STATUS(dgm_gguf_add_text(env, &writer, pairs->key, pairs->text, strlen(pairs->text)),
                     DGM_OK);
    CHECK_STATUS(dgm_gguf_write(env, &writer, path), DGM_OK);
    dgm_gguf_writer_clear(env, &writer);
}

static void check(const struct pair *pairs, unsigned kinds, const char *from, const char *to,
                  int is_tagged)
{
    struct dgm_card card = { 0 };

    write("m.gguf", pairs);
    CHECK_STATUS(dgm_card_read(test_env(), &card, "m.gguf"), DGM_OK);
    CHECK_INT(card.kinds, kinds);
    CHECK_STR(card.from.data, from);
    CHECK_STR(card.to.data, to);
    CHECK_INT(card.is_tagged, is_tagged);
    CHECK(card.bytes > 0);
    dgm_card_clear(test_env(), &card);
}

TEST(card_tells_kinds_and_languages)
{
    const struct pair plain[] = { { "general.architecture", "dragoman" },
                                  { "dragoman.config", "source-lang = fi\ntarget-lang = sv\n" },
                                  { NULL, NULL } };
    const struct pair tagged[] = { { "general.architecture", "dragoman" },
                                   { "dragoman.config", "source-lang = fi\ntarget-lang = sv\n" },
                                   { "dragoman.tags", "<de> <formal> <pt_BR> <x> <news>" },
                                   { NULL, NULL } };
    const struct pair domains[] = { { "general.architecture", "dragoman" },
                                    { "dragoman.config", "source-lang = fi\ntarget-lang = sv\n" },
                                    { "dragoman.tags", "<formal> <news>" },
                                    { NULL, NULL } };
    const struct pair other[] = { { "general.architecture", "llama" },
                                  { "dragoman.config", "" },
                                  { NULL, NULL } };

    check(plain, DGM_IS_TRANSLATION, "fi", "sv", 0);
    check(tagged, DGM_IS_TRANSLATION, "de pt_BR", "de pt_BR", 1);
    check(domains, DGM_IS_TRANSLATION, "fi", "sv", 0);
    check(other, 0, "", "", 0);
}

TEST(card_of_what_is_no_model_is_an_error)
{
    const struct pair odd[] = { { "general.architecture", "dragoman" },
                                { "dragoman.config", "no such line" },
                                { NULL, NULL } };
    struct dgm_card card = { 0 };

    CHECK_STATUS(dgm_card_read(test_env(), &card, "none.gguf"), DGM_MODEL);
    dgm_env_clear_error(test_env());
    dgm_card_clear(test_env(), &card);
    write("odd.gguf", odd);
    CHECK(dgm_card_read(test_env(), &card, "odd.gguf") != DGM_OK);
    dgm_env_clear_error(test_env());
    dgm_card_clear(test_env(), &card);
}

TEST(card_is_written_over_and_taken_away)
{
    const struct pair pairs[] = { { "general.architecture", "dragoman" },
                                  { "general.name", "old" },
                                  { "general.license", "MIT" },
                                  { "dragoman.config", "source-lang = fi\n" },
                                  { NULL, NULL } };
    char name[] = "name=new=newer", license[] = "license=", tags_text[] = "tags=a,b";
    char *const words[] = { name, license, tags_text };
    struct dgm_env *env = test_env();
    const struct dgm_gguf_key *tags;
    struct dgm_gguf file = { 0 };
    size_t count = 0;
    const char *text;

    write("old.gguf", pairs);
    CHECK_STATUS(dgm_card_write(env, "old.gguf", words, 3, "new.gguf"), DGM_OK);
    CHECK_STATUS(dgm_gguf_load(env, &file, "new.gguf"), DGM_OK);
    CHECK_STATUS(dgm_gguf_verify(env, &file, NULL), DGM_OK);
    text = dgm_gguf_text(&file, "general.name", &count);
    CHECK(text != NULL && count == 9 && memcmp(text, "new=newer", 9) == 0);
    CHECK(dgm_gguf_find_key(&file, "general.license") == NULL);
    CHECK(dgm_gguf_find_key(&file, "dragoman.config") != NULL);
    tags = dgm_gguf_strings(&file, "general.tags", &count);
    CHECK(tags != NULL && count == 2);
    dgm_gguf_clear(env, &file);
}
