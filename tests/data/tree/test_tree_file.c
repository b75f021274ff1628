/*
 * test_tree_file.c: trees beside a text: which format a file is in, and what of it reaches a side.
 */
#include <string.h>

#include "data/tree/tree_file.h"
#include "treebank_file.h"

#define ROW(id, word, head) id "\t" word "\t_\t_\t_\t_\t" head "\t_\t_\t_\n"

/* A line of words, as a pipeline would give it. */
static dgm_status make_line(struct dgm_encoded *line, const char *words)
{
    line->n_words = words[0] != '\0';
    dgm_buf_reset(&line->text);
    for (const char *at = words; *at != '\0'; at++)
        line->n_words += *at == ' ';
    return dgm_buf_add_text(test_env(), &line->text, words);
}

static dgm_status open_text(struct dgm_tree_file *file, char path[1200], const char *text,
                            int lenient)
{
    memset(file, 0, sizeof *file);
    DGM_TRY(put_treebank(path, "trees", text));
    return dgm_tree_file_open(test_env(), file, path, lenient);
}

static void is_format(const char *text, enum dgm_tree_format want)
{
    struct dgm_tree_file file;
    char path[1200];
    int more = 0;

    CHECK_STATUS(open_text(&file, path, text, 1), DGM_OK);
    CHECK_STATUS(dgm_tree_file_next(test_env(), &file, &more), DGM_OK);
    CHECK(file.format == want);
    dgm_tree_file_close(test_env(), &file);
    CHECK_STATUS(dgm_tree_file_is_conllu(test_env(), path, "somebody"),
                 want == DGM_TREES_CONLLU ? DGM_OK : DGM_USAGE);
    dgm_env_clear_error(test_env());
}

TEST(tree_file_is_brackets_if_it_begins_with_one)
{
    is_format("(X a)\n", DGM_TREES_BRACKETS);
    is_format("\n\r\n \t (X a)\n", DGM_TREES_BRACKETS);
    is_format("\xEF\xBB\xBF(X a)", DGM_TREES_BRACKETS);
    is_format("(", DGM_TREES_BRACKETS);
    is_format("# (X a)\n" ROW("1", "a", "0") "\n", DGM_TREES_CONLLU);
    is_format("\n\n" ROW("1", "(", "0") "\n", DGM_TREES_CONLLU);
    is_format("", DGM_TREES_CONLLU);
    is_format("\n\n", DGM_TREES_CONLLU);
    is_format("a (X b)\n", DGM_TREES_CONLLU);
}

static void is_format_behind(int blank_lines, enum dgm_tree_format want)
{
    char text[70000];

    memset(text, '\n', (size_t)blank_lines);
    strcpy(text + blank_lines, "(X a)\n");
    is_format(text, want);
}

TEST(tree_file_is_looked_at_for_64_kib)
{
    is_format_behind(65535, DGM_TREES_BRACKETS);
    is_format_behind(65536, DGM_TREES_CONLLU);
}

/* The next sentence, for these words: the status and, if it is DGM_OK, left[0] and right[0]. */
static void gives(struct dgm_tree_file *file, const char *words, dgm_status want, int32_t left,
                  int32_t right)
{
    struct dgm_encoded line;
    dgm_status status;
    int more = 0;

    memset(&line, 0, sizeof line);
    CHECK_STATUS(make_line(&line, words), DGM_OK);
    status = dgm_tree_file_next(test_env(), file, &more);
    CHECK(status != DGM_OK || more);
    if (status == DGM_OK)
        status = dgm_tree_file_take(test_env(), file, NULL, &line, "text", 1);
    CHECK_STATUS(status, want);
    if (status == DGM_OK) {
        CHECK_INT(file->line_tree.left[0], left);
        CHECK_INT(file->line_tree.right[0], right);
    }
    dgm_env_clear_error(test_env());
    dgm_encoded_clear(test_env(), &line);
}

static const char trees[] = "(X (X a b) c)\n" /* 1 */
                            "\n"
                            "(())\n"
                            "(TOP (X (Y (-NONE- *)) a (Z (Z b))) c)\r\n"
                            "(X A (X -LRB- c))\n" /* 5 */
                            "(X a b)\n"
                            "(X a (X d c))\n"
                            "(X a (X b c)\n"
                            "(X a (X b c)))\n"
                            "(X a \xFF c)\n" /* 10 */
                            "(X a (X b c))";

TEST(tree_file_of_brackets_gives_constituents_or_says_what_is_wrong)
{
    struct dgm_tree_file file;
    char path[1200];
    int more = 1;

    CHECK_STATUS(open_text(&file, path, trees, 0), DGM_OK);
    gives(&file, "a b c", DGM_OK, 0, 1);
    gives(&file, "a b c", DGM_OK, -1, -1);
    gives(&file, "a b c", DGM_OK, -1, -1);
    gives(&file, "a b c", DGM_OK, 0, 1);
    gives(&file, "a ( C", DGM_OK, 1, 2);
    CHECK_INT(dgm_tree_file_line(&file), 5);
    for (int bad = 6; bad <= 10; bad++)
        gives(&file, "a b c", DGM_DATA, 0, 0);
    gives(&file, "a b c", DGM_OK, 1, 2);
    CHECK_STATUS(dgm_tree_file_next(test_env(), &file, &more), DGM_OK);
    CHECK(!more);
    CHECK(file.line_tree.heads == NULL);
    dgm_tree_file_close(test_env(), &file);
}

TEST(tree_file_that_is_lenient_loses_the_trees_of_bad_lines_alone)
{
    struct dgm_tree_file file;
    char path[1200];

    CHECK_STATUS(open_text(&file, path, trees, 1), DGM_OK);
    for (int good = 1; good <= 5; good++)
        gives(&file, good == 5 ? "a ( C" : "a b c", DGM_OK,
              good == 5                ? 1
              : good == 2 || good == 3 ? -1
                                       : 0,
              good == 5                ? 2
              : good == 2 || good == 3 ? -1
                                       : 1);
    gives(&file, "a b c", DGM_DATA, 0, 0);
    CHECK(file.line_tree.left != NULL && file.line_tree.left[0] == -1);
    gives(&file, "a b c", DGM_DATA, 0, 0);
    gives(&file, "a b c", DGM_OK, -1, -1);
    gives(&file, "a b c", DGM_OK, -1, -1);
    gives(&file, "a b c", DGM_DATA, 0, 0);
    gives(&file, "a b c", DGM_OK, 1, 2);
    dgm_tree_file_close(test_env(), &file);
}

TEST(tree_file_of_brackets_is_refused_where_heads_are_needed)
{
    struct dgm_tree_file file;
    char path[1200];
    int more;

    CHECK_STATUS(open_text(&file, path, trees, 1), DGM_OK);
    file.needs = "--encoder lexicalized";
    for (int turn = 0; turn < 2; turn++) { /* as often as it is asked for */
        CHECK_STATUS(dgm_tree_file_next(test_env(), &file, &more), DGM_USAGE);
        CHECK(strstr(test_env()->error.message, "expected CoNLL-U: --encoder lexicalized") != NULL);
        dgm_env_clear_error(test_env());
    }
    dgm_tree_file_close(test_env(), &file);
}

TEST(tree_file_of_conllu_gives_heads)
{
    struct dgm_tree_file file;
    struct dgm_encoded line;
    char path[1200];
    int more;

    memset(&line, 0, sizeof line);
    CHECK_STATUS(make_line(&line, "a ("), DGM_OK);
    CHECK_STATUS(open_text(&file, path, ROW("1", "a", "2") ROW("2", "(", "0") "\n", 0), DGM_OK);
    CHECK_STATUS(dgm_tree_file_next(test_env(), &file, &more), DGM_OK);
    CHECK_STATUS(dgm_tree_file_take(test_env(), &file, NULL, &line, "text", 1), DGM_OK);
    CHECK_INT(file.line_tree.heads[0], 1);
    CHECK_INT(file.line_tree.heads[1], 1);
    CHECK(file.line_tree.left == NULL);
    CHECK_INT(dgm_tree_file_line(&file), 1);
    dgm_tree_file_close(test_env(), &file);
    dgm_encoded_clear(test_env(), &line);
}

TEST(tree_file_without_a_path_is_no_file)
{
    struct dgm_tree_file file;

    memset(&file, 0, sizeof file);
    CHECK_STATUS(dgm_tree_file_open(test_env(), &file, NULL, 0), DGM_OK);
    CHECK(file.path == NULL);
    dgm_tree_file_close(test_env(), &file);
}

/* "don't" as a range, and the same line as Moses and others cut it. */
TEST(tree_file_of_other_words_of_the_same_text_is_laid_over_them)
{
    static const char bank[] = ROW("1", "We",
                                   "4") "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n" ROW("2", "do", "4")
        ROW("3", "n't", "4") "4\tsee\t_\t_\t_\t_\t0\t_\t_\tSpaceAfter=No\n" ROW("5", ".", "4") "\n";
    static const struct {
        const char *line;
        dgm_status status;
        int32_t heads[6];
    } cases[] = { { "we do n't see .", DGM_OK, { 3, 3, 3, 3, 3 } },
                  { "we don 't see .", DGM_OK, { 3, 3, 3, 3, 3 } },
                  { "we don't see .", DGM_OK, { 2, 2, 2, 2 } },
                  { "we do n &apos;t se e.", DGM_OK, { 5, 5, 3, 5, 5, 5 } },
                  { "we cannot see .", DGM_DATA, { 0 } },
                  { "", DGM_DATA, { 0 } } };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dgm_tree_file file;
        struct dgm_encoded line = { .n = 0 };
        char path[1200];
        int more;

        CHECK_STATUS(open_text(&file, path, bank, 0), DGM_OK);
        CHECK_STATUS(dgm_tree_file_next(test_env(), &file, &more), DGM_OK);
        CHECK_STATUS(make_line(&line, cases[i].line), DGM_OK);
        CHECK_STATUS(dgm_tree_file_take(test_env(), &file, NULL, &line, "text", 1),
                     cases[i].status);
        for (int32_t w = 0; w < line.n_words; w++)
            CHECK_INT(file.line_tree.heads[w], cases[i].status == DGM_OK ? cases[i].heads[w] : -1);
        if (cases[i].status != DGM_OK)
            CHECK(strstr(test_env()->error.message, "[E_ALIGN]") != NULL);
        CHECK_INT(file.line_tree.laid.lines, cases[i].status == DGM_OK && i > 0);
        dgm_env_clear_error(test_env());
        dgm_encoded_clear(test_env(), &line);
        dgm_tree_file_close(test_env(), &file);
    }
}
