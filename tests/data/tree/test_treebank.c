/*
 * test_treebank.c: sentences as numbers: rows with the root first, forms kept once, and a bank
 * that outlives a failure of memory.
 */
#include <string.h>

#include "data/tree/treebank.h"
#include "data/tree/treebank_names.h"
#include "test.h"
#include "treebank_file.h"

static const char text[] = "# comment\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n"
                           "1\ta\t_\tX\t_\t_\t2\tdep\t_\t_\n"
                           "2\tB\t_\tY\t_\t_\t0\troot\t_\t_\n\n"
                           "1\tb\t_\tX\t_\t_\t0\troot\t_\t_\n"
                           "2\ta\t_\t_\t_\t_\t1\tdep\t_\t_\n"
                           "3\tB\t_\tY\t_\t_\t2\t_\t_\t_\n\n";

static dgm_status open_bank(struct dgm_lexicon *lexicon, char path[1200])
{
    struct dgm_lexicon_options options;
    const char *paths[1];

    memset(&options, 0, sizeof options);
    options.kind = DGM_PIECES_CHARS;
    options.min_count = 1;
    DGM_TRY(put_treebank(path, "t.conllu", text));
    paths[0] = path;
    return dgm_lexicon_learn(test_env(), lexicon, paths, 1, &options);
}

TEST(treebank_rows_begin_with_the_root_and_count_heads_as_conllu)
{
    static const int32_t heads[] = { -1, 2, 0, -1, 0, 1, 2 }, forms[] = { 0, 1, 2, 0, 3, 1, 2 };
    struct dgm_lexicon lexicon;
    struct dgm_treebank bank;
    char path[1200];
    long left_out;

    memset(&bank, 0, sizeof bank);
    CHECK_STATUS(open_bank(&lexicon, path), DGM_OK);
    CHECK_STATUS(dgm_treebank_load(test_env(), &bank, &lexicon, path, 9, DGM_MULTI_ROOT_ERROR,
                                   &left_out),
                 DGM_OK);
    CHECK_INT(left_out, 0);
    CHECK_INT(bank.rows.count, 2);
    CHECK_INT(bank.rows.offsets[1], 3);
    CHECK_INT(bank.rows.offsets[2], 7);
    CHECK_MEM(bank.heads, heads, sizeof heads);
    CHECK_MEM(bank.forms, forms, sizeof forms); /* "B" and "b" are two forms and one word */
    CHECK_INT(bank.rows.ids[0], DGM_ROOT_WORD);
    CHECK_INT(bank.rows.ids[2], bank.rows.ids[4]);
    CHECK_INT(bank.labels[2], dgm_lexicon_class(&lexicon.labels, "root"));
    CHECK_INT(bank.labels[6], -1);
    CHECK_INT(bank.tags[1], dgm_lexicon_class(&lexicon.tags, "X"));
    CHECK_INT(bank.tags[5], -1);
    CHECK_INT(bank.tags[0], -1);
    CHECK_INT(bank.known.count, 4);
    CHECK_INT(bank.pieces[bank.piece_starts[0]], DGM_ROOT_WORD);
    CHECK_INT(bank.piece_starts[4], 4);
    dgm_treebank_clear(test_env(), &bank);
    dgm_lexicon_clear(test_env(), &lexicon);
}

/* The same sentences as those of another treebank are other data; without names nothing is kept. */
TEST(treebank_knows_of_which_treebank_each_sentence_is)
{
    struct dgm_env *env = test_env();
    struct dgm_lexicon lexicon;
    struct dgm_treebank bank;
    uint64_t hashes[3];
    double bytes;
    char path[1200];

    memset(&bank, 0, sizeof bank);
    CHECK_STATUS(open_bank(&lexicon, path), DGM_OK);
    CHECK_STATUS(dgm_treebank_load(env, &bank, &lexicon, path, 9, DGM_MULTI_ROOT_ERROR, NULL),
                 DGM_OK);
    CHECK(bank.origins == NULL);
    hashes[0] = dgm_hash_value(&bank.hash);
    bytes = dgm_treebank_bytes(&bank);
    CHECK_STATUS(dgm_treebank_names_add(env, &lexicon.treebanks, "one", "names"), DGM_OK);
    CHECK_STATUS(dgm_treebank_names_add(env, &lexicon.treebanks, "two", "names"), DGM_OK);
    for (int32_t i = 0; i < 2; i++) {
        dgm_treebank_reset(&bank);
        bank.treebank = i;
        CHECK_STATUS(dgm_treebank_load(env, &bank, &lexicon, path, 9, DGM_MULTI_ROOT_ERROR, NULL),
                     DGM_OK);
        hashes[1 + i] = dgm_hash_value(&bank.hash);
    }
    CHECK(hashes[0] != hashes[1] && hashes[1] != hashes[2] && hashes[0] != hashes[2]);
    CHECK_NEAR(dgm_treebank_bytes(&bank), bytes + 2 * sizeof *bank.origins, 0);
    bank.treebank = 0;
    CHECK_STATUS(dgm_treebank_load(env, &bank, &lexicon, path, 9, DGM_MULTI_ROOT_ERROR, NULL),
                 DGM_OK);
    CHECK_INT(bank.rows.count, 4);
    CHECK_MEM(bank.origins, ((const int32_t[]){ 1, 1, 0, 0 }), 4 * sizeof *bank.origins);
    dgm_treebank_clear(env, &bank);
    dgm_lexicon_clear(env, &lexicon);
}

static const char columns_text[] = "1\tDogs\tdog\tX\t_\t_\t0\troot\t_\t_\n"
                                   "2\tB\t_\tY\t_\tA=b\t1\tdep\t_\t_\n\n";

/* A column that no word has is none; a value that no class stands for is not one that is open. */
TEST(treebank_has_the_columns_that_the_lexicon_learned)
{
    static const char *const forms[] = { "Cats", "gone", "x" };
    static const char *const lemmas[] = { "cat", "go", "_" };
    static const char *const feats[] = { "_", "A=c", "A=b" };
    struct dgm_lexicon_options options = { .kind = DGM_PIECES_CHARS, .min_count = 1 };
    struct dgm_treebank_sentence sentence = { .count = 3, .forms = forms };
    struct dgm_lexicon lexicon;
    struct dgm_treebank bank;
    char path[1200];
    const char *paths[1] = { path };

    memset(&bank, 0, sizeof bank);
    CHECK_STATUS(put_treebank(path, "columns.conllu", columns_text), DGM_OK);
    options.morphs = DGM_MORPH_ALL;
    CHECK_STATUS(dgm_lexicon_learn(test_env(), &lexicon, paths, 1, &options), DGM_OK);
    CHECK(!dgm_lexicon_has(&lexicon, DGM_MORPH_XPOS));
    CHECK_INT(dgm_lexicon_classes(&lexicon.morphs[DGM_MORPH_FEATS]), 2);
    CHECK_INT(dgm_lexicon_classes(&lexicon.morphs[DGM_MORPH_LEMMA]), 1);
    sentence.morphs[DGM_MORPH_XPOS] = forms;
    sentence.morphs[DGM_MORPH_FEATS] = feats;
    sentence.morphs[DGM_MORPH_LEMMA] = lemmas;
    CHECK_STATUS(dgm_treebank_add(test_env(), &bank, &lexicon, &sentence), DGM_OK);
    CHECK(bank.morphs[DGM_MORPH_XPOS] == NULL);
    CHECK_INT(bank.morphs[DGM_MORPH_FEATS][0], DGM_MORPH_OPEN); /* the root */
    CHECK_INT(bank.morphs[DGM_MORPH_FEATS][1],
              dgm_lexicon_class(&lexicon.morphs[DGM_MORPH_FEATS], "_"));
    CHECK_INT(bank.morphs[DGM_MORPH_FEATS][2], DGM_MORPH_UNKNOWN);
    CHECK_INT(bank.morphs[DGM_MORPH_LEMMA][1], 0);
    CHECK_INT(bank.morphs[DGM_MORPH_LEMMA][2], DGM_MORPH_UNKNOWN);
    CHECK_INT(bank.morphs[DGM_MORPH_LEMMA][3], DGM_MORPH_OPEN);
    dgm_treebank_clear(test_env(), &bank);
    dgm_lexicon_clear(test_env(), &lexicon);
    options.needed_morphs = 1 << DGM_MORPH_XPOS;
    CHECK_STATUS(dgm_lexicon_learn(test_env(), &lexicon, paths, 1, &options), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "XPOS column") != NULL);
    dgm_env_clear_error(test_env());
}

TEST(treebank_leaves_out_long_sentences_and_its_checksum_sees_every_value)
{
    struct dgm_lexicon lexicon;
    struct dgm_treebank bank;
    static const char *const forms[] = { "a", "B" }, *const tags[] = { "X", "Y" };
    int32_t heads[] = { 2, 0 };
    struct dgm_treebank_sentence sentence;
    uint64_t first, other;
    char path[1200];
    long left_out;

    memset(&bank, 0, sizeof bank);
    memset(&sentence, 0, sizeof sentence);
    CHECK_STATUS(open_bank(&lexicon, path), DGM_OK);
    CHECK_STATUS(dgm_treebank_load(test_env(), &bank, &lexicon, path, 2, DGM_MULTI_ROOT_ERROR,
                                   &left_out),
                 DGM_OK);
    CHECK_INT(left_out, 1);
    CHECK_INT(bank.rows.count, 1);
    sentence.count = 2;
    sentence.forms = forms;
    sentence.heads = heads;
    sentence.tags = tags;
    dgm_treebank_reset(&bank);
    CHECK_STATUS(dgm_treebank_add(test_env(), &bank, &lexicon, &sentence), DGM_OK);
    first = dgm_hash_value(&bank.hash);
    CHECK_INT(bank.known.count, 3); /* remembered */
    heads[1] = 1;
    heads[0] = 0;
    dgm_treebank_reset(&bank);
    CHECK_STATUS(dgm_treebank_add(test_env(), &bank, &lexicon, &sentence), DGM_OK);
    other = dgm_hash_value(&bank.hash);
    CHECK(first != other);
    dgm_treebank_clear(test_env(), &bank);
    dgm_lexicon_clear(test_env(), &lexicon);
}

/* A form whose pieces found no memory is not known: the next try cuts it again. */
TEST(treebank_goes_on_after_memory_has_failed)
{
    static const char *const forms[] = { "a", "bab", "Ba" };
    struct dgm_treebank_sentence sentence;
    struct dgm_lexicon lexicon;
    char path[1200];
    dgm_status status = DGM_MEMORY;
    long n = 0;

    memset(&sentence, 0, sizeof sentence);
    sentence.count = 3;
    sentence.forms = forms;
    CHECK_STATUS(open_bank(&lexicon, path), DGM_OK);
    while (status != DGM_OK) {
        struct dgm_treebank bank;

        memset(&bank, 0, sizeof bank);
        test_env_fail_at(test_allocations() + 1 + n++);
        status = dgm_treebank_add(test_env(), &bank, &lexicon, &sentence);
        test_env_fail_at(0);
        if (status != DGM_OK) {
            CHECK_STATUS(status, DGM_MEMORY);
            dgm_env_clear_error(test_env());
            dgm_treebank_reset(&bank);
            CHECK_STATUS(dgm_treebank_add(test_env(), &bank, &lexicon, &sentence), DGM_OK);
        }
        CHECK_INT(bank.known.count, 4);
        CHECK_INT(bank.piece_starts[4], 1 + 1 + 3 + 2);
        CHECK_INT(bank.pieces[2], bank.pieces[4]);
        CHECK_INT(bank.pieces[1], bank.pieces[3]);
        dgm_treebank_clear(test_env(), &bank);
    }
    CHECK(n > 5);
    dgm_lexicon_clear(test_env(), &lexicon);
}
