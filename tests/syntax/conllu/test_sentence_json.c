/* test_sentence_json.c: sentences of CoNLL-U as lines of JSON. */
#include "syntax/conllu/sentence_json.h"

#include <stdio.h>
#include <string.h>

#include "syntax/conllu/conllu_reader.h"
#include "test.h"

static const struct dgm_conllu_options reading = {
    .lenient = 1, .allow_empty = 1, .allow_unparsed = 1, .multi_root = DGM_MULTI_ROOT_KEEP
};

static void check(const char *block, const char *want)
{
    struct dgm_buf text = { NULL, 0, 0, 0 }, line = { NULL, 0, 0, 0 };
    struct dgm_conllu_sentence sentence;
    struct dgm_conllu_reader reader;
    int more;

    memset(&reader, 0, sizeof reader);
    memset(&sentence, 0, sizeof sentence);
    CHECK_STATUS(dgm_buf_add_text(test_env(), &text, block), DGM_OK);
    CHECK_STATUS(dgm_conllu_reader_open_text(test_env(), &reader, "text", &text, &reading), DGM_OK);
    CHECK_STATUS(dgm_conllu_reader_next(test_env(), &reader, &sentence, &more), DGM_OK);
    CHECK_STATUS(dgm_sentence_json(test_env(), &line, &sentence), DGM_OK);
    CHECK_STR(line.data, want);
    dgm_conllu_reader_close(test_env(), &reader);
    dgm_conllu_clear(test_env(), &sentence);
    dgm_buf_clear(test_env(), &text);
    dgm_buf_clear(test_env(), &line);
}

TEST(sentence_json_has_the_columns_that_are_filled)
{
    check(
        "# sent_id = s1\n# text = a b\n# newpar\n#source: x\n"
        "1\ta\tA\tX\tx\tF=1|G=2\t2\tdep\t2:dep\tSpaceAfter=No\n"
        "2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n",
        "{\"sent_id\": \"s1\", \"text\": \"a b\", \"comments\": [\"newpar\", \"source: x\"], "
        "\"words\": "
        "[{\"id\": 1, \"form\": \"a\", \"lemma\": \"A\", \"upos\": \"X\", \"xpos\": \"x\", "
        "\"feats\": "
        "\"F=1|G=2\", \"head\": 2, \"deprel\": \"dep\", \"deps\": \"2:dep\", \"misc\": "
        "\"SpaceAfter=No\"}, {\"id\": 2, \"form\": \"b\", \"head\": 0, \"deprel\": \"root\"}]}\n");
    check("# text = \n\n", "{\"text\": \"\", \"words\": []}\n");
    check("#\n\n", "{\"comments\": [\"\"], \"words\": []}\n");
    check("# text=1\n# text = 2\n\n",
          "{\"text\": \"1\", \"comments\": [\"text = 2\"], \"words\": []}\n");
}

TEST(sentence_json_lifts_places_and_probabilities_out_of_misc)
{
    check("1\ta\t_\t_\t_\t_\t_\t_\t_\tA=1|TokenRange=0:1|SpaceAfter=No|Prob=0.5\n\n",
          "{\"words\": [{\"id\": 1, \"form\": \"a\", \"start\": 0, \"end\": 1, \"prob\": 0.5, "
          "\"misc\": "
          "\"A=1|SpaceAfter=No\"}]}\n");
    check("1\ta\t_\t_\t_\t_\t_\t_\t_\tTokenRange=0:x|Prob=2e-05\n\n",
          "{\"words\": [{\"id\": 1, \"form\": \"a\", \"prob\": 2e-05, \"misc\": "
          "\"TokenRange=0:x\"}]}\n");
    /* No member stands twice. */
    check("1\ta\t_\t_\t_\t_\t_\t_\t_\tProb=x|Prob=0.5|TokenRange=0:1|Prob=1|TokenRange=2:3\n\n",
          "{\"words\": [{\"id\": 1, \"form\": \"a\", \"prob\": 0.5, \"start\": 0, \"end\": 1, "
          "\"misc\": \"Prob=x|Prob=1|TokenRange=2:3\"}]}\n");
    /* What is no number of JSON stays text. */
    for (const char *const *odd = (const char *const[]){ "01", "1.", ".5", "1e", "-1", "1x",
                                                         "1e-999", "1e999", "", NULL };
         *odd != NULL; odd++) {
        char block[200], want[200];

        snprintf(block, sizeof block, "1\ta\t_\t_\t_\t_\t_\t_\t_\tProb=%s\n\n", *odd);
        snprintf(want, sizeof want,
                 "{\"words\": [{\"id\": 1, \"form\": \"a\", \"misc\": \"Prob=%s\"}]}\n", *odd);
        check(block, want);
    }
    check("1\ta\t_\t_\t_\t_\t_\t_\t_\tTokenRange=00:1|TokenRange=1:9999999999999999999\n\n",
          "{\"words\": [{\"id\": 1, \"form\": \"a\", \"misc\": "
          "\"TokenRange=00:1|TokenRange=1:9999999999999999999\"}]}\n");
}

TEST(sentence_json_keeps_ranges_empty_nodes_and_underscores)
{
    check(
        "1-2\tim\t_\t_\t_\t_\t_\t_\t_\tTokenRange=0:2\n1\tin\t_\t_\t_\t_\t0\troot\t_\t_\n"
        "2\tdem\t_\t_\t_\t_\t1\tdet\t_\t_\n2.1\te\t_\t_\t_\t_\t_\t_\t1:x\t_\n"
        "3\t_\t_\t_\t_\t_\t1\tx\t_\t_\n\n",
        "{\"words\": [{\"id\": 1, \"form\": \"in\", \"head\": 0, \"deprel\": \"root\"}, "
        "{\"id\": 2, "
        "\"form\": \"dem\", \"head\": 1, \"deprel\": \"det\"}, {\"id\": 3, \"form\": \"_\", "
        "\"lemma\": "
        "\"_\", \"head\": 1, \"deprel\": \"x\"}], \"ranges\": [{\"id\": \"1-2\", \"form\": \"im\", "
        "\"start\": 0, \"end\": 2}], \"empty\": [{\"id\": \"2.1\", \"form\": \"e\", \"deps\": "
        "\"1:x\"}]}\n");
}

TEST(sentence_json_escapes_what_json_and_terminals_do_not_bear)
{
    check("# text = \"\\ \x1B[0m\n1\t\"\\\xE2\x80\xAE\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
          "{\"text\": \"\\\"\\\\ \\u001b[0m\", \"words\": [{\"id\": 1, \"form\": "
          "\"\\\"\\\\\\u202e\"}]}\n");
}
