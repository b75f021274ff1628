/* test_convert_trees.c: trees from one format into another, through the public interface. */
#include <dragoman.h>

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/file/writer.h"
#include "test.h"

#define ROW(id, form, head, relation) id "\t" form "\t_\tX\t_\t_\t" head "\t" relation "\t_\t_\n"

static dgm_status new_context(dgm_context **context)
{
    dgm_context_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.allocator = &test_env()->memory;
    return dgm_context_new(&options, context);
}

static dgm_status keep(void *user, const char *text, size_t bytes)
{
    return dgm_buf_add(test_env(), user, text, bytes);
}

static dgm_status refuse(void *user, const char *text, size_t bytes)
{
    (void)user;
    (void)text;
    (void)bytes;
    return DGM_FAILURE;
}

static dgm_status put(char path[512], const char *text)
{
    struct dgm_writer writer;
    snprintf(path, 512, "%s/trees", test_dir());
    DGM_TRY(dgm_writer_open(test_env(), &writer, path));
    DGM_TRY(dgm_writer_add(test_env(), &writer, text, strlen(text)));
    return dgm_writer_close(test_env(), &writer);
}

/* Converts the text and expects `want`, and the status with this message if it is not OK. */
static void converts(const char *text, const dgm_convert_options *options, const char *want,
                     dgm_status status, const char *message)
{
    struct dgm_buf out = { NULL, 0, 0, 0 };
    dgm_context *context;
    char path[512];
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(put(path, text), DGM_OK);
    CHECK_STATUS(dgm_convert_trees(context, path, options, keep, &out), status);
    CHECK_STR(out.data == NULL ? "" : out.data, want);
    if (status != DGM_OK)
        CHECK_STR(dgm_context_error(context)->message, message);
    dgm_buf_clear(test_env(), &out);
    dgm_context_free(context);
}

TEST(convert_trees_copies_by_default)
{
    static const char text[] =
        "# text = ab\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n" ROW("1", "a", "0", "root")
            ROW("2", "b", "1", "dep") "2.1\tc\t_\t_\t_\t_\t_\t_\t1:x\t_\n\n";
    converts(text, NULL, text, DGM_OK, NULL);
}

TEST(convert_trees_writes_what_reads_back_where_lines_end_in_two_returns)
{
    converts("1\ta\t_\t_\t_\t_\t0\troot\t_\t\r\r\n\r\n", NULL,
             "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n", DGM_OK, NULL);
}

TEST(convert_trees_writes_the_words_of_every_form)
{
    dgm_convert_options options = { .struct_size = sizeof options, .to = "words" };
    converts(ROW("1", "a b", "0", "root") ROW("2", "c", "1", "dep") "\n", &options,
             "a\xC2\xA0"
             "b c\n",
             DGM_OK, NULL);
    converts(ROW("1", "a", "_", "_") "\n", &options, "a\n", DGM_OK, NULL);
    options.from = "conllx";
    converts(ROW("1", "a", "0", "ROOT") "\n", &options, "a\n", DGM_OK, NULL);
    options.from = "typed";
    converts("x(b-2, a-1)\nroot(ROOT-0, b-2)\n\n", &options, "a b\n", DGM_OK, NULL);
    options.from = "brackets";
    converts("(S (NP (-NONE- *)) a (-RRB- -RRB-))\n\n()\n", &options, "a )\n\n", DGM_DATA,
             "tree without words; expected at least one [E_PTB]");
}

TEST(convert_trees_writes_heads_as_the_policy_moved_them)
{
    dgm_convert_options options = { .struct_size = sizeof options, .multi_root = "attach-first" };
    converts(ROW("1", "a", "2", "x") ROW("2", "b", "0", "root") ROW("3", "c", "0", "root")
                 ROW("4", "d", "0", "disc") "\n",
             &options,
             ROW("1", "a", "2", "x") ROW("2", "b", "0", "root") ROW("3", "c", "2", "dep")
                 ROW("4", "d", "2", "disc") "\n",
             DGM_OK, NULL);
}

TEST(convert_trees_lets_words_go_on_without_a_tree)
{
    dgm_convert_options options = { .struct_size = sizeof options, .lenient = 1 };
    converts("1-9\tx\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\t\tX\t_\t_\t2\tx\t2:x\tM=1\n" ROW(
                 "5", "b", "1", "x") "# late\n\n# empty\n\n",
             &options, "1\ta\t_\tX\t_\t_\t_\t_\t_\tM=1\n" ROW("2", "b", "_", "_") "\n# empty\n\n",
             DGM_OK, NULL);
}

TEST(convert_trees_keeps_the_place_of_a_sentence_without_words)
{
    dgm_convert_options options = { .struct_size = sizeof options, .from = "typed", .lenient = 1 };
    converts("nonsense\n\nroot(ROOT-0, a-1)\n\n", &options,
             "# text =\n\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n", DGM_OK, NULL);
}

TEST(convert_trees_names_the_sentence_that_a_format_cannot_hold)
{
    dgm_convert_options options = { .struct_size = sizeof options, .to = "typed", .lenient = 1 };
    converts(ROW("1", "a", "0", "root") "\n" ROW("1", "b", "_", "_") "\n", &options,
             "root(ROOT-0, a-1)\n\n", DGM_DATA,
             "sentence without a parse; typed dependencies need one");
}

/* The words keep what is not of the tree; who has lost it gets one. */
TEST(convert_trees_draws_random_heads)
{
    dgm_convert_options options = { .struct_size = sizeof options, .random_seed = 3 };
    options.allow_empty = 1;
    converts(ROW("1", "a", "0", "root") "\n" ROW("1", "a", "_", "_") "\n# c\n\n", &options,
             ROW("1", "a", "0", "root") "\n" ROW("1", "a", "0", "root") "\n# c\n\n", DGM_OK, NULL);
    converts(ROW("1", "a", "2", "x") ROW("2", "b", "0", "root") "\n", &options,
             ROW("1", "a", "0", "root") ROW("2", "b", "1", "dep") "\n", DGM_OK, NULL);
    options.from = options.to = "brackets";
    converts("(S (X a))\n", &options, "", DGM_USAGE,
             "random draws heads of dependencies; got from: brackets");
}

TEST(convert_trees_refuses_wrong_use)
{
    dgm_convert_options options = { .struct_size = sizeof options, .from = "brackets" };
    dgm_context *context;
    char path[512];
    converts(
        "(S a)\n", &options, "", DGM_USAGE,
        "brackets to conllu without head-rules; expected english (Penn Treebank), first, last or "
        "word, or to: brackets, binary or words");
    options.from = "mrg";
    converts("", &options, "", DGM_USAGE,
             "from: expected one of conllu, conllx, typed, brackets, got \"mrg\"");
    options.from = "conllu";
    options.to = "xml";
    converts(
        "", &options, "", DGM_USAGE,
        "to: expected one of conllu, conllx, typed, brackets, words, binary, json, got \"xml\"");
    options.to = "words";
    options.multi_root = "many";
    converts("", &options, "", DGM_USAGE,
             "multi_root: expected one of error, attach-first, keep, got \"many\"");
    CHECK_STATUS(dgm_convert_trees(NULL, "-", NULL, keep, NULL), DGM_USAGE);
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_convert_trees(context, NULL, NULL, keep, NULL), DGM_USAGE);
    dgm_context_clear(context);
    CHECK_STATUS(dgm_convert_trees(context, "-", NULL, NULL, NULL), DGM_USAGE);
    dgm_context_clear(context);
    CHECK_STATUS(put(path, ROW("1", "a", "0", "root") "\n"), DGM_OK);
    CHECK_STATUS(dgm_convert_trees(context, path, NULL, refuse, NULL), DGM_FAILURE);
    dgm_context_clear(context);
    dgm_context_stop(context);
    CHECK_STATUS(dgm_convert_trees(context, path, NULL, refuse, NULL), DGM_INTERRUPTED);
    dgm_context_free(context);
}
