/* test_tally.c: exact counts within the limit, and beyond it the promised bounds. */
#include "text/bpe/tally.h"

#include <stdio.h>
#include <string.h>

#include "base/philox.h"
#include "base/system/meter.h"
#include "test.h"

enum { DIFFERENT = 40000, LINES = 200000, LIMIT = 768 * 1024 };

/* Word k of a text: small numbers are frequent, most come once or never. */
static void word_of(char text[24], struct dgm_random *random)
{
    const double u = dgm_random_unit(random);

    sprintf(text, "w%d", (int)(DIFFERENT * u * u * u));
}

static dgm_status count_text(struct dgm_env *env, struct dgm_tally *tally, size_t limit)
{
    struct dgm_random random;
    int i;

    memset(tally, 0, sizeof *tally);
    tally->limit = limit;
    dgm_random_init(&random, 3, 0, 0, 0);
    for (i = 0; i < LINES; i++) {
        char word[24];
        word_of(word, &random);
        DGM_TRY(dgm_tally_line(env, tally, word, strlen(word)));
    }
    return DGM_OK;
}

static int64_t count_of(const struct dgm_tally *tally, const char *word, size_t length)
{
    const struct dgm_map_entry *entry = dgm_map_find(&tally->counts, word, length);

    return entry != NULL ? entry->value : 0;
}

TEST(tally_is_exact_within_its_limit)
{
    struct dgm_tally tally, exact;

    CHECK_STATUS(count_text(test_env(), &tally, 64 << 20), DGM_OK);
    CHECK_STATUS(count_text(test_env(), &exact, 0), DGM_OK);
    CHECK_INT(tally.lost, 0);
    CHECK(tally.counts.count == exact.counts.count);
    CHECK_INT(count_of(&tally, "w0", 2), count_of(&exact, "w0", 2));
    dgm_tally_clear(test_env(), &tally);
    dgm_tally_clear(test_env(), &exact);
}

TEST(tally_keeps_its_bounds_beyond_the_limit)
{
    struct dgm_tally tally, exact;
    size_t i, missing = 0;

    CHECK_STATUS(count_text(test_env(), &tally, LIMIT), DGM_OK);
    CHECK_STATUS(count_text(test_env(), &exact, 0), DGM_OK);
    CHECK(tally.lost > 0 && tally.lost < LINES / 100);
    for (i = 0; i < exact.counts.count; i++) {
        const struct dgm_map_entry *entry = &exact.counts.entries[i];
        const int64_t found = count_of(&tally, dgm_map_key(&exact.counts, entry), entry->length);
        CHECK(found <= entry->value && found >= entry->value - tally.lost);
        CHECK(found > 0 || entry->value <= tally.lost);
        missing += found == 0;
    }
    CHECK(missing > 0);
    dgm_tally_clear(test_env(), &tally);
    dgm_tally_clear(test_env(), &exact);
}

TEST(tally_takes_no_more_than_its_limit)
{
    struct dgm_env env = *test_env();
    struct dgm_tally tally;
    struct dgm_meter meter;

    dgm_meter_begin(&meter, &env);
    meter.limit = LIMIT; /* of the blocks alone */
    CHECK_STATUS(count_text(&env, &tally, LIMIT), DGM_OK);
    CHECK(tally.lost > 0);
    dgm_tally_clear(&env, &tally);
    dgm_meter_end(&meter, &env);
}

/* Counts of a file may be anything. */
TEST(tally_drops_words_with_the_largest_counts)
{
    struct dgm_tally tally;
    char path[512];
    FILE *file;
    int i;

    sprintf(path, "%.400s/counts", test_dir());
    file = fopen(path, "w");
    CHECK(file != NULL);
    for (i = 0; i < DIFFERENT; i++)
        fprintf(file, "w%d 9223372036854775807\n", i);
    CHECK(fclose(file) == 0);
    memset(&tally, 0, sizeof tally);
    tally.limit = LIMIT;
    CHECK_STATUS(dgm_tally_load(test_env(), &tally, path), DGM_OK);
    CHECK_INT(tally.lost, INT64_MAX);
    CHECK_STATUS(dgm_tally_line(test_env(), &tally, "a a", 3), DGM_OK);
    CHECK_INT(count_of(&tally, "a", 1), 2);
    dgm_tally_clear(test_env(), &tally);
}

TEST(tally_knows_what_a_file_may_have_missed)
{
    static const char *const words[] = { "w1", "brand-new" };
    char path[512];
    struct dgm_tally tally;
    size_t i, number;
    FILE *file;

    sprintf(path, "%.400s/counts", test_dir());
    file = fopen(path, "w");
    CHECK(file != NULL && fputs("w1 5\nbrand-new 1000000\n", file) >= 0 && fclose(file) == 0);
    CHECK_STATUS(count_text(test_env(), &tally, LIMIT), DGM_OK);
    CHECK_STATUS(dgm_tally_load(test_env(), &tally, path), DGM_OK);
    for (i = 0; i < 2; i++) {
        const struct dgm_map_entry *entry = dgm_map_find(&tally.counts, words[i], strlen(words[i]));
        CHECK(entry != NULL);
        number = (size_t)(entry - tally.counts.entries);
        CHECK(tally.missed[number] <= tally.lost);
    }
    CHECK_INT(tally.missed[number], tally.lost);
    dgm_tally_clear(test_env(), &tally);
}
