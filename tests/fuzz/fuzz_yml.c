/*
 * fuzz_yml.c: any bytes as the YAML of Marian: as items, as a configuration and as a vocabulary.
 * What is told is UTF-8 and comes from lines that are there.
 */
#include <stdlib.h>
#include <string.h>

#include "model/foreign/foreign_config.h"
#include "model/foreign/foreign_vocab.h"
#include "text/unicode/utf8.h"
#include "text/yml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static void check_text(const char *text, size_t bytes)
{
    size_t offset, length;
    long column;

    require(text[bytes] == '\0');
    require(!dgm_utf8_find_bad(text, bytes, &offset, &length, &column));
}

static dgm_status take(struct dgm_env *env, void *user, const struct dgm_yml_item *item)
{
    long *line = user;

    (void)env;
    require(item->line >= *line);
    *line = item->line;
    check_text(item->key, item->key_bytes);
    check_text(item->value, item->value_bytes);
    return DGM_OK;
}

static void check_config(struct dgm_env *env, const char *text, size_t size)
{
    struct dgm_foreign_config config = { .name = "" };
    const char *value;
    int64_t number = 1;

    if (dgm_foreign_config_yml(env, &config, "m.yml", text, size) == DGM_OK) {
        value = dgm_foreign_config_text(&config, "a");
        require(value == NULL || strlen(value) < config.bytes.size);
        (void)dgm_foreign_config_int(env, &config, "a", 1, 9, &number);
        require(number >= 1 && number <= 9);
        dgm_env_clear_error(env);
        require(dgm_foreign_config_refuse_rest(env, &config) == DGM_OK ||
                env->error.status == DGM_MODEL);
    }
    dgm_env_clear_error(env);
    dgm_foreign_config_clear(env, &config);
}

static void check_vocab(struct dgm_env *env, const char *text, size_t size)
{
    static const struct dgm_foreign_specials specials = { { -1, -1, 0, 1 } };
    struct dgm_foreign_vocab vocab = { .name = "" };
    struct dgm_vocab ours;

    memset(&ours, 0, sizeof ours);
    if (dgm_foreign_vocab_yml(env, &vocab, "v.yml", text, size) == DGM_OK && vocab.count < 4096 &&
        dgm_foreign_vocab_order(env, &vocab, &specials, vocab.count + 2, &ours) == DGM_OK) {
        require(dgm_vocab_size(&ours) == vocab.our_count);
        for (size_t i = 0; i < vocab.count; i++)
            require(vocab.entries[i] >= 0 && (size_t)vocab.entries[i] < vocab.our_count);
    }
    dgm_env_clear_error(env);
    dgm_vocab_clear(env, &ours);
    dgm_foreign_vocab_clear(env, &vocab);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = size > 0 ? (const char *)data : "";
    struct dgm_env env;
    long line = 1;

    dgm_env_init(&env);
    if (dgm_yml_read(&env, "m.yml", text, size, take, &line) != DGM_OK)
        require(env.error.status == DGM_DATA);
    dgm_env_clear_error(&env);
    check_config(&env, text, size);
    check_vocab(&env, text, size);
    return 0;
}
