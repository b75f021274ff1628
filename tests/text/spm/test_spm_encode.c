/* test_spm_encode.c: ways of cutting text, on models of a few pieces. tests/cli/text/spm.sh
 * compares larger ones with the library. */
#include "spm_case.h"

TEST(spm_unigram_takes_the_best_path_and_the_first_of_equal_ones)
{
    struct dgm_buf bytes = { .data = NULL };
    struct dgm_spm spm;

    put_piece(&bytes, "<unk>", 0, DGM_SPM_UNKNOWN);
    put_piece(&bytes, "a", -1, DGM_SPM_NORMAL);
    put_piece(&bytes, "ab", -3, DGM_SPM_NORMAL);
    put_piece(&bytes, "b", -1.5F, DGM_SPM_NORMAL);
    put_piece(&bytes, "aaa", -2, DGM_SPM_NORMAL);
    put_piece(&bytes, "x", -1, DGM_SPM_UNUSED);
    put_settings(&bytes, DGM_SPM_UNIGRAM);
    CHECK_STATUS(take_model(&spm, &bytes), DGM_OK);
    check_pieces(&spm, "ab", "a b");
    check_pieces(&spm, "aaaa", "a aaa"); /* as good as "aaa a", and found first */
    check_pieces(&spm, "axb", "a x b");  /* unknown: an unused piece */
    check_pieces(&spm, "xyza", "xyz a");
    check_pieces(&spm, "", "");
    check_pieces(&spm, "a b", "a \xE2\x96\x81 b");
    dgm_spm_clear(test_env(), &spm);
}

TEST(spm_bpe_merges_the_best_pair_first)
{
    struct dgm_buf bytes = { .data = NULL };
    struct dgm_spm spm;

    put_piece(&bytes, "<unk>", 0, DGM_SPM_UNKNOWN);
    put_piece(&bytes, "ab", -1, DGM_SPM_NORMAL);
    put_piece(&bytes, "bc", 0, DGM_SPM_NORMAL);
    put_piece(&bytes, "abc", -2, DGM_SPM_NORMAL);
    put_piece(&bytes, "aa", -3, DGM_SPM_NORMAL);
    put_piece(&bytes, "a", -4, DGM_SPM_NORMAL);
    put_piece(&bytes, "b", -4, DGM_SPM_NORMAL);
    put_piece(&bytes, "c", -4, DGM_SPM_NORMAL);
    put_settings(&bytes, DGM_SPM_BPE);
    CHECK_STATUS(take_model(&spm, &bytes), DGM_OK);
    check_pieces(&spm, "abcab", "abc ab");
    check_pieces(&spm, "aaa", "aa a");
    check_pieces(&spm, "abz", "ab z");
    dgm_spm_clear(test_env(), &spm);
}

TEST(spm_bpe_cuts_unused_pieces_as_they_were_merged)
{
    struct dgm_buf bytes = { .data = NULL };
    struct dgm_spm spm;

    put_piece(&bytes, "<unk>", 0, DGM_SPM_UNKNOWN);
    put_piece(&bytes, "ab", -1, DGM_SPM_UNUSED);
    put_piece(&bytes, "abc", -2, DGM_SPM_UNUSED);
    put_piece(&bytes, "abcd", -3, DGM_SPM_NORMAL);
    put_piece(&bytes, "a", -4, DGM_SPM_NORMAL);
    put_piece(&bytes, "b", -4, DGM_SPM_NORMAL);
    put_piece(&bytes, "c", -4, DGM_SPM_NORMAL);
    put_piece(&bytes, "bc", -5, DGM_SPM_NORMAL);
    put_settings(&bytes, DGM_SPM_BPE);
    CHECK_STATUS(take_model(&spm, &bytes), DGM_OK);
    check_pieces(&spm, "abc", "a b c");
    check_pieces(&spm, "abcd", "abcd");
    check_pieces(&spm, "abca", "a b c a");
    dgm_spm_clear(test_env(), &spm);
}

TEST(spm_user_defined_symbols_stay_whole)
{
    struct dgm_spm spm;

    for (int kind = DGM_SPM_UNIGRAM; kind <= DGM_SPM_CHAR; kind++) {
        struct dgm_buf bytes = { .data = NULL };

        if (kind == DGM_SPM_WORD)
            continue;
        put_piece(&bytes, "<unk>", 0, DGM_SPM_UNKNOWN);
        put_piece(&bytes, "<s>", 0, DGM_SPM_CONTROL);
        put_piece(&bytes, "bb", 0, DGM_SPM_USER_DEFINED);
        put_piece(&bytes, "a", -1, DGM_SPM_NORMAL);
        put_piece(&bytes, "b", -1, DGM_SPM_NORMAL);
        put_settings(&bytes, kind);
        CHECK_STATUS(take_model(&spm, &bytes), DGM_OK);
        check_pieces(&spm, "abba", "a bb a");
        check_pieces(&spm, "<s>a", "<s> a");
        CHECK_INT(dgm_spm_find_in_text(&spm, "<s>", 3), spm.unk);
        dgm_spm_clear(test_env(), &spm);
    }
}

TEST(spm_of_symbols_alone_knows_no_text)
{
    struct dgm_buf bytes = { .data = NULL };
    struct dgm_spm spm;

    put_piece(&bytes, "<unk>", 0, DGM_SPM_UNKNOWN);
    put_settings(&bytes, DGM_SPM_UNIGRAM);
    CHECK_STATUS(take_model(&spm, &bytes), DGM_OK);
    check_pieces(&spm, "ab", "ab");
    dgm_spm_clear(test_env(), &spm);
}
