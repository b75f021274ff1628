/* test_head_rules.c: which child of a constituent is its head, rule by rule. */
#include <string.h>

#include "syntax/bracket/bracket_reader.h"
#include "syntax/bracket/head_rules.h"
#include "treebank_file.h"

/* The head of the bracket below TOP is the child number `want`, from 0, by these rules. */
static void check(enum dgm_head_rules rules, const char *text, int want, int want_known)
{
    struct dgm_bracket_reader reader;
    struct dgm_bracket_tree tree;
    int32_t head, child;
    char path[1200];
    int more, is_known = 1, at = 0;

    memset(&reader, 0, sizeof reader);
    memset(&tree, 0, sizeof tree);
    CHECK_STATUS(put_treebank(path, "t.mrg", text), DGM_OK);
    CHECK_STATUS(dgm_bracket_reader_open(test_env(), &reader, path, NULL), DGM_OK);
    CHECK_STATUS(dgm_bracket_reader_next(test_env(), &reader, &tree, &more), DGM_OK);
    CHECK(tree.node_count > 2);
    head = dgm_head_child(&tree, 1, rules, &is_known);
    for (child = tree.nodes[1].first_child; child != head && child >= 0; at++)
        child = tree.nodes[child].next_sibling;
    CHECK_INT(at, want);
    CHECK_INT(is_known, want_known);
    dgm_bracket_reader_close(test_env(), &reader);
    dgm_bracket_clear(test_env(), &tree);
}

static void english(const char *text, int want)
{
    check(DGM_HEADS_ENGLISH, text, want, 1);
}

TEST(head_rules_take_the_first_label_of_the_list_that_a_child_has)
{
    english("(VP (ADVP a) (VBD b) (NP c))\n", 1);
    english("(VP (MD a) (VP b))\n", 0);
    english("(VP (VP a) (VBD b))\n", 1);
    english("(VP (VB a) (TO b))\n", 1);
    english("(VP (NN a) (ADJP b))\n", 1);
    english("(S (NP a) (ADVP b) (VP c))\n", 2);
    english("(S (NP a) (NP b))\n", 0);
    english("(S (VP a) (S b))\n", 0);
    english("(PP (IN a) (IN b) (NP c))\n", 1);
    english("(PP (ADVP a) (TO b) (NP c))\n", 1);
    english("(SBAR (IN a) (S b))\n", 0);
    english("(SBAR (S a) (WHNP b))\n", 1);
    english("(QP (IN a) (CD b) ($ c))\n", 2);
    english("(SINV (VP a) (VBD b) (NP c))\n", 1);
    english("(SQ (MD a) (NP b) (VP c))\n", 0);
    english("(SBARQ (WHNP a) (SQ b) (. ?))\n", 1);
    english("(ADJP (RB a) (JJ b) (PP c))\n", 1);
    english("(ADVP (RB a) (RBR b) (PP c))\n", 0);
    english("(ADVP (RB a) (RB b))\n", 1);
    english("(WHNP (WDT a) (NN b))\n", 0);
    english("(WHPP (IN a) (WHNP b))\n", 0);
    english("(WHADVP (WRB a) (RB b))\n", 0);
    english("(LST (LS 1) (: :))\n", 0);
    english("(LST (X 1) (: :))\n", 1);
}

TEST(head_rules_without_a_label_of_the_list_take_what_is_no_punctuation)
{
    english("(S (`` a) (X b) (Y c) ('' d))\n", 1);
    english("(PP (, ,) (X b) (Y c) (. .))\n", 2);
    english("(FRAG (X a) (Y b) (. .))\n", 1);
    english("(INTJ (, ,) (UH a) (UH b))\n", 1);
    english("(UCP (, ,) (. .))\n", 1);
    english("(INTJ (, ,) (. .))\n", 0);
    english("(VP a (VB b))\n", 1);
}

TEST(head_rules_of_noun_phrases)
{
    english("(NP (DT a) (NN b) (NN c))\n", 2);
    english("(NP (NN a) (POS b))\n", 1);
    english("(NP (NN a) (POS b) (. .))\n", 1);
    english("(NP (NN a) (POS b) (X c))\n", 1);
    english("(NP (NP a) (PP b) (NP c))\n", 0);
    english("(NP (NP a) (JJ b) (NN c))\n", 2);
    english("(NP (CD a) ($ b) (JJ c))\n", 1);
    english("(NP (CD a) (JJ b))\n", 0);
    english("(NP (JJ a) (RB b) (DT c))\n", 1);
    english("(NP (DT a) (DT b) (. .))\n", 1);
    english("(NP-SBJ-1 (DT a) (NN b) (SBAR c))\n", 1);
    english("(NX (NN a) (X b))\n", 0);
    english("(NML (NN a) (JJ b))\n", 0);
}

TEST(head_rules_of_coordination_take_what_stands_before_the_conjunction)
{
    english("(NP (NN a) (CC b) (NN c))\n", 0);
    english("(NP (NN a) (, ,) (CC b) (NN c))\n", 0);
    english("(NP (NN a) (CONJP b) (NN c))\n", 0);
    english("(NP (CC both) (NN a))\n", 1);
    english("(NP (NN a) (, ,) (NN b) (CC c) (NN d))\n", 2);
    english("(UCP (ADJP a) (CC b) (PP c))\n", 0);
    english("(VP (VB a) (CC b) (VB c))\n", 0);
}

TEST(head_rules_say_which_labels_they_do_not_have)
{
    check(DGM_HEADS_ENGLISH, "(NOMINAL (NN a) (X b))\n", 1, 0);
    check(DGM_HEADS_ENGLISH, "(VP2 (VB a) (X b) (. .))\n", 1, 0);
    check(DGM_HEADS_ENGLISH, "(VP=2 (VB a) (X b))\n", 0, 1);
    check(DGM_HEADS_ENGLISH, "(PRT|ADVP (RP a) (X b))\n", 0, 1);
    check(DGM_HEADS_ENGLISH, "(XYZ a)\n", 0, 1); /* nothing to choose */
}

TEST(head_rules_for_any_treebank)
{
    check(DGM_HEADS_FIRST, "(S (PUNCT .) (A a) (B b) ($. .))\n", 1, 1);
    check(DGM_HEADS_LAST, "(S (PUNCT .) (A a) (B b) ($. .))\n", 2, 1);
    check(DGM_HEADS_LAST, "(S ($ a) (: .))\n", 0, 1);
    check(DGM_HEADS_FIRST, "(S (. .) (? ?))\n", 0, 1);
    check(DGM_HEADS_LAST, "(S (. .) (? ?))\n", 1, 1);
    check(DGM_HEADS_WORD, "(nsubj (det (DET the)) (NOUN dog) (punct (PUNCT .)))\n", 1, 1);
    check(DGM_HEADS_WORD, "(nsubj (det the) dog)\n", 1, 1);
    check(DGM_HEADS_WORD, "(nsubj (DET the) (NOUN dog))\n", 1, 1);
    check(DGM_HEADS_WORD, "(nsubj (det (DET the)) (PUNCT .) (punct (PUNCT .)))\n", 1, 1);
}
