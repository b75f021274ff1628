/*
 * test_annotator_share.c: lines that a rank parses in pieces are those of one process, and each is
 * a piece of its own where the next one may depend on it (immediate). Several ranks:
 * scripts/check-mpi-text.sh.
 */
#include "api/program.h"
#include "api_case.h"
#include "thread_ranks.h"
#include "treebank_file.h"

enum { LINES = 30 };

static char parser[1200], text[1200];

/* Two updates are enough. */
static void put_parser(void)
{
    static const char *const names[] = { "train-sets", "model",   "after",     "dim-emb",
                                         "dim-lstm",   "dim-arc", "dim-label", "enc-depth" };
    const char *const values[] = { text, parser, "2u", "8", "8", "8", "4", "1" };
    dgm_train_options options = DGM_OPTIONS(dgm_train_options);
    dgm_context *context;

    CHECK_STATUS(put_treebank(text, "trees",
                              "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tnext\t_\t_\n"
                              "\n1\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n"),
                 DGM_OK);
    snprintf(parser, sizeof parser, "%s/parser.gguf", test_dir());
    options.names = names;
    options.values = values;
    options.count = sizeof names / sizeof *names;
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_train_parser(context, &options), DGM_OK);
    dgm_context_free(context);
}

static void put_text(void)
{
    char lines[LINES * 4 + 1] = "";

    for (int i = 0; i < LINES; i++)
        strcat(lines, i % 3 == 0 ? "a b\n" : "b\n");
    CHECK_STATUS(put_treebank(text, "text", lines), DGM_OK);
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static int immediate, writes;
static char whole[8192], shared[8192];

static dgm_status add_text(void *user, const char *piece, size_t bytes)
{
    writes++;
    strncat(user, piece, bytes);
    return DGM_OK;
}

/* On its own if ranks is NULL. */
static dgm_status annotate(struct dgm_ranks *ranks, char *out)
{
    dgm_context_options own = DGM_OPTIONS(dgm_context_options);
    dgm_annotator_options options = DGM_OPTIONS(dgm_annotator_options);
    dgm_annotator *annotator;
    dgm_context *context;
    dgm_status status;

    own.threads = 1;
    options.model = parser;
    options.input = "tokens";
    options.immediate = immediate;
    DGM_TRY(dgm_context_new(&own, &context));
    status = dgm_annotator_new(context, &options, &annotator);
    if (status == DGM_OK)
        status = ranks != NULL ? dgm_annotator_share(annotator, ranks, text, add_text, out)
                               : dgm_annotator_file(annotator, text, add_text, out);
    dgm_annotator_free(annotator);
    dgm_context_free(context);
    return status;
}

/* A rank that has no others. */
static dgm_status share(char *out)
{
    static struct wire_end end;
    struct dgm_place place = { .host = "a" };
    struct dgm_farewell farewell = { 0 };
    struct dgm_ranks ranks = { .count = 1,
                               .link = &thread_link,
                               .self = &end,
                               .places = &place,
                               .farewells = &farewell,
                               .failed = -1 };

    return annotate(&ranks, out);
}

TEST(annotator_hands_out_each_line_where_that_is_asked_for)
{
    put_parser();
    put_text();
    CHECK_STATUS(annotate(NULL, whole), DGM_OK);
    CHECK(strlen(whole) > LINES * 10);
    for (immediate = 0; immediate < 2; immediate++) {
        shared[0] = '\0';
        writes = 0;
        CHECK_STATUS(share(shared), DGM_OK);
        CHECK_STR(shared, whole);
        CHECK_INT(writes, immediate ? LINES : 1);
    }
}
