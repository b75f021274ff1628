/*
 * fuzz_truecase.c: any bytes as a model of letter case, and as text that it is applied to. A line
 * has as many words after as before, and what comes out is well-formed; a model that is learned
 * from the text is read back.
 */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text/case/truecase.h"
#include "text/unicode/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static size_t count_words(const struct dgm_buf *text)
{
    size_t words = 0;

    for (size_t i = 0; i < text->size; i++)
        words += text->data[i] != ' ' && (i == 0 || text->data[i - 1] == ' ');
    return words;
}

static void require_line(const struct dgm_buf *out, const struct dgm_buf *line)
{
    size_t offset, length;
    long column;

    require(out->size == 0 || !dgm_utf8_find_bad(out->data, out->size, &offset, &length, &column));
    require(count_words(out) == count_words(line));
}

/* The text as a line: applied, and back. */
static void apply(struct dgm_env *env, const struct dgm_truecase_model *model, const char *data,
                  size_t size)
{
    struct dgm_truecase_scratch scratch = { 0 };
    struct dgm_buf out = { 0 }, back = { 0 }, line = { 0 };

    require(dgm_utf8_repair(env, &line, data, size, NULL) == DGM_OK);
    require(dgm_truecase_apply(env, &scratch, model, &out, data, size) == DGM_OK);
    require_line(&out, &line);
    require(dgm_truecase_undo(env, &scratch, &back, out.data != NULL ? out.data : "", out.size,
                              model->letters) == DGM_OK);
    require_line(&back, &line);
    dgm_truecase_scratch_clear(env, &scratch);
    dgm_buf_clear(env, &out);
    dgm_buf_clear(env, &back);
    dgm_buf_clear(env, &line);
}

static void read_model(const char *data, size_t size, enum dgm_letters letters)
{
    struct dgm_truecase_model model = { 0 };
    struct memory memory;
    struct dgm_env env;

    memory_begin(&memory, &env, data, size);
    if (dgm_truecase_model_load(&env, &model, "input", letters) == DGM_OK) {
        apply(&env, &model, data, size);
        apply(&env, &model, "The END . Of IT", 15);
    }
    dgm_truecase_model_clear(&env, &model);
    dgm_buf_clear(&memory.env, &memory.written);
}

static void count_lines(struct dgm_env *env, struct dgm_tally *tally, const char *data, size_t size)
{
    struct dgm_truecase_scratch scratch = { 0 };

    for (size_t at = 0; at < size;) {
        const char *end = memchr(data + at, '\n', size - at);
        const size_t bytes = end != NULL ? (size_t)(end - data) - at : size - at;

        require(dgm_truecase_count(env, &scratch, tally, data + at, bytes) == DGM_OK);
        at += bytes + 1;
    }
    dgm_truecase_scratch_clear(env, &scratch);
}

/* Counts the text, writes what was counted, and reads that. */
static void learn_model(const char *data, size_t size, enum dgm_letters letters)
{
    struct dgm_truecase_model model = { 0 };
    struct dgm_tally tally = { 0 };
    struct dgm_buf text = { 0 };
    struct memory memory;
    struct dgm_env env;

    dgm_env_init(&env);
    count_lines(&env, &tally, data, size);
    require(dgm_truecase_model_print(&env, &text, &tally.counts, letters) == DGM_OK);
    if (text.size > 0) {
        struct dgm_env reader;

        memory_begin(&memory, &reader, text.data, text.size);
        require(dgm_truecase_model_load(&reader, &model, "model", letters) == DGM_OK);
        apply(&reader, &model, data, size);
        dgm_truecase_model_clear(&reader, &model);
        dgm_buf_clear(&memory.env, &memory.written);
    }
    dgm_tally_clear(&env, &tally);
    dgm_buf_clear(&env, &text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = size > 0 ? (const char *)data : "";

    for (int letters = 0; letters <= DGM_LETTERS_DUTCH; letters++) {
        read_model(text, size, (enum dgm_letters)letters);
        learn_model(text, size, (enum dgm_letters)letters);
    }
    return 0;
}
