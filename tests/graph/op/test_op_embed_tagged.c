/*
 * test_op_embed_tagged.c: embeddings with tags: the worked example of specification 3.10, their
 * dropout; and that they, gates and pairs refuse operands of other shapes.
 */
#include <math.h>

#include "graph_case.h"

/* ---- 3.10: tags ---------------------------------------------------------------------------- */

/* The example's row as a sentence of one word; the word table has `width` columns, the tag's two
 * stand in `kinds` tables, 1 or 2. */
static struct dgm_node *embed_example(struct graph_case *bench, int64_t width, int kinds,
                                      struct dgm_node **words, struct dgm_node **tags,
                                      int positioned, dgm_real dropout)
{
    static const double table[6] = { 0.1, 0.2, 0.3, 0.4, 0.5, 0.6 }, tag[4] = { 0, 0, 0.7, -0.7 };
    /* fairseq's row 2: sines, then cosines, of 2 and powers of 10000^(-1/2) */
    static const double place[6] = { 0.909297, 0.020000, 0.000200, -0.416147, 0.999800, 1 };
    static const double tag_of[2][2] = { { 0, 0.7 }, { 0, -0.7 } };
    static const int32_t ids[1] = { 0 }, tag_ids[1] = { 1 }, places[2] = { 3, 0 };
    struct dgm_ref none = { NULL, 0 };
    struct dgm_rows rows;
    struct dgm_embed_tags side;

    *words = case_leaf(bench, table, 1, width);
    side.count = kinds;
    for (int k = 0; k < kinds; k++) {
        tags[k] = case_leaf(bench, kinds == 1 ? tag : tag_of[k], 2, 2 / kinds);
        side.kinds[k].table = tags[k];
        side.kinds[k].ids = dgm_sample_data(&bench->g, &bench->sample, tag_ids, sizeof tag_ids);
    }
    side.scale = 1;
    side.dim = 6;
    rows.count = 1;
    rows.ids = dgm_sample_data(&bench->g, &bench->sample, ids, sizeof ids);
    rows.places = dgm_sample_data(&bench->g, &bench->sample, places, sizeof places);
    return dgm_embed_tagged(&bench->g, *words, &side, &rows,
                            positioned ? case_reals(bench, place, 6) : none, (dgm_real)sqrt(6.0),
                            dropout, 5);
}

static void check_example(int64_t width, int kinds)
{
    static const double plain[6] = { 0.244949, 0.489898, 0.734847, 0.979796, 0.7, -0.7 };
    static const double placed[6] = { 1.154246, 0.509897, 0.735047, 0.563649, 1.699800, 0.300000 };
    static const double dy[6] = { 1, 2, 3, 4, 5, 6 };
    static const double dword[6] = { 2.449490, 4.898979, 7.348469, 9.797959, 0, 0 };
    static const double dtag[4] = { 0, 0, 5, 6 };
    struct graph_case bench;
    static const double dtag_of[2][2] = { { 0, 5 }, { 0, 6 } };
    struct dgm_node *y, *words, *tags[2];

    for (int positioned = 0; positioned < 2; positioned++) {
        CHECK_STATUS(case_open(&bench, 1), DGM_OK);
        y = dgm_keep(&bench.g, embed_example(&bench, width, kinds, &words, tags, positioned, 0));
        case_give(&bench, y, dy);
        CHECK_STATUS(dgm_graph_run(&bench.g), DGM_OK);
        case_check_at(&bench, y->value, positioned ? placed : plain, 6, 1.5e-6);
        CHECK_STATUS(dgm_graph_backward(&bench.g), DGM_OK);
        case_check_at(&bench, words->grad, dword, width, 1.5e-6);
        for (int k = 0; k < kinds; k++)
            case_check_at(&bench, tags[k]->grad, kinds == 1 ? dtag : dtag_of[k], 4 / kinds, 1.5e-6);
        case_close(&bench);
    }
}

TEST(spec_3_10_tags_take_the_last_columns_of_the_word)
{
    check_example(6, 1);
}

TEST(spec_3_10_tags_stand_beside_a_narrow_word)
{
    check_example(4, 1);
}

TEST(spec_3_10_tags_of_several_kinds_stand_one_after_the_other)
{
    check_example(6, 2);
    check_example(4, 2);
}

/* Dropout of the whole row, in y and in dy, is that of the embedding without tags. */
TEST(tagged_embedding_drops_columns_as_the_plain_one_does)
{
    static const double dy[6] = { 1, 2, 3, 4, 5, 6 };
    struct graph_case bench;
    struct dgm_node *y, *words, *tags, *mask;
    struct dgm_rows rows = { 1, { NULL, 0 }, { NULL, 0 } };
    static const int32_t places[2] = { 3, 0 };
    dgm_real got[6], keep[6], dword[6], dtag[4];
    int i, kept = 0;

    CHECK_STATUS(case_open(&bench, 1), DGM_OK);
    y = dgm_keep(&bench.g, embed_example(&bench, 6, 1, &words, &tags, 1, (dgm_real)0.5));
    case_give(&bench, y, dy);
    rows.places = dgm_sample_data(&bench.g, &bench.sample, places, sizeof places);
    mask = case_leaf(&bench, dy, 1, 6); /* any numbers but 0 */
    mask = dgm_keep(&bench.g, dgm_residual(&bench.g, NULL, mask, &rows, (dgm_real)0.5, 5));
    CHECK_STATUS(dgm_graph_run(&bench.g), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&bench.g, y, got), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&bench.g, mask, keep), DGM_OK);
    CHECK_STATUS(dgm_graph_backward(&bench.g), DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), bench.device, dword, words->grad, sizeof dword),
                 DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), bench.device, dtag, tags->grad, sizeof dtag), DGM_OK);
    for (i = 0; i < 6; i++) {
        kept += keep[i] != 0;
        CHECK((got[i] != 0) == (keep[i] != 0));
        CHECK(((i < 4 ? dword[i] : dtag[i - 2]) != 0) == (keep[i] != 0));
    }
    CHECK(kept > 0 && kept < 6);
    CHECK(dword[4] == 0 && dword[5] == 0);
    case_close(&bench);
}

/* ---- shapes -------------------------------------------------------------------------------- */

static void check_refusal(struct graph_case *bench, const struct dgm_node *y, const char *op)
{
    CHECK(y == NULL);
    CHECK(strstr(test_env()->error.message, op) != NULL);
    dgm_env_clear_error(test_env());
    dgm_graph_begin(&bench->g, 1, 1, 1);
}

TEST(gates_and_tags_refuse_operands_of_other_shapes)
{
    struct graph_case bench;
    struct dgm_columns x = { NULL, 0 };
    struct dgm_context_gate gate;
    struct dgm_rows rows = { 1, { NULL, 0 }, { NULL, 0 } };
    struct dgm_spans spans = { .sentences = 1, .rows = 3, .pairs = 9 };
    struct dgm_ref none = { NULL, 0 };
    struct dgm_embed_tags tags = { .count = 1, .scale = 1, .dim = 6 };

    CHECK_STATUS(case_open(&bench, 1), DGM_OK);
    x.node = case_leaf(&bench, NULL, 3, 4);
    check_refusal(&bench, dgm_highway(&bench.g, x.node, x.node),
                  "highway: operands 3 x 4 and 3 x 4");
    tags.kinds[0].table = case_leaf(&bench, NULL, 2, 2);
    x.node = case_leaf(&bench, NULL, 2, 5);
    check_refusal(&bench, dgm_embed_tagged(&bench.g, x.node, &tags, &rows, none, 1, 0, 0),
                  "embed_tagged: operands 2 x 5 and 2 x 2");
    x.node = case_leaf(&bench, NULL, 3, 4);
    x.column = 2;
    check_refusal(&bench, dgm_pair_scores(&bench.g, x, x, 3, &spans), "pair_scores: operands");
    memset(&gate, 0, sizeof gate);
    gate.x.node = gate.c.node = case_leaf(&bench, NULL, 3, 4);
    gate.x_gate = gate.c_gate = case_leaf(&bench, NULL, 1, 2);
    gate.x_bias = gate.c_bias = case_leaf(&bench, NULL, 1, 1);
    gate.heads = gate.width = 2;
    gate.c_step = 3;
    check_refusal(&bench, dgm_gated_mix(&bench.g, &gate), "columns for all heads");
    gate.x.node = gate.c.node = case_leaf(&bench, NULL, 3, 5);
    gate.x_gate = gate.c_gate = case_leaf(&bench, NULL, 1, 3);
    gate.x_bias = gate.c_bias = case_leaf(&bench, NULL, 1, 1);
    check_refusal(&bench, dgm_gated_mix(&bench.g, &gate), "gates (1,width)");
    case_close(&bench);
}
