/*
 * test_treebank_names.c: names of treebanks: what may be one, each once, in their order; messages
 * that list them.
 */
#include <string.h>

#include "data/tree/treebank_names.h"
#include "test.h"

TEST(treebank_names_stand_once_in_the_order_of_their_first)
{
    static const char *const given[] = { "hdt", "gsd", "hdt", "Gsd", "gsd" };
    struct dgm_vocab names, others;
    char list[DGM_TREEBANK_NAMES_SIZE];
    int32_t number = 7;

    memset(&names, 0, sizeof names);
    memset(&others, 0, sizeof others);
    for (int i = 0; i < 5; i++)
        CHECK_STATUS(dgm_treebank_names_add(test_env(), &names, given[i], "treebanks"), DGM_OK);
    CHECK_STR(dgm_treebank_names_join(list, &names), "hdt, gsd, Gsd");
    CHECK_STATUS(dgm_treebank_names_find(test_env(), &names, "gsd", DGM_MODEL, "x", &number),
                 DGM_OK);
    CHECK_INT(number, 1);
    CHECK(dgm_vocab_same(&names, &names));
    CHECK(!dgm_vocab_same(&names, &others));
    CHECK_STATUS(dgm_treebank_names_add(test_env(), &others, "gsd", "treebanks"), DGM_OK);
    CHECK_STATUS(dgm_treebank_names_add(test_env(), &others, "hdt", "treebanks"), DGM_OK);
    CHECK_STATUS(dgm_treebank_names_add(test_env(), &others, "Gsd", "treebanks"), DGM_OK);
    CHECK(!dgm_vocab_same(&names, &others));
    dgm_vocab_clear(test_env(), &names);
    dgm_vocab_clear(test_env(), &others);
}

TEST(treebank_names_that_lists_and_logs_have_no_place_for_are_refused)
{
    static const char *const bad[] = {
        "",      "a b",  "a,b",   "a\tb", "a\nb",
        "a\x7f", "\xc3", "<unk>", "<s>",  "12345678901234567890123456789012345678901"
    };
    struct dgm_vocab names;

    memset(&names, 0, sizeof names);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_STATUS(dgm_treebank_names_add(test_env(), &names, bad[i], "treebanks"), DGM_USAGE);
        CHECK(strncmp(test_env()->error.message, "--treebanks \"", 13) == 0);
        dgm_env_clear_error(test_env());
    }
    CHECK_STATUS(dgm_treebank_names_add(test_env(), &names,
                                        "1234567890123456789012345678901234567890", "treebanks"),
                 DGM_OK);
    CHECK_STATUS(dgm_treebank_names_add(test_env(), &names, "b\xc3\xa4r-1_2.x", "treebanks"),
                 DGM_OK);
    CHECK_INT(dgm_vocab_size(&names), DGM_VOCAB_SPECIALS + 2);
    dgm_vocab_clear(test_env(), &names);
}

TEST(treebank_name_that_is_not_there_is_refused_with_those_that_are)
{
    struct dgm_vocab names;
    char list[DGM_TREEBANK_NAMES_SIZE], name[41];
    int32_t number;

    memset(&names, 0, sizeof names);
    CHECK_STATUS(dgm_treebank_names_add(test_env(), &names, "hdt", "treebanks"), DGM_OK);
    CHECK_STATUS(dgm_treebank_names_add(test_env(), &names, "gsd", "treebanks"), DGM_OK);
    CHECK_STATUS(dgm_treebank_names_find(test_env(), &names, "gst", DGM_MODEL, "treebank", &number),
                 DGM_MODEL);
    CHECK_STR(
        test_env()->error.message,
        "treebank \"gst\", which no treebank of training is called; expected one of hdt, gsd; "
        "did you mean \"gsd\"?");
    dgm_env_clear_error(test_env());
    CHECK_STATUS(dgm_treebank_names_find(test_env(), &names, "<s>", DGM_MODEL, "x", &number),
                 DGM_MODEL);
    dgm_env_clear_error(test_env());
    /* More than a message holds; a file may have longer ones than people may choose. */
    for (int i = 0; i < 30; i++) {
        memset(name, 'a' + i % 26, sizeof name - 1);
        name[0] = (char)('0' + i);
        name[40] = '\0';
        CHECK_STATUS(dgm_treebank_names_add(test_env(), &names, name, "treebanks"), DGM_OK);
    }
    CHECK_STATUS(dgm_vocab_append(test_env(), &names,
                                  "gstgstgstgstgstgstgstgstgstgstgstgstgstgstgstgstgstgstgstgstgst"
                                  "gstgstgstgstgst",
                                  78, &(int){ 0 }),
                 DGM_OK);
    CHECK(strlen(dgm_treebank_names_join(list, &names)) < DGM_TREEBANK_NAMES_SIZE);
    CHECK_STR(list + strlen(list) - 5, ", ...");
    CHECK_STATUS(dgm_treebank_names_find(test_env(), &names, "gstgst", DGM_MODEL, "x", &number),
                 DGM_MODEL);
    CHECK(strstr(test_env()->error.message, "gstgstgst") == NULL);
    dgm_env_clear_error(test_env());
    dgm_vocab_clear(test_env(), &names);
}
