/* test_bracket_conllu.c: phrase structure as dependencies: by hand, and as properties of any
 * tree. */
#include <string.h>

#include "base/philox.h"
#include "syntax/bracket/bracket_conllu.h"
#include "syntax/bracket/bracket_reader.h"
#include "syntax/conllu/conllu_reader.h"
#include "tree_check.h"
#include "treebank_file.h"

enum { RANDOM_TREES = 300 };

static void read_tree(const char *text, int cut_labels, struct dgm_bracket_tree *tree)
{
    const struct dgm_bracket_options options = { .cut_labels = cut_labels };
    struct dgm_bracket_reader reader;
    char path[1200];
    int more;

    memset(&reader, 0, sizeof reader);
    CHECK_STATUS(put_treebank(path, "t.mrg", text), DGM_OK);
    CHECK_STATUS(dgm_bracket_reader_open(test_env(), &reader, path, &options), DGM_OK);
    CHECK_STATUS(dgm_bracket_reader_next(test_env(), &reader, tree, &more), DGM_OK);
    dgm_bracket_reader_close(test_env(), &reader);
}

static void check(enum dgm_head_rules rules, enum dgm_bracket_relations relations, int cut_labels,
                  const char *text, const char *want)
{
    struct dgm_bracket_conllu conllu = { .rules = rules, .relations = relations };
    struct dgm_bracket_tree tree;

    memset(&tree, 0, sizeof tree);
    read_tree(text, cut_labels, &tree);
    CHECK_STATUS(dgm_bracket_to_conllu(test_env(), &conllu, &tree), DGM_OK);
    CHECK_STR(conllu.out.data, want);
    dgm_bracket_conllu_clear(test_env(), &conllu);
    dgm_bracket_clear(test_env(), &tree);
}

TEST(bracket_conllu_is_what_the_rules_of_english_say)
{
    check(
        DGM_HEADS_ENGLISH, DGM_RELATIONS_PHRASES, 1,
        "( (S (NP-SBJ (NP (NNP Pierre) (NNP Vinken)) (, ,) (ADJP (NP (CD 61) (NNS years)) (JJ old))"
        " (, ,)) (VP (MD will) (VP (VB join) (NP (DT the) (NN board)) (PP-CLR (IN as) (NP (DT a)"
        " (JJ nonexecutive) (NN director))) (NP-TMP (NNP Nov.) (CD 29)))) (. .)) )\n",
        "# text = Pierre Vinken , 61 years old , will join the board as a nonexecutive "
        "director Nov. "
        "29 .\n"
        "1\tPierre\t_\tPROPN\tNNP\t_\t2\tnp-nnp\t_\t_\n"
        "2\tVinken\t_\tPROPN\tNNP\t_\t8\ts-np\t_\t_\n"
        "3\t,\t_\tPUNCT\t,\t_\t2\tpunct\t_\t_\n"
        "4\t61\t_\tNUM\tCD\t_\t5\tnp-cd\t_\t_\n"
        "5\tyears\t_\tNOUN\tNNS\t_\t6\tadjp-np\t_\t_\n"
        "6\told\t_\tADJ\tJJ\t_\t2\tnp-adjp\t_\t_\n"
        "7\t,\t_\tPUNCT\t,\t_\t2\tpunct\t_\t_\n"
        "8\twill\t_\tAUX\tMD\t_\t0\troot\t_\t_\n"
        "9\tjoin\t_\tVERB\tVB\t_\t8\tvp-vp\t_\t_\n"
        "10\tthe\t_\tDET\tDT\t_\t11\tnp-dt\t_\t_\n"
        "11\tboard\t_\tNOUN\tNN\t_\t9\tvp-np\t_\t_\n"
        "12\tas\t_\tADP\tIN\t_\t9\tvp-pp\t_\t_\n"
        "13\ta\t_\tDET\tDT\t_\t15\tnp-dt\t_\t_\n"
        "14\tnonexecutive\t_\tADJ\tJJ\t_\t15\tnp-jj\t_\t_\n"
        "15\tdirector\t_\tNOUN\tNN\t_\t12\tpp-np\t_\t_\n"
        "16\tNov.\t_\tPROPN\tNNP\t_\t9\tvp-np\t_\t_\n"
        "17\t29\t_\tNUM\tCD\t_\t16\tnp-cd\t_\t_\n"
        "18\t.\t_\tPUNCT\t.\t_\t8\tpunct\t_\t_\n\n");
}

TEST(bracket_conllu_names_relations_as_it_is_asked_to)
{
    static const char text[] = "(S (NP-SBJ-1 (PRP$ my) (NN dog)) (VP (VBZ barks)) (. .))\n";

    check(DGM_HEADS_ENGLISH, DGM_RELATIONS_PHRASES, 0, text,
          "# text = my dog barks .\n"
          "1\tmy\t_\tPRON\tPRP$\t_\t2\tnp-prp\t_\t_\n"
          "2\tdog\t_\tNOUN\tNN\t_\t3\ts-np-sbj\t_\t_\n"
          "3\tbarks\t_\tVERB\tVBZ\t_\t0\troot\t_\t_\n"
          "4\t.\t_\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n");
    check(DGM_HEADS_LAST, DGM_RELATIONS_LABELS, 0, text,
          "# text = my dog barks .\n"
          "1\tmy\t_\tX\tPRP$\t_\t2\tPRP$\t_\t_\n"
          "2\tdog\t_\tX\tNN\t_\t3\tNP-SBJ-1\t_\t_\n"
          "3\tbarks\t_\tX\tVBZ\t_\t0\troot\t_\t_\n"
          "4\t.\t_\tPUNCT\t.\t_\t3\t.\t_\t_\n\n");
    check(DGM_HEADS_FIRST, DGM_RELATIONS_DEP, 1, text,
          "# text = my dog barks .\n"
          "1\tmy\t_\tX\tPRP$\t_\t0\troot\t_\t_\n"
          "2\tdog\t_\tX\tNN\t_\t1\tdep\t_\t_\n"
          "3\tbarks\t_\tX\tVBZ\t_\t1\tdep\t_\t_\n"
          "4\t.\t_\tPUNCT\t.\t_\t1\tdep\t_\t_\n\n");
}

TEST(bracket_conllu_of_odd_trees)
{
    check(DGM_HEADS_ENGLISH, DGM_RELATIONS_PHRASES, 1, "\n", "# text =\n\n");
    check(DGM_HEADS_ENGLISH, DGM_RELATIONS_PHRASES, 1, "(S dog)\n",
          "# text = dog\n1\tdog\t_\tX\tS\t_\t0\troot\t_\t_\n\n");
    check(DGM_HEADS_ENGLISH, DGM_RELATIONS_PHRASES, 1, "(S a (42 b) (-LRB- -LRB-) (VP c))\n",
          "# text = a b ( c\n1\ta\t_\tX\t_\t_\t4\ts-x\t_\t_\n2\tb\t_\tX\t42\t_\t4\ts-x\t_\t_\n"
          "3\t(\t_\tPUNCT\t-LRB-\t_\t4\tpunct\t_\t_\n4\tc\t_\tX\tVP\t_\t0\troot\t_\t_\n\n");
    check(DGM_HEADS_ENGLISH, DGM_RELATIONS_LABELS, 1, "(S a (VB b))\n",
          "# text = a b\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tVERB\tVB\t_\t1\tVB\t_\t_\n\n");
    check(DGM_HEADS_ENGLISH, DGM_RELATIONS_PHRASES, 1,
          "(SBAR (IN that) (S (VP (TO to) (VB go))))\n",
          "# text = that to go\n1\tthat\t_\tSCONJ\tIN\t_\t0\troot\t_\t_\n"
          "2\tto\t_\tPART\tTO\t_\t1\tsbar-s\t_\t_\n3\tgo\t_\tVERB\tVB\t_\t2\tvp-vb\t_\t_\n\n");
    check(DGM_HEADS_ENGLISH, DGM_RELATIONS_PHRASES, 1, "(PP (TO to) (NOUN it))\n",
          "# text = to "
          "it\n1\tto\t_\tADP\tTO\t_\t0\troot\t_\t_\n2\tit\t_\tNOUN\tNOUN\t_\t1\tpp-noun\t_\t_"
          "\n\n");
}

/* ---- any tree -------------------------------------------------------------------------------- */

/* Brackets of random labels and words, one inside the other and side by side. */
static void draw_tree(struct dgm_buf *out, struct dgm_random *random)
{
    static const char *const labels[] = {
        "S", "NP", "VP", "CC", "NN", ".", "VBD", "SBAR", "QQ", ","
    };
    int depth = 1, words = 0;

    dgm_buf_reset(out);
    CHECK_STATUS(dgm_buf_add_text(test_env(), out, "(S"), DGM_OK);
    while (depth > 0 || words == 0) {
        uint32_t what = dgm_random_below(random, words < 40 ? 5 : 1);

        if (what >= 3 && depth < 30) { /* a word of its own, so that no bracket stays empty */
            CHECK_STATUS(dgm_buf_add_format(test_env(), out, " (%s w%d",
                                            labels[dgm_random_below(random, 10)], words++),
                         DGM_OK);
            depth++;
        } else if (what == 2) {
            CHECK_STATUS(dgm_buf_add_format(test_env(), out, " w%d", words++), DGM_OK);
        } else if (depth > 1 || words > 0) {
            CHECK_STATUS(dgm_buf_add_text(test_env(), out, ")"), DGM_OK);
            depth--;
        }
    }
    CHECK_STATUS(dgm_buf_add_text(test_env(), out, "\n"), DGM_OK);
}

/* Of each constituent one word alone has its head outside. */
static void check_constituents(const struct dgm_bracket_tree *tree, const int32_t *head)
{
    for (int32_t i = 0; i < tree->node_count; i++) {
        int32_t first = tree->nodes[i].first_word, end = tree->nodes[i].end_word, outside = 0;

        for (int32_t w = first; w < end; w++)
            outside += head[w] == w || head[w] < first || head[w] >= end;
        CHECK_INT(outside, 1);
    }
}

TEST(bracket_conllu_is_a_projective_tree_whose_heads_stay_inside_constituents)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    struct dgm_bracket_tree tree;
    struct dgm_random random;

    memset(&tree, 0, sizeof tree);
    dgm_random_init(&random, 7, 1, 0, 0);
    for (int t = 0; t < RANDOM_TREES; t++) {
        draw_tree(&text, &random);
        read_tree(text.data, 1, &tree);
        CHECK(tree.has_parse);
        for (int rules = 0; rules < DGM_HEAD_RULES; rules++) {
            struct dgm_bracket_conllu conllu = { .rules = (enum dgm_head_rules)rules };
            struct dgm_tree heads;
            int projective;

            CHECK_STATUS(dgm_bracket_find_heads(test_env(), &conllu, &tree), DGM_OK);
            heads.head = conllu.head;
            heads.count = tree.word_count;
            heads.has_parse = 1;
            CHECK_STATUS(tree_validate(test_env(), &heads), DGM_OK);
            CHECK_INT(dgm_tree_root_count(&heads), 1);
            CHECK_STATUS(tree_is_projective(test_env(), &projective, &heads), DGM_OK);
            CHECK(projective);
            check_constituents(&tree, conllu.head);
            dgm_bracket_conllu_clear(test_env(), &conllu);
        }
    }
    dgm_bracket_clear(test_env(), &tree);
    dgm_buf_clear(test_env(), &text);
}
