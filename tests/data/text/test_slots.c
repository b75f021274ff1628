/* test_slots.c: which spans of a pair slots stand for, and with what chance. */
#include "data/text/slots.h"

#include <string.h>

#include "test.h"
#include "text/span/slot.h"

/* The pair with its slots as digits, numbered from the first. */
static void fill(struct dgm_slots *slots, const char *source, const char *target, uint32_t number,
                 char out[2][200])
{
    const char *texts[2] = { source, target };
    struct dgm_buf lines[2] = { { 0 }, { 0 } };
    const struct dgm_buf *pair[2] = { &lines[0], &lines[1] };
    int first = -1;

    for (int side = 0; side < 2; side++)
        CHECK_STATUS(dgm_buf_add_text(test_env(), &lines[side], texts[side]), DGM_OK);
    CHECK_STATUS(dgm_slots_fill(test_env(), slots, pair, 0, number), DGM_OK);
    for (int side = 0; side < 2; side++) {
        const struct dgm_buf *line = &slots->lines[side];
        size_t bytes = 0;

        for (size_t at = 0; at < line->size; at++) {
            const int slot = dgm_slot_at(line->data, line->size, at);

            if (slot >= 0 && first < 0)
                first = slot;
            out[side][bytes++] =
                (char)(slot >= 0 ? '0' + (slot - first + DGM_SLOTS) % DGM_SLOTS : line->data[at]);
            at += slot >= 0 ? DGM_SLOT_BYTES - 1 : 0;
        }
        out[side][bytes] = '\0';
        dgm_buf_clear(test_env(), &lines[side]);
    }
}

TEST(slots_stand_for_what_both_sides_have)
{
    struct dgm_slots slots = { .share = 1, .seed = 7 };
    char out[2][200];

    fill(&slots, "see http://x.org, {a} at 5 km", "{a} bei 5,0 km: http://x.org", 1, out);
    CHECK_STR(out[0], "see 0 , 1 at 5 km");
    CHECK_STR(out[1], "1 bei 5,0 km: 0");
    fill(&slots, "<b>one</b> <b>two</b>", "<b>eins</b><b>zwei</b>", 2, out);
    CHECK_STR(out[0], "0 one 1 2 two 3");
    CHECK_STR(out[1], "0 eins 1 2 zwei 3");
    fill(&slots, "%s %s", "%s", 3, out);
    CHECK_STR(out[0], "%s %s");
    CHECK_STR(out[1], "%s");
    fill(&slots, "a \xEF\xB7\x90 b", "", 4, out);
    CHECK_STR(out[0], "a \xEF\xBF\xBD b");
    CHECK_INT(slots.replaced, 6);
    dgm_slots_clear(test_env(), &slots);
}

TEST(slots_are_drawn_by_seed_and_line)
{
    struct dgm_slots slots = { .share = 0.25, .seed = 7 }, again = { .share = 0.25, .seed = 7 };
    char out[2][200], other[2][200];

    for (uint32_t number = 1; number <= 1000; number++) {
        fill(&slots, "w {a} {b}", "{b} {a} v", number, out);
        fill(&again, "w {a} {b}", "{b} {a} v", number, other);
        CHECK_STR(out[0], other[0]);
        CHECK_STR(out[1], other[1]);
    }
    CHECK(slots.replaced > 400 && slots.replaced < 600);
    CHECK_INT(again.replaced, slots.replaced);
    dgm_slots_clear(test_env(), &slots);
    dgm_slots_clear(test_env(), &again);
}
