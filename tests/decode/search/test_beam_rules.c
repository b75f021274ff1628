/*
 * test_beam_rules.c: the contract of a rule of beam search (decode/search/beam.h), for every rule
 * of the list, on random scores: what it adds, in which order, and what it leaves alone.
 */
#include <string.h>

#include "base/philox.h"
#include "decode/search/beam.h"
#include "test.h"

enum { VOCAB = 7, EOS = 2, BEAM = 3, WIDTH = 2 * BEAM, LIMIT = 4, STRIDE = LIMIT + 1 };
enum { SENTENCES = 3, ROWS = SENTENCES * BEAM, UNTOUCHED = -77 };

/* Everything that a rule reads and writes, on the stack. */
struct rule_case {
    struct dgm_search search;
    struct dgm_batch batch;
    struct dgm_beam at;
    struct dgm_result results[SENTENCES];
    struct dgm_beam_row rows[ROWS], next_rows[ROWS];
    int32_t tokens[ROWS * STRIDE], next_tokens[ROWS * STRIDE], from[ROWS], last[ROWS];
    int32_t ids[ROWS * WIDTH], offsets[SENTENCES + 1];
    dgm_real values[ROWS * WIDTH], ends[ROWS];
};

static void connect(struct rule_case *c)
{
    struct dgm_search *search = &c->search;
    int s;

    for (s = 0; s <= SENTENCES; s++)
        c->offsets[s] = s;
    c->batch.source.offsets = c->offsets;
    c->batch.source.count = SENTENCES;
    search->options.beam = BEAM;
    search->options.length_extra = LIMIT;
    search->vocab = VOCAB;
    search->eos = EOS;
    search->rows = c->rows;
    search->next_rows = c->next_rows;
    search->tokens = c->tokens;
    search->next_tokens = c->next_tokens;
    search->from = c->from;
    search->last = c->last;
    search->ids = c->ids;
    search->values = c->values;
    search->ends = c->ends;
    c->at.batch = &c->batch;
    c->at.results = c->results;
    c->at.most = LIMIT;
    c->at.stride = STRIDE;
}

/* The candidates of row r: WIDTH different tokens, the more probable first. */
static void draw_row(struct rule_case *c, struct dgm_random *random, int r)
{
    int first = (int)dgm_random_below(random, VOCAB), j;
    dgm_real value = 0;

    for (j = 0; j < WIDTH; j++) {
        value -= (dgm_real)(1 + dgm_random_below(random, 100)) / 64;
        c->ids[r * WIDTH + j] = (first + j) % VOCAB;
        c->values[r * WIDTH + j] = value;
    }
    c->ends[r] = value;
}

/* Sentences of 1..BEAM live rows after `step` tokens; what the next step has is marked. */
static void draw_case(struct rule_case *c, struct dgm_random *random, int64_t step)
{
    int s, r, i;

    memset(c, 0, sizeof *c);
    connect(c);
    c->at.step = step;
    for (s = 0; s < SENTENCES; s++) {
        int count = step == 0 ? 1 : 1 + (int)dgm_random_below(random, BEAM);
        for (i = 0; i < count; i++) {
            r = (int)c->at.rows++;
            c->rows[r].sentence = s;
            c->rows[r].logp = -(double)i;
            draw_row(c, random, r);
        }
    }
    for (r = 0; r < ROWS; r++)
        c->next_rows[r].sentence = c->from[r] = c->last[r] = UNTOUCHED;
}

/* Of equals, the continuation of the earlier row comes first. */
static int is_in_order(const struct rule_case *c, int64_t before, int64_t r)
{
    const double first = c->next_rows[before].logp, second = c->next_rows[r].logp;

    return second < first || (second <= first && c->from[before] < c->from[r]);
}

/* Rows are added best first, continue rows of this sentence and do not end. */
static void check_rows(const struct rule_case *c)
{
    const struct dgm_beam *at = &c->at;
    int64_t r;

    CHECK(at->next >= at->first_next && at->next - at->first_next <= BEAM);
    for (r = at->first_next; r < at->next; r++) {
        CHECK_INT(c->next_rows[r].sentence, c->rows[at->first].sentence);
        CHECK(c->from[r] >= at->first && c->from[r] < at->last);
        CHECK(c->last[r] != EOS);
        CHECK_INT(c->next_tokens[r * STRIDE + at->step], c->last[r]);
        CHECK(r == at->first_next || is_in_order(c, r - 1, r));
    }
    for (r = at->next; r < ROWS; r++) {
        CHECK_INT(c->next_rows[r].sentence, UNTOUCHED);
        CHECK_INT(c->from[r], UNTOUCHED);
        CHECK_INT(c->last[r], UNTOUCHED);
    }
}

static void check_sentence(struct rule_case *c, const struct dgm_beam_rule *rule)
{
    struct dgm_beam *at = &c->at;
    const struct dgm_result *result = &c->results[c->rows[at->first].sentence];
    int64_t rows = at->rows, step = at->step, first = at->first, last = at->last;

    at->first_next = at->next;
    CHECK_STATUS(rule->advance(test_env(), &c->search, at), DGM_OK);
    CHECK(at->rows == rows && at->step == step && at->first == first && at->last == last);
    check_rows(c);
    CHECK(result->count <= BEAM);
    if (step >= LIMIT || result->count == BEAM)
        CHECK_INT(at->next, at->first_next);
}

static void check_step(const struct dgm_beam_rule *rule, struct dgm_random *random, int64_t step)
{
    struct rule_case c;
    struct dgm_beam *at = &c.at;
    int s;

    draw_case(&c, random, step);
    for (at->first = 0; at->first < at->rows; at->first = at->last) {
        at->last = at->first + 1;
        while (at->last < at->rows && c.rows[at->last].sentence == c.rows[at->first].sentence)
            at->last++;
        check_sentence(&c, rule);
    }
    for (s = 0; s < SENTENCES; s++)
        dgm_result_clear(test_env(), &c.results[s]);
}

TEST(beam_rules_keep_their_contract)
{
    const struct dgm_beam_rule *rule;
    struct dgm_random random;
    int64_t step;
    int i, round;

    dgm_random_init(&random, 5, 0, 0, 0);
    for (i = 0; (rule = dgm_beam_rule_entry(i)) != NULL; i++) {
        CHECK(dgm_beam_rule_find(rule->name) == rule);
        for (round = 0; round < 50; round++)
            for (step = 0; step <= LIMIT; step++)
                check_step(rule, &random, step);
    }
    CHECK(i >= 2);
}
