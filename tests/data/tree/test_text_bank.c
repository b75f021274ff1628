/* test_text_bank.c: the text of a treebank, and where its tokens and sentences end. */
#include "data/tree/text_bank.h"

#include <string.h>

#include "test.h"
#include "treebank_file.h"

static const char treebank[] = "# newpar\n"
                               "# text = Don't go .\n"
                               "1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
                               "1\tDo\t_\tX\t_\t_\t0\troot\t_\t_\n"
                               "2\tn't\t_\tX\t_\t_\t1\tdep\t_\t_\n"
                               "3\tgo\t_\tX\t_\t_\t1\tdep\t_\tSpaceAfter=No\n"
                               "4\t.\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"
                               "# text = a b c\n" /* three words: too long */
                               "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"
                               "2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n"
                               "3\tc\t_\tX\t_\t_\t1\tdep\t_\t_\n"
                               "4\td\t_\tX\t_\t_\t1\tdep\t_\t_\n"
                               "5\te\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"
                               "# newdoc id = x\n"
                               "1-2\tdo\t_\t_\t_\t_\t_\t_\t_\t_\n"
                               "1\td\t_\tX\t_\t_\t0\troot\t_\t_\n"
                               "2\to\t_\tX\t_\t_\t1\tdep\t_\t_\n\n";

struct told {
    int count;
    char last[400];
};

static void take_log(void *user, dgm_level level, const char *text)
{
    struct told *told = user;

    if (level != DGM_LOG_WARNING)
        return;
    told->count++;
    snprintf(told->last, sizeof told->last, "%s", text);
}

TEST(text_bank_labels_the_ends_of_tokens_and_sentences)
{
    /* Rows:                  D o n ' t _ g o . _ a _ b _ c _ d _ e | d o */
    static const int want[] = { 0, 0, 0, 0, 2, 0, 0, 1, 3, 0, 1, 0, 1, 0, 1, 0, 1, 0, 3, 0, 4 };
    struct dgm_env *env = test_env();
    struct dgm_cut_lexicon lexicon;
    struct dgm_text_bank bank;
    struct told told = { 0, "" };
    const char *paths[1];
    char path[1200];

    memset(&bank, 0, sizeof bank);
    CHECK_STATUS(put_treebank(path, "bank.conllu", treebank), DGM_OK);
    paths[0] = path;
    CHECK_STATUS(dgm_cut_lexicon_learn(env, &lexicon, paths, 1, DGM_MULTI_ROOT_ERROR), DGM_OK);
    CHECK_STR(lexicon.multiwords.text.data, "don't\tdo\tn't\ndo\td\to\n");
    CHECK_INT(lexicon.has_blanks, 0);
    CHECK(dgm_vocab_find(&lexicon.characters, "o", 1) != DGM_VOCAB_UNK);
    CHECK_INT(dgm_vocab_find(&lexicon.characters, "D", 1), DGM_VOCAB_UNK);
    env->log = take_log;
    env->log_user = &told;
    env->log_level = DGM_LOG_WARNING;
    CHECK_STATUS(dgm_text_bank_load(env, &bank, &lexicon, path, 4, DGM_MULTI_ROOT_ERROR), DGM_OK);
    env->log = NULL;
    CHECK_INT(told.count, 2); /* a blank before the full stop; d and e are not in the comment */
    CHECK(strstr(told.last, "bank.conllu:9: # text goes on with \"\" at its byte 6") != NULL);
    CHECK_INT(bank.rows.count, sizeof want / sizeof *want);
    for (size_t i = 0; i < bank.rows.count; i++)
        CHECK_INT(bank.labels[i], want[i]);
    CHECK_INT(bank.rows.kinds[0], DGM_CHARACTER_UPPER);
    CHECK_INT(bank.rows.kinds[3], DGM_CHARACTER_PUNCT);
    CHECK_INT(bank.rows.kinds[5], DGM_CHARACTER_BLANK);
    CHECK_INT(bank.span_count, 2); /* the second sentence has too many words */
    CHECK_INT(bank.spans[0].first, 0);
    CHECK_INT(bank.spans[0].end, 10);
    CHECK_INT(bank.spans[0].paragraph_end, 19);
    CHECK_INT(bank.spans[1].first, 19);
    CHECK_INT(bank.spans[1].paragraph_first, 19);
    CHECK_INT(bank.spans[1].end, 21);
    dgm_text_bank_clear(env, &bank);
    dgm_cut_lexicon_clear(env, &lexicon);
}

/* Blanks at either end of a paragraph have no rows, which leaves nothing to label. */
TEST(text_bank_takes_words_of_blanks_alone)
{
    static const char blanks[] = "# newpar\n1\t\xC2\xA0\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
                                 "# newpar\n1\t\xC2\xA0\t_\tX\t_\t_\t0\troot\t_\t_\n"
                                 "2\tab\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"
                                 "# newpar\n1\t\xC2\xA0\t_\tX\t_\t_\t0\troot\t_\t_\n\n";
    struct dgm_env *env = test_env();
    struct dgm_cut_lexicon lexicon;
    struct dgm_text_bank bank;
    const char *paths[1];
    char path[1200];

    memset(&bank, 0, sizeof bank);
    CHECK_STATUS(put_treebank(path, "bank.conllu", blanks), DGM_OK);
    paths[0] = path;
    CHECK_STATUS(dgm_cut_lexicon_learn(env, &lexicon, paths, 1, DGM_MULTI_ROOT_ERROR), DGM_OK);
    CHECK_STATUS(dgm_text_bank_load(env, &bank, &lexicon, path, 4, DGM_MULTI_ROOT_ERROR), DGM_OK);
    CHECK_INT(bank.rows.count, 2);
    CHECK_INT(bank.labels[0], DGM_CUT_NOTHING);
    CHECK_INT(bank.labels[1], DGM_CUT_SENTENCE);
    dgm_text_bank_clear(env, &bank);
    dgm_cut_lexicon_clear(env, &lexicon);
}

TEST(characters_of_white_space_are_one_row_and_none_at_the_ends)
{
    static const char text[] = " \n a\xC2\xA0 \tb\x01\xC3\xA9 \n";
    struct dgm_characters rows;
    struct dgm_vocab none;

    memset(&rows, 0, sizeof rows);
    memset(&none, 0, sizeof none);
    CHECK_STATUS(dgm_characters_add(test_env(), &rows, &none, text, 0, sizeof text - 1), DGM_OK);
    CHECK_INT(rows.count, 5);
    CHECK_INT(rows.starts[0], 3);
    CHECK_INT(rows.starts[1], 4);
    CHECK_INT(rows.kinds[1], DGM_CHARACTER_BLANK);
    CHECK_INT(rows.starts[2], 8);
    CHECK_INT(rows.kinds[3], DGM_CHARACTER_BLANK);
    CHECK_INT(rows.starts[4], 10);
    dgm_characters_clear(test_env(), &rows);
}

TEST(characters_have_kinds)
{
    static const struct {
        const char *text;
        enum dgm_character_kind kind;
    } rows[] = {
        { "a", DGM_CHARACTER_LOWER },
        { "\xC3\x89", DGM_CHARACTER_UPPER },
        { "\xD8\xA7", DGM_CHARACTER_LETTER }, /* Arabic */
        { "\xE4\xB8\xAD", DGM_CHARACTER_UNSPACED },
        { "7", DGM_CHARACTER_DIGIT },
        { "\xC2\xBD", DGM_CHARACTER_NUMBER }, /* a half */
        { "!", DGM_CHARACTER_PUNCT },
        { "+", DGM_CHARACTER_SYMBOL },
        { "\xE2\x80\x8B", DGM_CHARACTER_OTHER }, /* of no width */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dgm_characters found = { 0 };
        struct dgm_vocab none = { 0 };

        CHECK_STATUS(dgm_characters_add(test_env(), &found, &none, rows[i].text, 0,
                                        strlen(rows[i].text)),
                     DGM_OK);
        CHECK_INT(found.count, 1);
        CHECK_INT(found.kinds[0], rows[i].kind);
        dgm_characters_clear(test_env(), &found);
    }
}

TEST(characters_are_counted_whole_and_white_space_as_a_blank)
{
    struct dgm_map counts = { 0 };
    static const char text[] = "\xC3\xA9\xC3\xA8 \n\xC3\xA9\ta";

    CHECK_STATUS(dgm_characters_count(test_env(), &counts, text, sizeof text - 1), DGM_OK);
    CHECK_INT(counts.count, 4);
    CHECK_INT(dgm_map_find(&counts, "\xC3\xA9", 2)->value, 2);
    CHECK_INT(dgm_map_find(&counts, "\xC3\xA8", 2)->value, 1);
    CHECK_INT(dgm_map_find(&counts, " ", 1)->value, 2);
    dgm_map_clear(test_env(), &counts);
}
