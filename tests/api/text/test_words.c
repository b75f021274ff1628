/* test_words.c: words counted, written and learned from, through the public interface. */
#include "api_case.h"

TEST(api_words_are_counted_written_and_learned_from)
{
    dgm_codes_options options = { .struct_size = sizeof options, .symbols = 2, .min_frequency = 2 };
    struct dgm_buf out = { NULL, 0, 0, 0 };
    dgm_context *context;
    char path[512];
    dgm_words *words;
    CHECK_STATUS(new_context(&context), DGM_OK);
    put_file(path, "text", "ab ab ab\nabc c\n");
    CHECK_STATUS(dgm_words_new(context, &words), DGM_OK);
    CHECK_STATUS(dgm_words_read(words, path), DGM_OK);
    CHECK_STATUS(dgm_words_add(words, "ab", 2), DGM_OK);
    CHECK_STATUS(dgm_words_write_counts(words, keep, &out), DGM_OK);
    CHECK_STR(out.data, "ab 4\nabc 1\nc 1\n");
    dgm_buf_reset(&out);
    CHECK_STATUS(dgm_words_write_vocabulary(words, 5, 1, keep, &out), DGM_OK);
    CHECK_STR(out.data, "ab 4\n");
    dgm_buf_reset(&out);
    CHECK_STATUS(dgm_words_learn(words, &options, keep, &out), DGM_OK);
    CHECK_STR(out.data, "#version: 0.2\na b</w>\n");
    dgm_buf_clear(test_env(), &out);
    CHECK_FAILS(context, dgm_words_learn(words, &options, refuse, NULL), DGM_FAILURE);
    options.symbols = -1;
    CHECK_FAILS(context, dgm_words_learn(words, &options, keep, NULL), DGM_USAGE);
    options.struct_size = 1;
    CHECK_FAILS(context, dgm_words_learn(words, &options, keep, NULL), DGM_USAGE);
    dgm_words_free(words);
    dgm_context_free(context);
}
