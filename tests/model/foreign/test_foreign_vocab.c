/* test_foreign_vocab.c: vocabularies of other programs: special tokens that come twice. */
#include "model/foreign/foreign_vocab.h"

#include <string.h>

#include "test.h"

static dgm_status read_yml(struct dgm_foreign_vocab *vocab, const char *text)
{
    memset(vocab, 0, sizeof *vocab);
    return dgm_foreign_vocab_yml(test_env(), vocab, "vocab.yml", text, strlen(text));
}

/* As Marian 1.12.42 reads the vocabulary of a text that held its names. */
TEST(foreign_vocab_of_marian_takes_the_first_of_doubled_special_tokens)
{
    struct dgm_foreign_vocab vocab;
    struct dgm_foreign_specials specials;
    struct dgm_vocab ours = { 0 };

    CHECK_STATUS(read_yml(&vocab, "</s>: 0\n<unk>: 1\na: 2\n</s>: 3\n<unk>: 4\n"), DGM_OK);
    CHECK_INT(vocab.count, 5);
    CHECK(dgm_foreign_vocab_token(&vocab, 3) == NULL && dgm_foreign_vocab_token(&vocab, 4) == NULL);
    specials = dgm_foreign_vocab_specials(&vocab, NULL);
    CHECK_INT(specials.numbers[DGM_VOCAB_EOS], 0);
    CHECK_INT(specials.numbers[DGM_VOCAB_UNK], 1);
    CHECK_STATUS(dgm_foreign_vocab_order(test_env(), &vocab, &specials, 5, &ours), DGM_OK);
    CHECK_STR(dgm_foreign_vocab_token(&vocab, 2), "a");
    CHECK_INT(vocab.entries[3], 5);
    dgm_vocab_clear(test_env(), &ours);
    dgm_foreign_vocab_clear(test_env(), &vocab);
}

TEST(foreign_vocab_refuses_numbers_that_come_twice)
{
    struct dgm_foreign_vocab vocab;

    CHECK_STATUS(read_yml(&vocab, "</s>: 0\n<unk>: 1\na: 1\n"), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "which another one has") != NULL);
    dgm_env_clear_error(test_env());
    dgm_foreign_vocab_clear(test_env(), &vocab);
    CHECK_STATUS(read_yml(&vocab, "</s>: 0\n</s>: 99999999\n"), DGM_DATA);
    dgm_env_clear_error(test_env());
    dgm_foreign_vocab_clear(test_env(), &vocab);
}
