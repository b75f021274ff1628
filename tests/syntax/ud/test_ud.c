/*
 * test_ud.c: what a strict reader of CoNLL-U refuses, with which words, and what it accepts: the
 * rules of levels 1 and 2 of Universal Dependencies. udtools 0.2.9 agrees on each text.
 */
#include "syntax/ud/ud.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

/* Comments of a sentence; a row of any columns; of ID, FORM, HEAD, MISC. */
#define S(id, text) "# sent_id = " id "\n# text = " text "\n"
#define ROW(id, form, upos, feats, head, deprel, deps, misc) \
    id "\t" form "\t_\t" upos "\t_\t" feats "\t" head "\t" deprel "\t" deps "\t" misc "\n"
#define W(id, form, head, misc) ROW(id, form, "X", "_", head, "dep", "_", misc)
#define D(id, form, head, deps) ROW(id, form, "X", "_", head, "dep", deps, "_")
#define RANGE(id, form, misc) ROW(id, form, "_", "_", "_", "_", "_", misc)
#define NODE(id, deps) ROW(id, "e", "_", "_", "_", "_", deps, "_")
#define A W("1", "a", "0", "_")
#define AB A W("2", "b", "1", "_")
#define ONE(feats) S("1", "a") ROW("1", "a", "X", feats, "0", "root", "_", "_") "\n"

/* Reads a text to its end or to its first fault, and says which. */
static void look(const char *text, const struct dgm_conllu_options *options, char *verdict,
                 size_t size)
{
    struct dgm_conllu_reader reader = { 0 };
    struct dgm_conllu_sentence sentence = { 0 };
    struct dgm_buf bytes = { 0 };
    dgm_status status;
    int more = 1;

    CHECK_STATUS(dgm_buf_add_text(test_env(), &bytes, text), DGM_OK);
    status = dgm_conllu_reader_open_text(test_env(), &reader, "t", &bytes, options);
    while (status == DGM_OK && more)
        status = dgm_conllu_reader_next(test_env(), &reader, &sentence, &more);
    snprintf(verdict, size, "%s", "");
    if (status != DGM_OK)
        snprintf(verdict, size, "%ld:%ld: %s", test_env()->error.line, test_env()->error.column,
                 test_env()->error.message);
    dgm_env_clear_error(test_env());
    dgm_conllu_reader_close(test_env(), &reader);
    dgm_conllu_clear(test_env(), &sentence);
    dgm_buf_clear(test_env(), &bytes);
}

static void expect(const char *text, const char *want)
{
    static const struct dgm_conllu_options strict = { .strict = 1 };
    char verdict[1000];

    look(text, &strict, verdict, sizeof verdict);
    CHECK_STR(verdict, want);
}

struct row {
    const char *text, *verdict;
};

#define CHECK_ROWS(rows)                                      \
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) \
    expect(rows[i].text, rows[i].verdict)

TEST(ud_accepts_what_its_rules_allow)
{
    static const char *const good[] = {
        "",
        S("1", "a") A "\n",
        "#\n##\n#sent_id=x/y\n# text_en = b\n#  text  =\xC2\xA0 a\n" A "\n",
        S("1", "a  b") AB "\n" S("2", "ab") W("1", "a", "0", "SpaceAfter=No")
            W("2", "b", "1", "_") "\n",
        ONE("Case=Acc,Nom|Number=Sing|Number[psor]=Plur|Typo=Yes"),
        ONE("A=1|B=2B,3"),
        S("1", "a b")
            ROW("1", "a b", "X", "_", "0", "flat:foreign", "_", "Lang=de|x|x|=|a=1|a=2") "\n",
        S("1", "ab c") RANGE("1-2", "ab", "_") AB W("3", "c", "1", "_") "\n",
        S("1", "abc") RANGE("1-2", "ab", "SpaceAfter=No") AB W("3", "c", "1", "_") "\n",
        S("1", "ab") ROW("1-2", "ab", "_", "Typo=Yes", "_", "_", "_", "_") AB "\n",
        S("1", "a b") NODE("0.1", "1:dep") D("1", "a", "0",
                                             "0:root|0.1:obl:arg:\xC3\xBC"
                                             "ber_a:dat")
            D("2", "b", "1", "1:conj:\xC3\xBC|1:ref|2.1:dep") NODE("2.1", "1:dep") "\n",
        S("1", "a") "# newpar\n# newdoc x\n# newdoc id = a\n# newdoc id = b\n" W(
            "1", "a", "0", "SpaceAfter=No") "\n" S("2", "a") "# newdoc id = c\n" A "\n",
        S("1", "a") "# parallel_id = p/1/alt1part1\n" A
                    "\n" S("2", "a") "# parallel_id = p/1/alt2part2\n" A
                                     "\n" S("3", "a") "# parallel_id = p/2\n" A "\n",
        S("1", "\xC3\xA9") W("1", "\xC3\xA9", "0", "_") "\n",
    };

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        expect(good[i], "");
}

TEST(ud_refuses_lines)
{
    static const struct row bad[] = {
        { "\n" S("1", "a") A "\n",
          "1:1: blank line without a sentence before it; expected one after each "
          "sentence [E_LINE]" },
        { S("1", "a") A "\n\n",
          "5:1: blank line without a sentence before it; expected one after each "
          "sentence [E_LINE]" },
        { S("1", "a") A,
          "3:1: end of file inside a sentence; expected a blank line after the last one "
          "[E_LINE]" },
        { S("1", "a") "# x\r\n" A "\n",
          "3:4: carriage return (CR); expected lines that end with LF alone [E_LINE]" },
        { S("1", "a") A "\r\n",
          "4:1: carriage return (CR); expected lines that end with LF alone [E_LINE]" },
        { "\xEF\xBB\xBF" S("1", "a") A "\n",
          "1:1: byte-order mark (U+FEFF); expected a file without one [E_LINE]" },
        { S("1", "a\xEF\xBF\xBD") A "\n",
          "2:11: U+FFFD, which stands for a damaged character; expected "
          "the character itself [E_UTF8]" },
        { S("1", "xe\xCC\x81") A "\n",
          "2:11: a character that is not in Unicode's normal form C; expected a letter and "
          "its accent "
          "as one character [E_NFC]" },
        { S("1", "a b") RANGE("1-2", "a b", "_") AB "\n",
          "3:5: FORM \"a b\"; expected no white space [E_FIELD]" },
        { S("1", "a") W("1", "a", "0", "x\xC2\xA0 y") "\n",
          "3:21: MISC \"x\xC2\xA0 y\"; expected no two white spaces in a row [E_FIELD]" },
        { S("1", "a") W("1", "a ", "0", "_") "\n",
          "3:3: FORM \"a \"; expected no white space at its ends [E_FIELD]" },
        { S("1", "a") D("1", "a", "0", "0: dep") "\n",
          "3:19: DEPS \"0: dep\"; expected no white space [E_FIELD]" },
        { S("1", "a b") A RANGE("2-3", "bc", "_") NODE("1.1", "0:root") W("2", "b", "1", "_")
              W("3", "c", "1", "_") "\n",
          "5:1: ID \"1.1\"; expected an empty node before the line of the range, not behind "
          "[E_NODE]" },
    };

    CHECK_ROWS(bad);
}

TEST(ud_refuses_labels)
{
    static const struct row bad[] = {
        { S("1", "a") ROW("1", "a", "noun", "_", "0", "root", "_", "_") "\n",
          "3:7: UPOS \"noun\"; expected one of the 17 UPOS tags [E_LABEL]" },
        { S("1", "a") ROW("1", "a", "_", "_", "0", "root", "_", "_") "\n",
          "3:7: UPOS \"_\"; expected one of the 17 UPOS tags [E_LABEL]" },
        { S("1", "a") ROW("1", "a", "X", "_", "0", "root:Sub", "_", "_") "\n",
          "3:15: DEPREL \"root:Sub\"; expected a universal relation, perhaps with a subtype "
          "[E_LABEL]" },
        { S("1", "a") ROW("1", "a", "X", "_", "0", "_", "_", "_") "\n",
          "3:15: DEPREL \"_\"; expected a universal relation, perhaps with a subtype [E_LABEL]" },
        { ONE("a=B"), "3:11: FEATS \"a=B\"; expected Name=Value, with a capital first and no other "
                      "characters than letters and digits [E_LABEL]" },
        { ONE("A[]=B"),
          "3:11: FEATS \"A[]=B\"; expected Name=Value, with a capital first and no other "
          "characters than letters and digits [E_LABEL]" },
        { ONE("B=1|A=1"),
          "3:11: FEATS \"A=1\"; expected features in the order of the alphabet [E_LABEL]" },
        { ONE("Ab=1|AB=2|Ab=3"), "3:11: FEATS \"Ab=3\"; expected each feature once [E_LABEL]" },
        { ONE("A=2,1"),
          "3:11: FEATS \"A=2,1\"; expected values of letters and digits, a capital or digit "
          "first, in the order of the alphabet, each once [E_LABEL]" },
        { ONE("A=Ab,AB,Ab"),
          "3:11: FEATS \"A=Ab,AB,Ab\"; expected values of letters and digits, a capital "
          "or digit first, in the order of the alphabet, each once [E_LABEL]" },
        { S("1", "a") W("1", "a", "0", "Lang=de|Lang=de") "\n",
          "3:21: MISC \"Lang=de\"; expected this key once [E_LABEL]" },
        { S("1", "a") W("1", "a", "0", "SpaceAfter=Yes") "\n",
          "3:21: MISC \"SpaceAfter=Yes\"; expected SpaceAfter=No, or SpacesAfter [E_LABEL]" },
        { S("1", "a") W("1", "a", "0", "NoSpaceAfter=Yes") "\n",
          "3:21: MISC \"NoSpaceAfter=Yes\"; expected SpaceAfter=No instead of "
          "NoSpaceAfter=Yes [E_LABEL]" },
        { S("1", "ab") ROW("1-2", "ab", "_", "A=B", "_", "_", "_", "_") AB "\n",
          "3:14: FEATS \"A=B\"; expected _ or Typo=Yes in the line of a range [E_RANGE]" },
        { S("1", "ab") ROW("1-2", "ab", "X", "_", "_", "_", "_", "_") AB "\n",
          "3:10: UPOS \"X\"; expected _ in the line of a range [E_RANGE]" },
    };

    CHECK_ROWS(bad);
}

TEST(ud_refuses_enhanced_graphs)
{
#define GRAPH(deps) S("1", "a b") D("1", "a", "0", "0:root") D("2", "b", "1", deps) "\n"
#define RELATION \
    "expected a universal relation or ref behind the head, perhaps with subtypes [E_DEPS]"
    static const struct row bad[] = {
        { GRAPH("dep"), "4:19: DEPS \"dep\"; expected head:relation|... [E_DEPS]" },
        { GRAPH("01:dep"), "4:19: DEPS \"01:dep\"; expected head:relation|... [E_DEPS]" },
        { GRAPH("1.0:dep"), "4:19: DEPS \"1.0:dep\"; expected head:relation|... [E_DEPS]" },
        { GRAPH("3:dep"),
          "4:19: DEPS \"3:dep\"; expected a head that is 0 or a node of this sentence "
          "[E_DEPS]" },
        { GRAPH("1.1:dep"),
          "4:19: DEPS \"1.1:dep\"; expected a head that is 0 or a node of this sentence "
          "[E_DEPS]" },
        { GRAPH("2.1:dep"),
          "4:19: DEPS \"2.1:dep\"; expected a head that is 0 or a node of this sentence "
          "[E_DEPS]" },
        { GRAPH("2:dep"),
          "4:19: DEPS \"2:dep\"; expected another head than the node itself [E_DEPS]" },
        { GRAPH("1:dep|0:root"), "4:19: DEPS \"0:root\"; expected heads in rising order [E_DEPS]" },
        { GRAPH("1:obj|1:dep"),
          "4:19: DEPS \"1:dep\"; expected relations to one head in the order of the "
          "alphabet [E_DEPS]" },
        { GRAPH("1:dep|1:dep"),
          "4:19: DEPS \"1:dep\"; expected each head and relation once [E_DEPS]" },
        { GRAPH("1:x"), "4:19: DEPS \"1:x\"; " RELATION },
        { GRAPH("1:dep:"), "4:19: DEPS \"1:dep:\"; " RELATION },
        { GRAPH("1:dep:a:b:c:d"), "4:19: DEPS \"1:dep:a:b:c:d\"; " RELATION },
        { GRAPH("1:dep:\xC3\xBC:\xC3\xBC"), "4:19: DEPS \"1:dep:\xC3\xBC:\xC3\xBC\"; " RELATION },
        { GRAPH("1:dep:a__b"), "4:19: DEPS \"1:dep:a__b\"; " RELATION },
        { GRAPH("1:dep:\xC7\x85"), "4:19: DEPS \"1:dep:\xC7\x85\"; " RELATION },
        { GRAPH("_"),
          "4:19: DEPS \"_\"; expected heads over which the root 0 is reached, as this sentence "
          "has an enhanced graph [E_DEPS]" },
        { S("1", "a b") D("1", "a", "0", "2:dep") D("2", "b", "1", "1:dep") "\n",
          "3:19: DEPS \"2:dep\"; expected heads over which the root 0 is reached, as this "
          "sentence has an "
          "enhanced graph [E_DEPS]" },
        { S("1", "a") A NODE("1.1", "_") "\n",
          "3:19: DEPS \"_\"; expected heads over which the root 0 is reached, as this "
          "sentence has an "
          "enhanced graph [E_DEPS]" },
        { S("1", "a") A "\n" S("2", "a") D("1", "a", "0", "0:root") "\n",
          "7:19: a sentence with DEPS; expected one without, as that at line 3 [E_DEPS]" },
        { S("1", "a") D("1", "a", "0", "0:root") "\n" S("2", "a") A "\n",
          "7:19: a sentence without DEPS; expected one with, as that at line 3 [E_DEPS]" },
        { S("1", "a") A ROW("1.1", "e", "_", "_", "1", "_", "_", "_") "\n",
          "4:15: HEAD \"1\"; expected _, as an empty node has no place in the tree [E_NODE]" },
        { S("1", "a") A ROW("1.1", "e", "_", "_", "_", "dep", "_", "_") "\n",
          "4:17: DEPREL \"dep\"; expected _, as an empty node has no place in the tree [E_NODE]" },
    };

    CHECK_ROWS(bad);
#undef GRAPH
#undef RELATION
}

TEST(ud_refuses_ids)
{
#define PARALLEL(id) "# parallel_id = " id "\n"
    static const struct row bad[] = {
        { "# text = a\n" A "\n",
          "1:1: a sentence without a comment # sent_id = ID; expected one [E_META]" },
        { A "\n", "1:1: a sentence without a comment # sent_id = ID; expected one [E_META]" },
        { S("a b", "a") A "\n",
          "1:1: a comment of sent_id; expected # sent_id = ID, without white space "
          "[E_META]" },
        { "#sent_idx = 1\n" S("1", "a") A "\n",
          "1:1: a comment of sent_id; expected # sent_id = ID, without white space [E_META]" },
        { "# sent_id = 2\n" S("1", "a") A "\n", "2:1: a second sent_id; expected one [E_META]" },
        { S("a/b/c", "a") A "\n",
          "1:1: a sent_id with two slashes; expected at most one [E_META]" },
        { S("1", "a") A "\n" S("1", "a") A "\n",
          "5:1: sent_id \"1\", as at line 1; expected one of its own [E_META]" },
        { S("1", "a") PARALLEL("p") A "\n",
          "3:1: a comment of parallel_id; expected # parallel_id = corpus/sentence or "
          "corpus/sentence/alt1part1 [E_META]" },
        { S("1", "a") PARALLEL("p/1/part1alt1") A "\n",
          "3:1: a comment of parallel_id; expected # parallel_id = corpus/sentence or "
          "corpus/sentence/alt1part1 [E_META]" },
        { S("1", "a") PARALLEL("p/1") PARALLEL("p/2") A "\n",
          "4:1: a second parallel_id; expected one [E_META]" },
        { S("1", "a") PARALLEL("p/1") A "\n" S("2", "a") PARALLEL("p/1") A "\n",
          "8:1: parallel_id \"p/1\", as at line 3; expected one of its own [E_META]" },
        { S("1", "a") PARALLEL("p/1/alt2") A "\n",
          "3:1: a parallel_id without the next number of alt; expected alt1 [E_META]" },
        { S("1", "a") PARALLEL("p/1") A "\n" S("2", "a") PARALLEL("p/1/part1") A "\n",
          "8:1: a parallel_id with a number of part; expected none, as the sentence before "
          "of this name "
          "has none [E_META]" },
        { S("1", "a") PARALLEL("p/1/part1") A "\n" S("2", "a") PARALLEL("p/1/part3") A "\n",
          "8:1: a parallel_id without the next number of part; expected part2 [E_META]" },
    };

    CHECK_ROWS(bad);
#undef PARALLEL
}

TEST(ud_refuses_texts)
{
    static const struct row bad[] = {
        { "# sent_id = 1\n" A "\n",
          "1:1: a sentence without a comment # text = TEXT; expected one [E_META]" },
        { S("1", "a") "# text = a\n" A "\n", "3:1: a second # text; expected one [E_META]" },
        { S("1", "") A "\n", "2:1: an empty # text; expected the text of the sentence [E_META]" },
        { S("1", "a\xC2\xA0") A "\n",
          "2:1: # text ends with white space; expected none there [E_META]" },
        { S("1", "a c") AB "\n",
          "4:3: FORM \"b\"; expected the form with which # text goes on: \"c\" [E_TEXT]" },
        { S("1", "ab") AB "\n",
          "3:21: MISC \"_\"; expected SpaceAfter=No, as # text goes on without a space: "
          "\"b\" [E_TEXT]" },
        { S("1", "a b") W("1", "a", "0", "SpaceAfter=No") W("2", "b", "1", "_") "\n",
          "4:3: FORM \"b\"; expected the form with which # text goes on: \" b\" [E_TEXT]" },
        { S("1", "a b c") AB "\n",
          "2:1: # text goes on behind the last word: \"c\"; expected its end [E_TEXT]" },
        { S("1", "ab") RANGE("1-2", "ab", "_") A W("2", "b", "1", "SpaceAfter=No") "\n",
          "5:21: MISC \"SpaceAfter=No\"; expected no SpaceAfter=No inside a range, but in "
          "its own line "
          "[E_TEXT]" },
        { S("1", "a") D("1", "a", "0", "0:root")
              ROW("1.1", "e", "_", "_", "_", "_", "1:dep", "SpaceAfter=No") "\n",
          "4:25: MISC \"SpaceAfter=No\"; expected no SpaceAfter=No at an empty node [E_TEXT]" },
        { "# newpar\n#newpar x\n" S("1", "a") A "\n",
          "2:1: a second newpar; expected one [E_META]" },
        { S("1", "a") W("1", "a", "0", "SpaceAfter=No") "\n# newdoc\n" S("2", "a") A "\n",
          "5:1: newdoc behind a token with SpaceAfter=No; expected none there [E_META]" },
    };

    CHECK_ROWS(bad);
}

/* A reader that goes on with broken sentences has its own mind. */
TEST(ud_checks_no_lenient_reader)
{
    static const struct dgm_conllu_options both = { .strict = 1, .lenient = 1 };
    char verdict[1000];

    look(A "\n", &both, verdict, sizeof verdict);
    CHECK_STR(verdict, "");
}
