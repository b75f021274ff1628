/*
 * test_shortlist.c: lists from a lexical table; what sentences of a batch may use, in groups of any
 * size; whose list it is; the file, and damage to it.
 */
#include "data/shortlist/shortlist.h"

#include "base/hash.h"
#include "base/le.h"
#include "base/philox.h"
#include "data/shortlist/lex_file.h"
#include "data/shortlist/shortlist_build.h"
#include "data/shortlist/shortlist_file.h"
#include "shortlist_case.h"

/* Numbers from 4 on. */
static const char source_text[] = "dog 9\nhouse 8\nParis 7\nred 6\nunseen 5\n";
static const char target_text[] = "der 90\nHund 8\nHaus 7\nParis 6\nrot 5\nroter 4\nHut 3\n";

enum { DOG = 4, HOUSE, PARIS, RED, UNSEEN, SOURCES };
enum { DER = 4, HUND, HAUS, PARIS_DE, ROT, ROTER, HUT, TARGETS };

static size_t starts[SOURCES + 1] = { 0, 0, 0, 0, 0, 3, 5, 6, 9, 9 };
static int32_t words[] = { DER, HUND, HUT, DER, HAUS, DER, ROT, ROTER, DER };
static float p[] = { 0.2f, 0.7f, 0.1f, 0.4f, 0.6f, 1, 0.3f, 0.3f, 0.4f };
static const struct dgm_lex_table table = { { SOURCES, TARGETS }, starts, words, p };

struct case_ {
    struct dgm_vocab source, target;
    struct dgm_shortlist shortlist;
};

static dgm_status open_case(struct case_ *c, const int64_t *counts, int32_t first, int32_t best,
                            double threshold)
{
    const struct dgm_shortlist_sizes sizes = { first, best, threshold };

    DGM_TRY(parse_vocab(&c->source, source_text));
    DGM_TRY(parse_vocab(&c->target, target_text));
    return dgm_shortlist_build(test_env(), &c->shortlist, &table, &c->source, &c->target, counts,
                               &sizes);
}

static void close_case(struct case_ *c)
{
    dgm_shortlist_clear(test_env(), &c->shortlist);
    dgm_vocab_clear(test_env(), &c->source);
    dgm_vocab_clear(test_env(), &c->target);
}

static int is_list(const struct case_ *c, int32_t e, const int32_t *want, size_t count)
{
    const size_t at = c->shortlist.starts[e];

    return c->shortlist.starts[e + 1] - at == count &&
           (count == 0 || memcmp(c->shortlist.words + at, want, count * sizeof *want) == 0);
}

/* ---- building -------------------------------------------------------------------------------- */

TEST(shortlist_has_the_best_translations_and_what_is_spelled_alike)
{
    static const int32_t always[] = { 0, 1, 2, 3, DER }, dog[] = { HUND }, red[] = { ROT },
                         paris[] = { PARIS_DE };
    struct case_ c;

    CHECK_STATUS(open_case(&c, NULL, 1, 2, 0), DGM_OK);
    CHECK_INT(c.shortlist.always_count, 5);
    CHECK_MEM(c.shortlist.always, always, sizeof always);
    CHECK(is_list(&c, DOG, dog, 1));     /* the second best is always there */
    CHECK(is_list(&c, RED, red, 1));     /* of equal ones, the lower number */
    CHECK(is_list(&c, PARIS, paris, 1)); /* though no table knows it */
    CHECK(is_list(&c, UNSEEN, NULL, 0));
    close_case(&c);
}

TEST(shortlist_leaves_out_what_is_improbable)
{
    static const int32_t dog[] = { HUND }, all[] = { DER, HUND, HUT };
    static const int64_t counts[TARGETS] = { 0, 0, 0, 0, 1, 1, 1, 1, 9, 1, 1 };
    struct case_ c;

    CHECK_STATUS(open_case(&c, counts, 1, 9, 0.3), DGM_OK);
    CHECK_INT(c.shortlist.always[4], ROT); /* the most frequent one of the corpus */
    CHECK(is_list(&c, DOG, dog, 1));
    close_case(&c);
    CHECK_STATUS(open_case(&c, counts, 0, 9, 0), DGM_OK);
    CHECK_INT(c.shortlist.always_count, DGM_VOCAB_SPECIALS);
    CHECK(is_list(&c, DOG, all, 3));
    close_case(&c);
    CHECK_STATUS(open_case(&c, counts, 1000, 9, 0), DGM_OK);
    CHECK_INT(c.shortlist.always_count, TARGETS);
    close_case(&c);
}

TEST(shortlist_of_another_model_is_refused)
{
    struct dgm_vocab other;
    struct case_ c;

    CHECK_STATUS(open_case(&c, NULL, 1, 2, 0), DGM_OK);
    CHECK_STATUS(dgm_shortlist_check(test_env(), &c.shortlist, "f", &c.source, &c.target), DGM_OK);
    CHECK_STATUS(dgm_shortlist_check(test_env(), &c.shortlist, "f", &c.source, &c.source),
                 DGM_MODEL);
    CHECK(strstr(test_env()->error.message, "target vocabulary of 11 entries") != NULL);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(parse_vocab(&other, "dog 9\nhouse 8\nparis 7\nred 6\nunseen 5\n"), DGM_OK);
    CHECK_STATUS(dgm_shortlist_check(test_env(), &c.shortlist, "f", &other, &c.target), DGM_MODEL);
    CHECK(strstr(test_env()->error.message, "another source vocabulary") != NULL);
    dgm_env_clear_error(test_env());
    dgm_vocab_clear(test_env(), &other);
    close_case(&c);
}

/* ---- choosing -------------------------------------------------------------------------------- */

static dgm_status random_sources(struct dgm_packed *source, int32_t count)
{
    static const int32_t word[16];
    struct dgm_random random;

    memset(source, 0, sizeof *source);
    dgm_random_init(&random, 5, 0, 0, 0);
    for (int32_t s = 0; s < count; s++) {
        const int32_t n = (int32_t)dgm_random_below(&random, 4);
        int32_t ids[8];

        for (int32_t i = 0; i < n; i++)
            ids[i] = DOG + (int32_t)dgm_random_below(&random, SOURCES - DOG);
        ids[n] = DGM_VOCAB_EOS;
        DGM_TRY(dgm_packed_add(test_env(), source, ids, word, n + 1, NULL, 1));
    }
    return DGM_OK;
}

static int may_use(const struct dgm_shortlist *shortlist, const struct dgm_packed *source,
                   int32_t s, int32_t type)
{
    for (int32_t i = 0; i < shortlist->always_count; i++)
        if (shortlist->always[i] == type)
            return 1;
    for (int32_t i = source->offsets[s]; i < source->offsets[s + 1]; i++)
        for (size_t w = shortlist->starts[source->ids[i]];
             w < shortlist->starts[source->ids[i] + 1]; w++)
            if (shortlist->words[w] == type)
                return 1;
    return 0;
}

/* The list of sentence s has what it may use, ascending, and nothing else. */
static void check_list(const struct dgm_shortlist_choice *choice,
                       const struct dgm_shortlist *shortlist, const struct dgm_packed *source,
                       int32_t s)
{
    int32_t place = 0, count = 0;

    for (int32_t type = 0; type < TARGETS; type++)
        if (may_use(shortlist, source, s, type)) {
            CHECK_INT(dgm_shortlist_type(choice, s, place), type);
            place++;
        }
    for (count = place; count < choice->width; count++)
        CHECK_INT(dgm_shortlist_type(choice, s, count), -1);
    CHECK(place <= dgm_shortlist_most(shortlist, source, s));
    CHECK_INT(dgm_shortlist_type(choice, s, -1), -1);
}

TEST(shortlist_gives_each_sentence_its_own_words)
{
    enum { COUNT = 13 };
    struct dgm_shortlist_choice choice = { 0 };
    struct dgm_packed source;
    struct case_ c;

    CHECK_STATUS(open_case(&c, NULL, 1, 9, 0), DGM_OK);
    CHECK_STATUS(random_sources(&source, COUNT), DGM_OK);
    for (int32_t size = 1; size < 2 * COUNT; size += 3) {
        CHECK_STATUS(dgm_shortlist_choose(test_env(), &choice, &c.shortlist, &source, size, 6),
                     DGM_OK);
        CHECK_INT(choice.groups, (COUNT + choice.size - 1) / choice.size);
        CHECK(choice.starts[choice.groups] <= dgm_shortlist_room(&c.shortlist));
        CHECK(choice.width >= 6);
        for (int32_t s = 0; s < COUNT; s++)
            check_list(&choice, &c.shortlist, &source, s);
    }
    CHECK_STATUS(dgm_shortlist_choose(test_env(), &choice, &c.shortlist, &source, INT32_MAX, 40),
                 DGM_OK);
    CHECK_INT(choice.groups, 1);
    CHECK_INT(choice.width, 40);
    dgm_shortlist_choice_clear(test_env(), &choice);
    dgm_packed_clear(test_env(), &source);
    close_case(&c);
}

/* ---- the file -------------------------------------------------------------------------------- */

TEST(shortlist_comes_back_from_its_file)
{
    struct dgm_shortlist again = { 0 };
    struct dgm_buf bytes = { 0 }, same = { 0 };
    struct dgm_writer writer;
    char path[1200];
    struct case_ c;

    CHECK_STATUS(open_case(&c, NULL, 2, 9, 0), DGM_OK);
    snprintf(path, sizeof path, "%s/list", test_dir());
    CHECK_STATUS(dgm_writer_open(test_env(), &writer, path), DGM_OK);
    CHECK_STATUS(dgm_shortlist_write(test_env(), &c.shortlist, &writer), DGM_OK);
    CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
    CHECK_STATUS(dgm_shortlist_load(test_env(), &again, path), DGM_OK);
    CHECK_STATUS(dgm_shortlist_print(test_env(), &bytes, &c.shortlist), DGM_OK);
    CHECK_STATUS(dgm_shortlist_print(test_env(), &same, &again), DGM_OK);
    CHECK_INT(same.size, bytes.size);
    CHECK_MEM(same.data, bytes.data, bytes.size);
    dgm_shortlist_clear(test_env(), &again);
    dgm_buf_clear(test_env(), &bytes);
    dgm_buf_clear(test_env(), &same);
    close_case(&c);
}

/* A byte of the file becomes another, under its old checksum or a right one. */
static dgm_status parse_changed(const struct dgm_buf *bytes, size_t at, int change, int mend)
{
    struct dgm_shortlist shortlist;
    unsigned char copy[400];
    dgm_status status;

    memcpy(copy, bytes->data, bytes->size);
    copy[at] = (unsigned char)(copy[at] ^ change);
    if (mend)
        dgm_le64_put(copy + bytes->size - 8, dgm_hash_bytes(copy, bytes->size - 8));
    status = dgm_shortlist_parse(test_env(), &shortlist, copy, bytes->size, "f");
    if (status == DGM_OK)
        dgm_shortlist_clear(test_env(), &shortlist);
    dgm_env_clear_error(test_env());
    return status;
}

TEST(shortlist_refuses_damaged_files)
{
    struct dgm_shortlist shortlist;
    struct dgm_buf bytes = { 0 };
    struct case_ c;
    int refused = 0;

    CHECK_STATUS(open_case(&c, NULL, 2, 9, 0), DGM_OK);
    CHECK_STATUS(dgm_shortlist_print(test_env(), &bytes, &c.shortlist), DGM_OK);
    CHECK(bytes.size < 400);
    for (size_t size = 0; size < bytes.size; size++) {
        CHECK_STATUS(dgm_shortlist_parse(test_env(), &shortlist, bytes.data, size, "f"), DGM_DATA);
        dgm_env_clear_error(test_env());
    }
    for (size_t at = 0; at < bytes.size; at++) {
        CHECK_STATUS(parse_changed(&bytes, at, 1, 0), DGM_DATA);
        refused += parse_changed(&bytes, at, 0x80, 1) == DGM_DATA;
    }
    /* The 16 bytes of signatures may be any; the last 8 are mended; the highest bit of a number is
     * not. */
    CHECK(refused > (int)bytes.size / 4);
    dgm_buf_clear(test_env(), &bytes);
    close_case(&c);
}

/* ---- tables of others ------------------------------------------------------------------------ */

static dgm_status read_lex(struct case_ *c, struct dgm_lex_table *read, const char *text,
                           long *used, long *passed)
{
    char path[1200];
    FILE *file;

    snprintf(path, sizeof path, "%s/lex", test_dir());
    file = fopen(path, "wb");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        return DGM_FAILURE;
    memset(read, 0, sizeof *read);
    return dgm_lex_file_read(test_env(), read, path, &c->source, &c->target, used, passed);
}

TEST(shortlist_reads_lexical_tables)
{
    static const char text[] =
        "Hund dog 0.5\nNULL dog 0.1\nder\tNULL 0.2\n\nHut dog 1e-3\nKatze dog "
        "0.1\nrot red 1\nHund dog 0.7\n<pad> dog 1\n";
    struct dgm_lex_table read;
    long used = 0, passed = 0;
    struct case_ c;

    CHECK_STATUS(open_case(&c, NULL, 1, 1, 0), DGM_OK);
    CHECK_STATUS(read_lex(&c, &read, text, &used, &passed), DGM_OK);
    CHECK_INT(used, 4);
    CHECK_INT(passed, 4);
    CHECK_INT(read.starts[DOG + 1] - read.starts[DOG], 2);
    CHECK_INT(read.words[read.starts[DOG]], HUND);
    CHECK_NEAR(read.p[read.starts[DOG]], 0.7, 1e-6);
    CHECK_INT(read.words[read.starts[DOG] + 1], HUT);
    CHECK_INT(read.starts[RED + 1] - read.starts[RED], 1);
    dgm_lex_table_clear(test_env(), &read);
    close_case(&c);
}

TEST(shortlist_refuses_what_is_no_lexical_table)
{
    static const char *const bad[] = { "Hund dog\n",      "Hund dog 0.5 x\n",
                                       "Hund dog much\n", "Hund dog -0.1\n",
                                       "Hund dog 2\n",    "Hund dog nan\n",
                                       "Katze cat 0.5\n", "" };
    struct dgm_lex_table read;
    long used, passed;
    struct case_ c;

    CHECK_STATUS(open_case(&c, NULL, 1, 1, 0), DGM_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_STATUS(read_lex(&c, &read, bad[i], &used, &passed), DGM_DATA);
        CHECK(strstr(test_env()->error.message, "expected") != NULL);
        CHECK_INT(test_env()->error.line, i < 6 ? 1 : 0);
        dgm_env_clear_error(test_env());
        dgm_lex_table_clear(test_env(), &read);
    }
    close_case(&c);
}
