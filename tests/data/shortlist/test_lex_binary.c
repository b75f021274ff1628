/*
 * test_lex_binary.c: shortlists in Marian's binary form: what sentences may use, and what is
 * refused. tests/cli/model/import.sh has the translations that Marian itself makes with one.
 */
#include "data/shortlist/lex_binary.h"

#include "base/le.h"
#include "data/shortlist/shortlist_file.h"
#include "shortlist_case.h"

/* Their pieces: 0 </s>, 1 <unk>, 2 a, 3 b, .. 13 l. Ours: <s> <pad> </s> <unk> a b .. l. */
enum { PIECES = 14, OURS = PIECES + 2, A = 4, MOST_BYTES = 400 };

/* The special entries are in front of these. */
static const char letters[] = "a 1\nb 1\nc 1\nd 1\ne 1\nf 1\ng 1\nh 1\ni 1\nj 1\nk 1\nl 1\n";

struct file {
    unsigned char bytes[MOST_BYTES];
    size_t size;
};

static void add(struct file *file, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        file->bytes[file->size++] = (unsigned char)(value >> 8 * i);
}

static void mend_sum(struct file *file)
{
    uint64_t sum = 0;

    for (size_t at = 16; at + 8 <= file->size; at += 8)
        sum ^= dgm_le64(file->bytes + at) + 0x9E3779B9 + (sum << 6) + (sum >> 2);
    dgm_le64_put(file->bytes + 8, sum);
}

/* The first three pieces always; a: f and d, in no order and one twice; b: nothing; others: l. */
static void make(struct file *file)
{
    static const uint32_t of_a[] = { 7, 5, 7 };
    size_t starts[PIECES + 1] = { 0 };

    memset(file, 0, sizeof *file);
    for (size_t piece = 0; piece < PIECES; piece++)
        starts[piece + 1] = starts[piece] + (piece == 2 ? 3 : piece == 3 ? 0 : 1);
    add(file, 0xF11A48D5013417F5, 8);
    add(file, 0, 8);
    add(file, 3, 8);
    add(file, 3, 8);
    add(file, PIECES + 1, 8);
    add(file, starts[PIECES], 8);
    for (size_t piece = 0; piece <= PIECES; piece++)
        add(file, starts[piece], 8);
    for (size_t piece = 0; piece < PIECES; piece++)
        for (size_t i = 0; i < starts[piece + 1] - starts[piece]; i++)
            add(file, piece == 2 ? of_a[i] : 13, 4);
    mend_sum(file);
}

static dgm_status build(struct dgm_shortlist *shortlist, const struct file *file,
                        const char *target_types)
{
    struct dgm_vocab source, target;
    dgm_status status;

    DGM_TRY(parse_vocab(&source, letters));
    DGM_TRY(parse_vocab(&target, target_types));
    status = dgm_lex_binary_build(test_env(), shortlist, file->bytes, file->size, "lex", &source,
                                  &target);
    dgm_vocab_clear(test_env(), &source);
    dgm_vocab_clear(test_env(), &target);
    return status;
}

/* The types that a sentence of one piece, and its end, may use. */
static void check_choice(const struct dgm_shortlist *shortlist, int32_t type, const char *want)
{
    int32_t ids[] = { type, DGM_VOCAB_EOS }, offsets[] = { 0, 2 };
    struct dgm_packed source = { .count = 1, .ids = ids, .offsets = offsets };
    struct dgm_shortlist_choice choice = { 0 };
    char got[100] = "";

    CHECK_STATUS(dgm_shortlist_choose(test_env(), &choice, shortlist, &source, 1, 1), DGM_OK);
    CHECK(choice.width <= dgm_shortlist_most(shortlist, &source, 0));
    for (int32_t place = 0; dgm_shortlist_type(&choice, 0, place) >= 0; place++) {
        const int32_t t = dgm_shortlist_type(&choice, 0, place);
        snprintf(got + strlen(got), 4, "%c", t < A ? '0' + (int)t : 'a' + (int)(t - A));
        if (place + 1 == choice.width)
            break;
    }
    CHECK_STR(got, want);
    dgm_shortlist_choice_clear(test_env(), &choice);
}

/* </s>, <unk>, a; those of the pieces; the pieces themselves where both sides have one vocabulary;
 * then b, c and so on up to eight of theirs, ten of ours. */
TEST(lex_binary_allows_what_marian_allows)
{
    struct dgm_shortlist shortlist;
    struct file file;

    make(&file);
    CHECK_STATUS(build(&shortlist, &file, letters), DGM_OK);
    check_choice(&shortlist, A, "0123abcdfl");     /* d f of a, l of </s> */
    check_choice(&shortlist, A + 7, "0123abcdhl"); /* h itself */
    check_choice(&shortlist, A + 1, "0123abcdel"); /* b itself is filled in anyway */
    dgm_shortlist_clear(test_env(), &shortlist);
    CHECK_STATUS(build(&shortlist, &file,
                       "a 1\nb 1\nc 1\nd 1\ne 1\nf 1\ng 1\nx 1\ni 1\nj 1\nk 1\nl 1\n"),
                 DGM_OK);
    check_choice(&shortlist, A + 7, "0123abcdel"); /* another piece there: not h */
    dgm_shortlist_clear(test_env(), &shortlist);
}

/* What is filled up comes back from a file of ours. */
TEST(lex_binary_comes_back_from_our_file)
{
    struct dgm_shortlist shortlist, again;
    struct dgm_buf bytes = { 0 };
    struct file file;

    make(&file);
    CHECK_STATUS(build(&shortlist, &file, letters), DGM_OK);
    CHECK_STATUS(dgm_shortlist_print(test_env(), &bytes, &shortlist), DGM_OK);
    CHECK_STATUS(dgm_shortlist_parse(test_env(), &again, bytes.data, bytes.size, "f"), DGM_OK);
    check_choice(&again, A, "0123abcdfl");
    for (size_t size = 0; size < bytes.size; size++) {
        struct dgm_shortlist none;
        CHECK_STATUS(dgm_shortlist_parse(test_env(), &none, bytes.data, size, "f"), DGM_DATA);
        dgm_env_clear_error(test_env());
    }
    dgm_buf_clear(test_env(), &bytes);
    dgm_shortlist_clear(test_env(), &again);
    dgm_shortlist_clear(test_env(), &shortlist);
}

TEST(lex_binary_refuses_damaged_files)
{
    struct dgm_shortlist shortlist;
    struct file file, bad;
    int refused = 0;

    make(&file);
    for (size_t at = 0; at < file.size; at++) {
        bad = file;
        bad.size = at;
        CHECK_STATUS(build(&shortlist, &bad, letters), DGM_DATA);
        dgm_env_clear_error(test_env());
        bad = file;
        bad.bytes[at] ^= 0x40;
        if (at < file.size / 8 * 8) { /* half a word at the end is in no sum */
            CHECK_STATUS(build(&shortlist, &bad, letters), DGM_DATA);
            dgm_env_clear_error(test_env());
        }
        mend_sum(&bad);
        if (build(&shortlist, &bad, letters) == DGM_OK)
            dgm_shortlist_clear(test_env(), &shortlist);
        else
            refused++;
        dgm_env_clear_error(test_env());
    }
    /* How many are always allowed, and at most, may be any; the sum is mended. */
    CHECK(refused == (int)file.size - 24);
    CHECK_STATUS(build(&shortlist, &file, "a 1\n"), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "a piece that the model has not") != NULL);
    dgm_env_clear_error(test_env());
}
