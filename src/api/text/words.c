/* words.c: counting words, and what is made of the counts: vocabularies and BPE codes. */

#include "api/context.h"
#include "base/lines/lines.h"
#include "base/mem.h"
#include "text/bpe/bpe_learn.h"
#include "text/bpe/line_sample.h"
#include "text/bpe/tally.h"
#include "text/bpe/vocab.h"
#include "text/bpe/word_counts.h"
#include "text/unicode/form_counts.h"

#define LEAST_MEMORY (64L * 1024)

struct dgm_words {
    struct dgm_context *context;
    struct dgm_tally tally;
};

dgm_status dgm_words_new(dgm_context *context, dgm_words **words)
{
    struct dgm_words *made;
    DGM_ENTER_NEW(context, words);
    DGM_TRY(dgm_new(&context->env, &made, 1, sizeof *made));
    made->context = context;
    *words = made;
    return DGM_OK;
}

void dgm_words_free(dgm_words *words)
{
    struct dgm_env *env;
    if (DGM_IS_HELD(words))
        return;
    env = &words->context->env;
    dgm_tally_clear(env, &words->tally);
    dgm_release(env, words);
}

dgm_status dgm_words_add(dgm_words *words, const char *line, size_t bytes)
{
    DGM_ENTER_HANDLE(words);
    DGM_TRY(dgm_line_check(&words->context->env, &line, bytes));
    return dgm_tally_line(&words->context->env, &words->tally, line, bytes);
}

dgm_status dgm_words_set_memory(dgm_words *words, int64_t bytes)
{
    struct dgm_env *env;

    DGM_ENTER_HANDLE(words);
    env = &words->context->env;
    DGM_TRY(dgm_range_int(env, "bytes", bytes, 0, INT64_MAX));
    if (bytes > 0 && bytes < LEAST_MEMORY)
        return dgm_fail(env, DGM_USAGE,
                        "counts of words in %lld bytes; expected %ld or more, or 0 for no limit",
                        (long long)bytes, LEAST_MEMORY);
    words->tally.limit = (uint64_t)bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
    return DGM_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* All lines of a file, or those of a sample. */
static dgm_status read_lines(struct dgm_words *words, const char *path,
                             struct dgm_line_sample *sample)
{
    struct dgm_env *env = &words->context->env;
    struct dgm_lines lines;
    dgm_status status;
    int more;

    DGM_TRY(dgm_lines_open(env, &lines, path));
    for (;;) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (!more)
            break;
        if (sample != NULL && !dgm_line_sample_take(sample))
            continue;
        dgm_lines_warn_cut(env, &lines);
        DGM_TRY_OUT(dgm_tally_line(env, &words->tally, lines.line.data, lines.line.size));
    }
out:
    dgm_lines_close(env, &lines);
    return status;
}

dgm_status dgm_words_read(dgm_words *words, const char *path)
{
    DGM_ENTER_HANDLE(words);
    DGM_TRY(dgm_argument_check(&words->context->env, path, "path"));
    return read_lines(words, path, NULL);
}

dgm_status dgm_words_read_sample(dgm_words *words, const char *const *paths, size_t count,
                                 int64_t lines)
{
    struct dgm_line_sample sample;
    struct dgm_env *env;

    DGM_ENTER_HANDLE(words);
    env = &words->context->env;
    DGM_TRY(dgm_texts_check(env, paths, count, "paths"));
    DGM_TRY(dgm_range_int(env, "lines", lines, 1, INT64_MAX));
    DGM_TRY(dgm_line_sample_begin(env, &sample, lines, paths, count));
    for (size_t i = 0; i < count; i++)
        DGM_TRY(read_lines(words, paths[i], &sample));
    return DGM_OK;
}

dgm_status dgm_words_read_counts(dgm_words *words, const char *path)
{
    DGM_ENTER_HANDLE(words);
    DGM_TRY(dgm_argument_check(&words->context->env, path, "path"));
    return dgm_tally_load(&words->context->env, &words->tally, path);
}

/* Before what was counted becomes a result. */
static void warn(struct dgm_env *env, const struct dgm_tally *tally)
{
    dgm_tally_warn(env, tally, "words");
    dgm_form_counts_warn(env, &tally->counts, "words");
}

dgm_status dgm_words_write_counts(dgm_words *words, dgm_write_fn write, void *user)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    struct dgm_env *env;
    dgm_status status;
    DGM_ENTER_HANDLE(words);
    env = &words->context->env;
    DGM_TRY(dgm_write_check(env, write));
    warn(env, &words->tally);
    status = dgm_word_counts_print(env, &text, &words->tally.counts, DGM_WORD_COUNTS_FIRST);
    return dgm_report_made(env, write, user, &text, status);
}

dgm_status dgm_words_write_vocabulary(dgm_words *words, size_t size, int64_t min_count,
                                      dgm_write_fn write, void *user)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    struct dgm_vocab vocab = { 0 };
    struct dgm_env *env;
    dgm_status status;
    DGM_ENTER_HANDLE(words);
    env = &words->context->env;
    DGM_TRY(dgm_write_check(env, write));
    if (size > 0 && size <= DGM_VOCAB_SPECIALS)
        return dgm_fail(env, DGM_USAGE,
                        "a vocabulary of %zu entries has no room for words; "
                        "expected more than the %d special ones",
                        size, (int)DGM_VOCAB_SPECIALS);
    warn(env, &words->tally);
    DGM_TRY_OUT(dgm_vocab_build(env, &vocab, &words->tally.counts, size, min_count));
    if (dgm_vocab_size(&vocab) == DGM_VOCAB_SPECIALS)
        dgm_log(env, DGM_LOG_WARNING, "the vocabulary has no words");
    status = dgm_vocab_print(env, &text, &vocab);
out:
    dgm_vocab_clear(env, &vocab);
    return dgm_report_made(env, write, user, &text, status);
}

dgm_status dgm_words_learn(dgm_words *words, const dgm_codes_options *options, dgm_write_fn write,
                           void *user)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    struct dgm_bpe_learn_options learn;
    dgm_codes_options chosen;
    struct dgm_env *env;
    DGM_ENTER_HANDLE(words);
    env = &words->context->env;
    DGM_TRY(dgm_write_check(env, write));
    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, options, "dgm_codes_options"));
    if (chosen.symbols < 0 || chosen.min_frequency < 0)
        return dgm_fail(env, DGM_USAGE, "%ld symbols, frequency %lld; expected 0 or more",
                        chosen.symbols, (long long)chosen.min_frequency);
    learn.symbols = chosen.symbols != 0 ? chosen.symbols : 10000;
    learn.min_frequency = chosen.min_frequency != 0 ? chosen.min_frequency : 2;
    learn.total_symbols = chosen.total_symbols;
    warn(env, &words->tally);
    return dgm_report_made(env, write, user, &text,
                           dgm_bpe_learn(env, &text, &words->tally.counts, &learn));
}
