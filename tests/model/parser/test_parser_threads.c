/*
 * test_parser_threads.c: a parser whose threads parse whole batches, and the probabilities that all
 * of them give.
 */
#include <math.h>
#include <string.h>

#include "parser_lab.h"
#include "test.h"

/* ---- threads that parse whole batches -------------------------------------------------------- */

static void check_bank_of_threads(const char *shape, int threads, struct dgm_parsed *want)
{
    struct dgm_parse_options options = { .prob = DGM_PROB_ROW, .morphs = DGM_MORPH_ALL };
    struct dgm_parse parse;
    struct dgm_parsed got;
    struct parser_lab lab;

    memset(&got, 0, sizeof got);
    CHECK_STATUS(parser_lab_open(&lab, shape, parser_lab_none, threads), DGM_OK);
    CHECK_STATUS(parser_lab_multiply(&lab), DGM_OK);
    CHECK_INT(lab.bank.rows.count, PARSER_COPIES * PARSER_SENTENCES);
    CHECK_STATUS(dgm_parse_init(test_env(), &parse, &lab.parser, &options), DGM_OK);
    CHECK_STATUS(dgm_parse_bank(test_env(), &parse, &lab.bank, 1500, &got), DGM_OK);
    CHECK_INT((int)parse.team.count, lab.device->threads > 1 ? threads - 1 : 0);
    dgm_parse_clear(test_env(), &parse);
    if (threads == 1) {
        *want = got;
    } else {
        parser_lab_same(&got, want, (size_t)lab.bank.rows.offsets[lab.bank.rows.count]);
        dgm_parsed_clear(test_env(), &got);
    }
    parser_lab_close(&lab);
}

TEST(parser_gives_the_same_bits_where_threads_parse_whole_batches)
{
    struct dgm_parsed want;

    for (int i = 0; i < PARSER_SHAPES; i++) {
        for (int threads = 1; threads <= 3; threads++)
            check_bank_of_threads(parser_lab_shapes[i], threads, &want);
        dgm_parsed_clear(test_env(), &want);
    }
}

static dgm_status stop_at_once(struct dgm_env *env, void *user)
{
    (void)user;
    return dgm_fail(env, DGM_INTERRUPTED, "stopped");
}

TEST(parser_stops_all_threads)
{
    struct dgm_env *env = test_env();
    struct dgm_parsed parsed;
    struct dgm_parse parse;
    struct parser_lab lab;

    memset(&parsed, 0, sizeof parsed);
    CHECK_STATUS(parser_lab_open(&lab, parser_lab_shapes[0], parser_lab_none, 2), DGM_OK);
    CHECK_STATUS(parser_lab_multiply(&lab), DGM_OK);
    CHECK_STATUS(dgm_parse_init(env, &parse, &lab.parser, NULL), DGM_OK);
    env->poll = stop_at_once;
    CHECK_STATUS(dgm_parse_bank(env, &parse, &lab.bank, 400, &parsed), DGM_INTERRUPTED);
    CHECK(env->poll == stop_at_once);
    env->poll = NULL;
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_parse_bank(env, &parse, &lab.bank, 400, &parsed), DGM_OK);
    dgm_parse_clear(env, &parse);
    dgm_parsed_clear(env, &parsed);
    parser_lab_close(&lab);
}

/* ---- probabilities --------------------------------------------------------------------------- */

static void count_warning(void *user, dgm_level level, const char *text)
{
    if (level == DGM_LOG_WARNING && strstr(text, "marginals") != NULL)
        ++*(int *)user;
}

/* Arc scores of thousands of nats. */
static dgm_status exaggerate(struct dgm_parser *parser)
{
    dgm_real values[36];

    DGM_TRY(dgm_params_read(test_env(), &parser->net.params, parser->arc_form.weight, values));
    for (int i = 0; i < 36; i++)
        values[i] *= (dgm_real)1e6;
    return dgm_params_write(test_env(), &parser->net.params, parser->arc_form.weight, values);
}

/* Parses the first sentence with random huge scores both ways; returns the warnings in *told. */
static void check_fall_back(struct parser_lab *lab, uint64_t seed, int *told)
{
    struct dgm_parse_options options = { .prob = DGM_PROB_ROW };
    struct dgm_env *env = test_env();
    struct dgm_parsed rows, marginals;

    CHECK_STATUS(dgm_params_initialise(env, &lab->parser.net.params, seed), DGM_OK);
    CHECK_STATUS(exaggerate(&lab->parser), DGM_OK);
    CHECK_STATUS(parser_lab_parse(&lab->parser, &lab->bank, &options, 1, &rows), DGM_OK);
    options.prob = DGM_PROB_MARGINAL;
    env->log = count_warning;
    env->log_user = told;
    env->log_level = DGM_LOG_WARNING;
    CHECK_STATUS(parser_lab_parse(&lab->parser, &lab->bank, &options, 1, &marginals), DGM_OK);
    env->log = NULL;
    CHECK_STATUS(env->error.status, DGM_OK);
    CHECK_MEM(marginals.heads, rows.heads, 7 * sizeof *rows.heads);
    for (int32_t i = 1; i <= 6 && *told > 0; i++)
        CHECK_NEAR(marginals.prob[i], rows.prob[i], 0);
    dgm_parsed_clear(env, &rows);
    dgm_parsed_clear(env, &marginals);
}

TEST(parser_falls_back_to_rows_where_doubles_cannot_hold_marginals)
{
    struct parser_lab lab;
    int told = 0;

    CHECK_STATUS(parser_lab_open(&lab, parser_lab_shapes[0], parser_lab_none, 1), DGM_OK);
    lab.bank.rows.count = 1;
    for (uint64_t seed = 1; seed < 40 && told == 0; seed++)
        check_fall_back(&lab, seed, &told);
    CHECK_INT(told, 1);
    parser_lab_close(&lab);
}

/* Arcs are too sure in the first batch of whichever thread: the caller's thread says so, once. */
TEST(parser_warns_once_where_threads_lack_marginals)
{
    struct dgm_parse_options options = { .prob = DGM_PROB_MARGINAL };
    struct dgm_env *env = test_env();
    struct dgm_parsed parsed;
    struct parser_lab lab;
    int told = 0;

    for (uint64_t seed = 1; seed < 40 && told == 0; seed++) {
        CHECK_STATUS(parser_lab_open(&lab, parser_lab_shapes[0], parser_lab_none, 2), DGM_OK);
        CHECK_STATUS(parser_lab_multiply(&lab), DGM_OK);
        CHECK_STATUS(dgm_params_initialise(env, &lab.parser.net.params, seed), DGM_OK);
        CHECK_STATUS(exaggerate(&lab.parser), DGM_OK);
        env->log = count_warning;
        env->log_user = &told;
        env->log_level = DGM_LOG_WARNING;
        CHECK_STATUS(parser_lab_parse(&lab.parser, &lab.bank, &options, 1500, &parsed), DGM_OK);
        env->log = NULL;
        dgm_parsed_clear(env, &parsed);
        parser_lab_close(&lab);
    }
    CHECK_INT(told, 1);
}
