/* test_tree_brackets.c: dependency trees as brackets, and back again. */
#include <string.h>

#include "base/philox.h"
#include "syntax/bracket/bracket_conllu.h"
#include "syntax/bracket/bracket_reader.h"
#include "syntax/bracket/tree_brackets.h"
#include "syntax/conllu/conllu_reader.h"
#include "tree_check.h"
#include "treebank_file.h"

enum { RANDOM_TREES = 200, MOST_WORDS = 24 };

static dgm_status keep(void *user, const char *text, size_t bytes)
{
    return dgm_buf_add(test_env(), user, text, bytes);
}

static const struct dgm_conllu_options reading = {
    .lenient = 1, .allow_empty = 1, .allow_unparsed = 1, .multi_root = DGM_MULTI_ROOT_KEEP
};

/* What is written of a block of CoNLL-U. */
static void write_brackets(const char *block, struct dgm_conllu_sentence *sentence,
                           struct dgm_buf *line, int32_t *lifted)
{
    struct dgm_tree_brackets brackets;
    struct dgm_conllu_reader reader;
    struct dgm_buf text = { NULL, 0, 0, 0 };
    struct dgm_writer writer;
    int more;

    memset(&brackets, 0, sizeof brackets);
    memset(&reader, 0, sizeof reader);
    dgm_buf_reset(line);
    CHECK_STATUS(dgm_buf_add_text(test_env(), &text, block), DGM_OK);
    CHECK_STATUS(dgm_conllu_reader_open_text(test_env(), &reader, "text", &text, &reading), DGM_OK);
    CHECK_STATUS(dgm_conllu_reader_next(test_env(), &reader, sentence, &more), DGM_OK);
    dgm_writer_open_sink(&writer, keep, line);
    CHECK_STATUS(dgm_tree_brackets_write(test_env(), &brackets, &writer, sentence), DGM_OK);
    CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
    if (lifted != NULL)
        *lifted = brackets.lifted;
    dgm_conllu_reader_close(test_env(), &reader);
    dgm_tree_brackets_clear(test_env(), &brackets);
    dgm_buf_clear(test_env(), &text);
}

static void check(const char *block, const char *want)
{
    struct dgm_conllu_sentence sentence;
    struct dgm_buf line = { NULL, 0, 0, 0 };

    memset(&sentence, 0, sizeof sentence);
    write_brackets(block, &sentence, &line, NULL);
    CHECK_STR(line.data, want);
    dgm_buf_clear(test_env(), &line);
    dgm_conllu_clear(test_env(), &sentence);
}

TEST(tree_brackets_of_a_word_are_its_dependents_around_it)
{
    check("1\tThe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tdog\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
          "3\tsaw\t_\tVERB\t_\t_\t0\troot\t_\t_\n4\tcats\t_\tNOUN\t_\t_\t3\tobj\t_\t_\n\n",
          "(TOP (root (nsubj (det (DET The)) (NOUN dog)) (VERB saw) (obj (NOUN cats))))\n");
    check("# text = x\n\n", "\n");
    check("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "(())\n");
    check("1\ta b\t_\t_\tN N\t_\t0\tro(ot\t_\t_\n\n", "(TOP (ro_ot (N_N a\xC2\xA0"
                                                      "b)))\n");
    check("1\t(\t_\t-NONE-\t_\t_\t0\troot\t_\t_\n\n", "(TOP (root -LRB-))\n");
    check("1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tY\t_\t_\t0\troot\t_\t_\n\n",
          "(TOP (root (X a)) (root (Y b)))\n");
}

TEST(tree_brackets_lift_what_crosses)
{
    struct dgm_conllu_sentence sentence;
    struct dgm_buf line = { NULL, 0, 0, 0 };
    int32_t lifted;

    memset(&sentence, 0, sizeof sentence);
    /* 1 <- 3, 2 root, so that 3 -> 1 spans the root. */
    write_brackets("1\ta\t_\tX\t_\t_\t3\tp\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n"
                   "3\tc\t_\tX\t_\t_\t2\tq\t_\t_\n\n",
                   &sentence, &line, &lifted);
    CHECK_STR(line.data, "(TOP (root (p (X a)) (X b) (q (X c))))\n");
    CHECK_INT(lifted, 1);
    dgm_buf_clear(test_env(), &line);
    dgm_conllu_clear(test_env(), &sentence);
}

/* ---- any tree -------------------------------------------------------------------------------- */

static void draw_block(struct dgm_buf *block, struct dgm_random *random, int32_t *count)
{
    uint32_t order[MOST_WORDS];
    int32_t heads[MOST_WORDS];

    *count = 1 + (int32_t)dgm_random_below(random, MOST_WORDS);
    for (int32_t i = 0; i < *count; i++)
        order[i] = (uint32_t)i;
    dgm_random_shuffle(random, order, (size_t)*count);
    for (uint32_t i = 0; i < (uint32_t)*count; i++)
        heads[order[i]] = i == 0 ? 0 : (int32_t)order[dgm_random_below(random, i)] + 1;
    dgm_buf_reset(block);
    for (int32_t i = 0; i < *count; i++)
        CHECK_STATUS(dgm_buf_add_format(test_env(), block, "%d\tw%d\t_\tX\t_\t_\t%d\t%s%d\t_\t_\n",
                                        (int)i + 1, (int)i, (int)heads[i],
                                        heads[i] == 0 ? "root" : "r", (int)i),
                     DGM_OK);
    CHECK_STATUS(dgm_buf_add_text(test_env(), block, "\n"), DGM_OK);
}

/* Words stay in order; relations and tags stay; a projective tree comes back as it was. */
static void check_back(const struct dgm_conllu_sentence *sentence, const char *line, int32_t lifted)
{
    struct dgm_bracket_conllu conllu = { .rules = DGM_HEADS_WORD };
    struct dgm_bracket_reader reader;
    struct dgm_bracket_tree tree;
    char path[1200];
    int more, projective;

    memset(&reader, 0, sizeof reader);
    memset(&tree, 0, sizeof tree);
    CHECK_STATUS(put_treebank(path, "t.mrg", line), DGM_OK);
    CHECK_STATUS(dgm_bracket_reader_open(test_env(), &reader, path, NULL), DGM_OK);
    CHECK_STATUS(dgm_bracket_reader_next(test_env(), &reader, &tree, &more), DGM_OK);
    CHECK_INT(tree.word_count, sentence->tree.count);
    CHECK_STATUS(dgm_bracket_find_heads(test_env(), &conllu, &tree), DGM_OK);
    CHECK_STATUS(tree_is_projective(test_env(), &projective, &sentence->tree), DGM_OK);
    CHECK_INT(projective, lifted == 0);
    for (int32_t w = 0; w < tree.word_count; w++) {
        CHECK_STR(dgm_bracket_text(&tree, tree.words[w]),
                  dgm_conllu_field(sentence, w, DGM_CONLLU_FORM));
        if (sentence->tree.head[w] != w)
            CHECK_STR(dgm_bracket_text(&tree, conllu.largest[w]),
                      dgm_conllu_field(sentence, w, DGM_CONLLU_DEPREL));
        if (projective)
            CHECK_INT(conllu.head[w], sentence->tree.head[w]);
    }
    dgm_bracket_conllu_clear(test_env(), &conllu);
    dgm_bracket_reader_close(test_env(), &reader);
    dgm_bracket_clear(test_env(), &tree);
}

TEST(tree_brackets_of_any_tree_are_read_back)
{
    struct dgm_buf block = { NULL, 0, 0, 0 }, line = { NULL, 0, 0, 0 };
    struct dgm_conllu_sentence sentence;
    struct dgm_random random;
    int straight = 0;

    memset(&sentence, 0, sizeof sentence);
    dgm_random_init(&random, 11, 1, 0, 0);
    for (int t = 0; t < RANDOM_TREES; t++) {
        int32_t count, lifted;

        draw_block(&block, &random, &count);
        write_brackets(block.data, &sentence, &line, &lifted);
        CHECK_INT(sentence.tree.count, count);
        check_back(&sentence, line.data, lifted);
        straight += lifted == 0;
    }
    CHECK(straight > 20 && straight < RANDOM_TREES - 20);
    dgm_conllu_clear(test_env(), &sentence);
    dgm_buf_clear(test_env(), &block);
    dgm_buf_clear(test_env(), &line);
}
