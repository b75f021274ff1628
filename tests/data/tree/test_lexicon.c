/*
 * test_lexicon.c: vocabularies learned from a treebank; words, pieces and classes of a form.
 */
#include <string.h>

#include "data/tree/lexicon.h"
#include "test.h"
#include "treebank_file.h"

static const char text[] = "1\tThe\t_\tDET\t_\t_\t2\tdet\t_\t_\n"
                           "2\tthe\t_\tNOUN\t_\t_\t0\troot\t_\t_\n"
                           "3\tlow\t_\tADJ\t_\t_\t2\tamod\t_\t_\n"
                           "4\tlower\t_\t_\t_\t_\t2\tamod\t_\t_\n"
                           "5\t2 0\t_\tDET\t_\t_\t2\tdet\t_\t_\n"
                           "6\tlow\t_\tDET\t_\t_\t2\t_\t_\t_\n\n";

static dgm_status learn(struct dgm_lexicon *lexicon, const char *conllu, enum dgm_piece_kind kind,
                        int64_t min_count)
{
    struct dgm_lexicon_options options;
    char path[1200];
    const char *paths[1];

    memset(&options, 0, sizeof options);
    options.kind = kind;
    options.min_count = min_count;
    options.merges = 2;
    DGM_TRY(put_treebank(path, "t.conllu", conllu));
    paths[0] = path;
    return dgm_lexicon_learn(test_env(), lexicon, paths, 1, &options);
}

static int32_t word(struct dgm_lexicon *lexicon, const char *form)
{
    int32_t number = -1;

    if (dgm_lexicon_word(test_env(), lexicon, form, strlen(form), &number) != DGM_OK)
        return -1;
    return number;
}

/* The pieces of a form, "?" for unknown ones, with blanks between. */
static void check_pieces(struct dgm_lexicon *lexicon, const char *form, const char *want)
{
    int32_t pieces[DGM_WORD_PIECES], many;
    char got[400] = "";

    CHECK_STATUS(dgm_lexicon_pieces(test_env(), lexicon, form, strlen(form), pieces, &many),
                 DGM_OK);
    for (int32_t i = 0; i < many; i++) {
        strcat(got, i > 0 ? " " : "");
        strcat(got, pieces[i] == DGM_VOCAB_UNK
                        ? "?"
                        : dgm_vocab_token(&lexicon->pieces, (uint32_t)pieces[i], NULL));
    }
    CHECK_STR(got, want);
}

TEST(lexicon_knows_frequent_words_in_lower_case)
{
    struct dgm_lexicon lexicon;

    CHECK_STATUS(learn(&lexicon, text, DGM_PIECES_NONE, 2), DGM_OK);
    CHECK_INT(dgm_vocab_size(&lexicon.words), DGM_VOCAB_SPECIALS + 2);
    CHECK(word(&lexicon, "THE") >= DGM_VOCAB_SPECIALS);
    CHECK_INT(word(&lexicon, "the"), word(&lexicon, "The"));
    CHECK(word(&lexicon, "low") >= DGM_VOCAB_SPECIALS);
    CHECK_INT(word(&lexicon, "lower"), DGM_VOCAB_UNK);
    CHECK_INT(word(&lexicon, "<s>"), DGM_VOCAB_UNK); /* a word is never the root */
    dgm_lexicon_clear(test_env(), &lexicon);
}

TEST(lexicon_has_classes_of_tags_and_labels)
{
    struct dgm_lexicon lexicon;

    CHECK_STATUS(learn(&lexicon, text, DGM_PIECES_NONE, 1), DGM_OK);
    CHECK_INT(dgm_lexicon_classes(&lexicon.tags), 3);
    CHECK_INT(dgm_lexicon_classes(&lexicon.labels), 3);
    for (int32_t i = 0; i < 3; i++)
        CHECK_INT(dgm_lexicon_class(&lexicon.labels, dgm_lexicon_class_name(&lexicon.labels, i)),
                  i);
    CHECK_INT(dgm_lexicon_class(&lexicon.tags, "VERB"), -1);
    CHECK_INT(dgm_lexicon_class(&lexicon.tags, "_"), -1);
    CHECK_INT(dgm_lexicon_class(&lexicon.tags, "<s>"), -1);
    dgm_lexicon_clear(test_env(), &lexicon);
}

TEST(lexicon_cuts_forms_into_characters)
{
    struct dgm_lexicon lexicon;
    char longest[101];
    int32_t pieces[DGM_WORD_PIECES], many;

    CHECK_STATUS(learn(&lexicon, text, DGM_PIECES_CHARS, 1), DGM_OK);
    check_pieces(&lexicon, "The", "? h e"); /* one T only */
    check_pieces(&lexicon, "he\xC3\xA4w", "h e ? w");
    check_pieces(&lexicon, "", "?");
    memset(longest, 'e', 100);
    CHECK_STATUS(dgm_lexicon_pieces(test_env(), &lexicon, longest, 100, pieces, &many), DGM_OK);
    CHECK_INT(many, DGM_WORD_PIECES);
    dgm_lexicon_clear(test_env(), &lexicon);
}

/* The two most frequent pairs are l o and lo w, both inside "low" and "lower". */
TEST(lexicon_cuts_forms_into_subwords)
{
    struct dgm_lexicon lexicon, again;

    CHECK_STATUS(learn(&lexicon, text, DGM_PIECES_SUBWORDS, 1), DGM_OK);
    check_pieces(&lexicon, "low", "low");
    memset(&again, 0, sizeof again);
    again.kind = DGM_PIECES_SUBWORDS;
    CHECK_STATUS(dgm_lexicon_set_codes(test_env(), &again, lexicon.codes.data, lexicon.codes.size,
                                       "again"),
                 DGM_OK);
    again.pieces = lexicon.pieces;
    memset(&lexicon.pieces, 0, sizeof lexicon.pieces);
    check_pieces(&again, "low", "low");
    dgm_lexicon_clear(test_env(), &lexicon);
    dgm_lexicon_clear(test_env(), &again);
}

static void check_refused(const char *conllu, const char *message)
{
    struct dgm_lexicon lexicon;

    CHECK_STATUS(learn(&lexicon, conllu, DGM_PIECES_CHARS, 1), DGM_DATA);
    if (strstr(test_env()->error.message, message) == NULL)
        CHECK_STR(test_env()->error.message, message);
    dgm_env_clear_error(test_env());
}

TEST(lexicon_refuses_what_is_no_treebank)
{
    check_refused("", "expected a treebank");
    check_refused("1\ta\t_\tX\t_\t_\t0\t_\t_\t_\n\n", "expected a treebank");
    check_refused("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n", "UPOS");
    check_refused("1\ta\t_\tX Y\t_\t_\t0\troot\t_\t_\n\n", "UPOS \"X Y\"");
    check_refused("1\ta\t_\tX\t_\t_\t0\tro ot\t_\t_\n\n", "DEPREL \"ro ot\"");
}
