/*
 * test_pipeline.c: a line of text to ids and back, whatever the line holds.
 */
#include <stdio.h>
#include <string.h>

#include "data/corpus.h"
#include "data/text/pipeline_learn.h"
#include "test.h"

static const struct dgm_opt *const tables[] = { dgm_pipeline_options, NULL };

/* A pipeline without vocabularies yet. */
static dgm_status make_pipeline(struct dgm_pipeline *pipeline, const char *tokenize,
                                const char *lower, int joint)
{
    struct dgm_settings settings;
    dgm_status status = dgm_settings_init(test_env(), &settings, tables);

    if (status == DGM_OK)
        status = dgm_settings_set(test_env(), &settings, "tokenize", tokenize, "test");
    if (status == DGM_OK)
        status = dgm_settings_set(test_env(), &settings, "target-lang", "en", "test");
    if (status == DGM_OK)
        status = dgm_settings_set(test_env(), &settings, "lower-case", lower, "test");
    if (status == DGM_OK)
        status = dgm_pipeline_init(test_env(), pipeline, &settings, joint);
    dgm_settings_clear(test_env(), &settings);
    return status;
}

static const char *write_file(char path[1200], const char *name, const char *text)
{
    FILE *file;

    snprintf(path, 1200, "%s/%s", test_dir(), name);
    file = fopen(path, "wb");
    if (file != NULL) {
        fwrite(text, 1, strlen(text), file);
        fclose(file);
    }
    return path;
}

/* Learns codes and vocabularies from two texts. */
static dgm_status learn(struct dgm_pipeline *pipeline, const char *source, const char *target,
                        long merges)
{
    struct dgm_pipeline_learn_options options;
    char paths[2][1200];
    struct dgm_text text = { .path = { write_file(paths[0], "source", source),
                                       write_file(paths[1], "target", target) } };
    const struct dgm_text_list texts = { .items = &text, .count = 1 };

    memset(&options, 0, sizeof options);
    options.merges = merges;
    options.min_count[DGM_SOURCE] = options.min_count[DGM_TARGET] = 1;
    return dgm_pipeline_learn(test_env(), pipeline, &texts, &options);
}

/* Encodes a line as target text and decodes what comes of it. */
static dgm_status round_trip(struct dgm_pipeline *pipeline, const char *line, int detokenize,
                             struct dgm_buf *out)
{
    struct dgm_encoded encoded;
    dgm_status status;

    memset(&encoded, 0, sizeof encoded);
    dgm_buf_reset(out);
    status = dgm_pipeline_encode(test_env(), pipeline, DGM_TARGET, &encoded, line, strlen(line));
    if (status == DGM_OK) {
        const struct dgm_target_ids target = { .ids = encoded.ids, .n = encoded.n };

        status = dgm_pipeline_decode(test_env(), pipeline, out, &target, detokenize);
    }
    if (status == DGM_OK)
        status = dgm_buf_add_text(test_env(), out, "");
    dgm_encoded_clear(test_env(), &encoded);
    return status;
}

static const char corpus[] = "the small house is old\nthe smaller house is older\n"
                             "it@@ is a@@ @@ sign </s> and <unk> too\nabc &amp; x y z\n";

TEST(pipeline_returns_every_line_that_its_codes_know)
{
    static const char *const lines[] = { "the small house",
                                         "it@@ is a@@ @@ sign",
                                         "</s> and <unk> too",
                                         "@@ the",
                                         "@@",
                                         "is @@@@ sign",
                                         "  the \t old   house ",
                                         "older" };
    static const char *const want[] = { "the small house",
                                        "it@@ is a@@ @@ sign",
                                        "</s> and <unk> too",
                                        "@@ the",
                                        "@@",
                                        "is @@@@ sign",
                                        "the old house",
                                        "older" };
    struct dgm_pipeline pipeline;
    struct dgm_buf out = { NULL, 0, 0, 0 };
    size_t i;

    CHECK_STATUS(make_pipeline(&pipeline, "none", "false", 1), DGM_OK);
    CHECK_STATUS(learn(&pipeline, corpus, corpus, 6), DGM_OK);
    for (i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CHECK_STATUS(round_trip(&pipeline, lines[i], 0, &out), DGM_OK);
        CHECK_STR(out.data, want[i]);
    }
    dgm_buf_clear(test_env(), &out);
    dgm_pipeline_clear(test_env(), &pipeline);
}

TEST(pipeline_never_makes_a_control_symbol_of_text)
{
    static const char line[] = "</s> <s> <pad> <unk> the";
    struct dgm_pipeline pipeline;
    struct dgm_encoded encoded;
    int32_t i;

    memset(&encoded, 0, sizeof encoded);
    CHECK_STATUS(make_pipeline(&pipeline, "none", "false", 1), DGM_OK);
    CHECK_STATUS(learn(&pipeline, "</s> <s> <pad> <unk> the\n", "</s> the\n", 0), DGM_OK);
    CHECK_STATUS(dgm_pipeline_encode(test_env(), &pipeline, DGM_SOURCE, &encoded, line,
                                     sizeof line - 1),
                 DGM_OK);
    CHECK_INT(encoded.n, 6);
    CHECK_INT(encoded.n_words, 5);
    for (i = 0; i < 4; i++)
        CHECK_INT(encoded.ids[i], DGM_VOCAB_UNK);
    CHECK(encoded.ids[4] >= DGM_VOCAB_SPECIALS);
    CHECK_INT(encoded.ids[5], DGM_VOCAB_EOS);
    CHECK_INT(encoded.words[5], -1);
    dgm_encoded_clear(test_env(), &encoded);
    dgm_pipeline_clear(test_env(), &pipeline);
}

TEST(pipeline_names_the_word_of_every_piece)
{
    struct dgm_pipeline pipeline;
    struct dgm_encoded encoded;
    int32_t i, last = 0;

    memset(&encoded, 0, sizeof encoded);
    CHECK_STATUS(make_pipeline(&pipeline, "none", "false", 1), DGM_OK);
    CHECK_STATUS(learn(&pipeline, corpus, corpus, 3), DGM_OK);
    CHECK_STATUS(dgm_pipeline_encode(test_env(), &pipeline, DGM_SOURCE, &encoded,
                                     "the smaller house", 17),
                 DGM_OK);
    CHECK_INT(encoded.n_words, 3);
    CHECK_MEM(encoded.text.data, "the smaller house", 17);
    CHECK(encoded.n > 4);
    for (i = 0; i + 1 < encoded.n; i++) {
        CHECK(encoded.words[i] == last || encoded.words[i] == last + 1);
        last = encoded.words[i];
    }
    CHECK_INT(last, 2);
    dgm_encoded_clear(test_env(), &encoded);
    dgm_pipeline_clear(test_env(), &pipeline);
}

TEST(pipeline_encodes_blank_lines_as_an_end_alone)
{
    static const char *const lines[] = { "", " ", "\t \t" };
    struct dgm_pipeline pipeline;
    struct dgm_encoded encoded;
    int i;

    memset(&encoded, 0, sizeof encoded);
    CHECK_STATUS(make_pipeline(&pipeline, "moses", "false", 1), DGM_OK);
    CHECK_STATUS(learn(&pipeline, corpus, corpus, 3), DGM_OK);
    for (i = 0; i < 3; i++) {
        CHECK_STATUS(dgm_pipeline_encode(test_env(), &pipeline, DGM_SOURCE, &encoded, lines[i],
                                         strlen(lines[i])),
                     DGM_OK);
        CHECK_INT(encoded.n, 1);
        CHECK_INT(encoded.n_words, 0);
        CHECK_INT(encoded.ids[0], DGM_VOCAB_EOS);
    }
    dgm_encoded_clear(test_env(), &encoded);
    dgm_pipeline_clear(test_env(), &pipeline);
}

TEST(pipeline_gives_unknown_words_the_unknown_symbol)
{
    struct dgm_pipeline pipeline;
    struct dgm_encoded encoded;
    struct dgm_buf out = { NULL, 0, 0, 0 };

    memset(&encoded, 0, sizeof encoded);
    CHECK_STATUS(make_pipeline(&pipeline, "none", "false", 1), DGM_OK);
    CHECK_STATUS(learn(&pipeline, corpus, corpus, 0), DGM_OK);
    CHECK_STATUS(dgm_pipeline_encode(test_env(), &pipeline, DGM_SOURCE, &encoded,
                                     "the \xc3\xa9t\xc3\xa9 house", 15),
                 DGM_OK);
    CHECK_INT(encoded.n, 4);
    CHECK_INT(encoded.ids[1], DGM_VOCAB_UNK);
    CHECK(encoded.ids[0] != DGM_VOCAB_UNK && encoded.ids[2] != DGM_VOCAB_UNK);
    CHECK_STATUS(round_trip(&pipeline, "the zebra house", 0, &out), DGM_OK);
    CHECK_STR(out.data, "the <unk> house");
    dgm_buf_clear(test_env(), &out);
    dgm_encoded_clear(test_env(), &encoded);
    dgm_pipeline_clear(test_env(), &pipeline);
}

TEST(pipeline_tokenises_and_detokenises_raw_text)
{
    static const char text[] = "The house, which is old, isn't small.\nIs it?\n";
    struct dgm_pipeline pipeline;
    struct dgm_buf out = { NULL, 0, 0, 0 };

    CHECK_STATUS(make_pipeline(&pipeline, "moses", "false", 1), DGM_OK);
    CHECK_STATUS(learn(&pipeline, text, text, 0), DGM_OK);
    CHECK_STATUS(round_trip(&pipeline, "Is it small, which isn't old?", 1, &out), DGM_OK);
    CHECK_STR(out.data, "Is it small, which isn't old?");
    CHECK_STATUS(round_trip(&pipeline, "Is it old, small?", 0, &out), DGM_OK);
    CHECK_STR(out.data, "Is it old , small ?");
    dgm_buf_clear(test_env(), &out);
    dgm_pipeline_clear(test_env(), &pipeline);
}

TEST(pipeline_lower_cases_on_request_and_repairs_bad_bytes)
{
    struct dgm_pipeline pipeline;
    struct dgm_buf out = { NULL, 0, 0, 0 };

    CHECK_STATUS(make_pipeline(&pipeline, "none", "true", 1), DGM_OK);
    CHECK_STATUS(dgm_pipeline_words(test_env(), &pipeline, DGM_SOURCE, &out, "The \xc3\x89T\xff x",
                                    9),
                 DGM_OK);
    CHECK_MEM(out.data, "the \xc3\xa9t\xef\xbf\xbd x", out.size);
    dgm_buf_clear(test_env(), &out);
    dgm_pipeline_clear(test_env(), &pipeline);
}

TEST(pipeline_keeps_two_vocabularies_apart_unless_they_are_joint)
{
    struct dgm_pipeline apart, joint;
    size_t bytes;

    CHECK_STATUS(make_pipeline(&apart, "none", "false", 0), DGM_OK);
    CHECK_STATUS(learn(&apart, "a b b\n", "x y y y\n", 0), DGM_OK);
    CHECK_INT(dgm_vocab_size(dgm_pipeline_vocab(&apart, DGM_SOURCE)), 6);
    CHECK_INT(dgm_vocab_size(dgm_pipeline_vocab(&apart, DGM_TARGET)), 6);
    CHECK_STR(dgm_vocab_token(dgm_pipeline_vocab(&apart, DGM_SOURCE), 4, &bytes), "b");
    CHECK_STR(dgm_vocab_token(dgm_pipeline_vocab(&apart, DGM_TARGET), 4, &bytes), "y");
    CHECK_STATUS(make_pipeline(&joint, "none", "false", 1), DGM_OK);
    CHECK_STATUS(learn(&joint, "a b b\n", "x y y y\n", 0), DGM_OK);
    CHECK(dgm_pipeline_vocab(&joint, DGM_SOURCE) == dgm_pipeline_vocab(&joint, DGM_TARGET));
    CHECK_INT(dgm_vocab_size(dgm_pipeline_vocab(&joint, DGM_SOURCE)), 8);
    dgm_pipeline_clear(test_env(), &apart);
    dgm_pipeline_clear(test_env(), &joint);
}
