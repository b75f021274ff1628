/*
 * test_made_of.c: what encoded text was made of is known by content.
 */
#include "data/cache/made_of.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "test.h"

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

static void add(struct dgm_buf *lines, const char *path)
{
    int is_regular = 0;

    CHECK_STATUS(dgm_made_of_file(test_env(), lines, "source text", path, &is_regular), DGM_OK);
    CHECK(is_regular);
}

TEST(made_of_knows_a_file_by_its_content)
{
    struct dgm_buf first = { 0 }, same = { 0 }, other = { 0 };
    char path[1200];

    add(&first, write_file(path, "a", "one line\n"));
    add(&same, write_file(path, "another name", "one line\n"));
    add(&other, write_file(path, "a", "onf line\n"));
    CHECK_STR(same.data, first.data);
    CHECK(strcmp(other.data, first.data) != 0);
    CHECK(strncmp(first.data, "source text = ", 14) == 0);
    dgm_buf_clear(test_env(), &first);
    dgm_buf_clear(test_env(), &same);
    dgm_buf_clear(test_env(), &other);
}

TEST(made_of_takes_nothing_from_a_pipe)
{
    struct dgm_buf lines = { 0 };
    char path[1200];
    int is_regular = 1;

    snprintf(path, sizeof path, "%s/pipe", test_dir());
    CHECK_INT(mkfifo(path, 0600), 0);
    CHECK_STATUS(dgm_made_of_file(test_env(), &lines, "source text", path, &is_regular), DGM_OK);
    CHECK(!is_regular);
    CHECK_INT(lines.size, 0);
}

TEST(made_of_a_file_that_is_not_there_is_an_error)
{
    struct dgm_buf lines = { 0 };
    char path[1200];
    int is_regular;

    snprintf(path, sizeof path, "%s/nothing", test_dir());
    CHECK(dgm_made_of_file(test_env(), &lines, "source text", path, &is_regular) != DGM_OK);
    CHECK(strstr(test_env()->error.file, "nothing") != NULL ||
          strstr(test_env()->error.message, "nothing") != NULL);
    dgm_env_clear_error(test_env());
    dgm_buf_clear(test_env(), &lines);
}

/* ---- the pipeline ---------------------------------------------------------------------------- */

/* The four special entries and a word. */
static void put_vocab(struct dgm_vocab *vocab, const char *word)
{
    const char *const tokens[] = { "<s>", "<pad>", "</s>", "<unk>", word };
    const size_t bytes[] = { 3, 5, 4, 5, strlen(word) };

    CHECK_STATUS(dgm_vocab_set(test_env(), vocab, tokens, bytes, 5, "test"), DGM_OK);
}

/* One thing of a pipeline that is another than in `change` 0. */
static void describe(struct dgm_buf *lines, int change)
{
    struct dgm_pipeline pipeline;

    memset(&pipeline, 0, sizeof pipeline);
    strcpy(pipeline.language[DGM_SOURCE], change == 1 ? "fr" : "en");
    strcpy(pipeline.language[DGM_TARGET], change == 2 ? "fr" : "de");
    pipeline.moses = change == 3;
    pipeline.lower = change == 4;
    pipeline.punctuation = change == 5;
    pipeline.multitask = change == 6;
    pipeline.has_bpe = 1;
    CHECK_STATUS(dgm_buf_add_text(test_env(), &pipeline.codes, change == 7 ? "a c" : "a b"),
                 DGM_OK);
    pipeline.has_spm = change >= 8 && change <= 10;
    for (int side = 0; side < 2; side++)
        CHECK_STATUS(dgm_buf_add_text(test_env(), &pipeline.spm[side].spm.file,
                                      change == 9 + side ? "other" : "pieces"),
                     DGM_OK);
    put_vocab(&pipeline.vocab[DGM_SOURCE], change == 11 ? "b" : "a");
    put_vocab(&pipeline.vocab[DGM_TARGET], change == 12 ? "b" : "a");
    CHECK_STATUS(dgm_made_of_pipeline(test_env(), lines, &pipeline), DGM_OK);
    dgm_buf_clear(test_env(), &pipeline.codes);
    for (int side = 0; side < 2; side++) {
        dgm_buf_clear(test_env(), &pipeline.spm[side].spm.file);
        dgm_vocab_clear(test_env(), &pipeline.vocab[side]);
    }
}

TEST(made_of_tells_pipelines_apart_by_all_that_changes_numbers)
{
    enum { CHANGES = 13 };
    struct dgm_buf lines[CHANGES];
    char version[64];

    memset(lines, 0, sizeof lines);
    for (int i = 0; i < CHANGES; i++)
        describe(&lines[i], i);
    for (int i = 0; i < CHANGES; i++)
        for (int j = 0; j < i; j++)
            if (strcmp(lines[i].data, lines[j].data) == 0)
                CHECK_INT(i, j);
    snprintf(version, sizeof version, "version of dragoman = %lld\n",
             (long long)DGM_VERSION_NUMBER);
    CHECK(strncmp(lines[0].data, version, strlen(version)) == 0);
    for (int i = 0; i < CHANGES; i++)
        dgm_buf_clear(test_env(), &lines[i]);
}
