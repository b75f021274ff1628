/*
 * test_attention_reader.c: attention weights that are watched: against the definition, and what
 * must hold of them whatever variant is at work.
 */
#include <math.h>
#include <stdio.h>

#include "decode/attention_reader.h"
#include "kind_case.h"

enum { DIM = 8, HEADS = 2, WIDTH = DIM / HEADS, LONG = 2 * TINY_LONGEST };

static int open_sight(struct tiny *tiny, struct dgm_attention_reader *reader, const char *syntax)
{
    struct dgm_model_config config = tiny_config();
    int kind;

    strcpy(config.syntax, syntax);
    if (tiny_open(tiny, &config, 1) != DGM_OK ||
        dgm_attention_reader_init(test_env(), reader, &tiny->model, tiny->device) != DGM_OK)
        return 0;
    for (kind = 0; kind < DGM_ATTENTION_KINDS; kind++)
        reader->watch.layers[kind] = 3;
    return 1;
}

static dgm_status look(struct dgm_attention_reader *reader, const struct dgm_batch *batch,
                       int32_t s)
{
    const struct dgm_packed *target = &batch->target;

    return dgm_attention_reader_look(test_env(), reader, &batch->source, s,
                                     target->ids + target->offsets[s],
                                     dgm_packed_length(target, s));
}

/* Every row of every head is a distribution; nobody sees what comes later. */
static void check_rows(const struct dgm_attention_weights *w, int causal)
{
    int64_t h, i, j;

    for (h = 0; h < w->heads; h++)
        for (i = 0; i < w->rows; i++) {
            double sum = 0;
            for (j = 0; j < w->columns; j++) {
                double a = (double)w->values[i * w->ld + h * w->step + j];
                CHECK(a >= 0);
                CHECK(!causal || j <= i || a == 0);
                sum += a;
            }
            CHECK_NEAR(sum, 1, 1e-5);
        }
}

static void check_pair(struct dgm_attention_reader *reader, const struct dgm_batch *batch,
                       int32_t s)
{
    int64_t n = dgm_packed_length(&batch->source, s), m = dgm_packed_length(&batch->target, s);
    struct dgm_attention_weights w;
    int kind, layer;

    for (kind = 0; kind < DGM_ATTENTION_KINDS; kind++)
        for (layer = 1; layer <= 2; layer++) {
            CHECK_STATUS(dgm_attention_reader_read(test_env(), reader,
                                                   (enum dgm_attention_kind)kind, layer, &w),
                         DGM_OK);
            CHECK(w.values != NULL);
            CHECK_INT(w.rows, kind == DGM_ATTENTION_ENCODER ? n : m);
            CHECK_INT(w.columns, kind == DGM_ATTENTION_DECODER ? m : n);
            check_rows(&w, kind == DGM_ATTENTION_DECODER);
        }
}

static void check_syntax(const char *syntax)
{
    struct dgm_attention_reader reader;
    struct dgm_batch batch;
    struct tiny tiny;
    int32_t s;

    CHECK(open_sight(&tiny, &reader, syntax));
    CHECK_STATUS(tiny_batch(&batch, 12), DGM_OK);
    for (s = 0; s < batch.source.count; s++) {
        CHECK_STATUS(look(&reader, &batch, s), DGM_OK);
        check_pair(&reader, &batch, s);
    }
    dgm_attention_reader_clear(test_env(), &reader);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(sight_sees_distributions_of_every_variant)
{
    check_syntax("");
    check_syntax("deps-san(layers=1-2)+shaw(k=2)");
    check_syntax("sgsa(layers=1-2,m=2)");
    check_syntax("dbsa(enc-layer=1,dec-layer=2)");
    check_syntax("pascal+localness");
}

/* ---- against the definition ----------------------------------------------------------------- */

static dgm_real *read_param(struct tiny *tiny, const char *name, size_t count)
{
    static dgm_real values[1024];
    dgm_param_id id = dgm_params_find(&tiny->model.params, name);

    if (id < 0 || count > 1024 ||
        dgm_params_read(test_env(), &tiny->model.params, id, values) != DGM_OK)
        return NULL;
    return values;
}

/* y (n,D) = x w^T + bias. */
static int project(struct tiny *tiny, double y[][DIM], double x[][DIM], int32_t n, const char *name)
{
    char full[96];
    const dgm_real *values;
    int32_t i;
    int r, c;

    sprintf(full, "encoder.layers.0.self_attn.%s.weight", name);
    if ((values = read_param(tiny, full, DIM * DIM)) == NULL)
        return 0;
    for (i = 0; i < n; i++)
        for (r = 0; r < DIM; r++)
            for (c = 0, y[i][r] = 0; c < DIM; c++)
                y[i][r] += x[i][c] * (double)values[r * DIM + c];
    sprintf(full, "encoder.layers.0.self_attn.%s.bias", name);
    if ((values = read_param(tiny, full, DIM)) == NULL)
        return 0;
    for (i = 0; i < n; i++)
        for (r = 0; r < DIM; r++)
            y[i][r] += (double)values[r];
    return 1;
}

/* Weights of layer 1 from the embeddings on: softmax(q k^T / sqrt(d_k)). */
static void check_naive(const double q[][DIM], const double k[][DIM], int32_t n,
                        const struct dgm_attention_weights *w)
{
    double e[LONG];
    int32_t i, j;
    int h, c;

    for (h = 0; h < HEADS; h++)
        for (i = 0; i < n; i++) {
            double sum = 0;
            for (j = 0; j < n; j++) {
                for (c = 0, e[j] = 0; c < WIDTH; c++)
                    e[j] += q[i][h * WIDTH + c] * k[j][h * WIDTH + c];
                e[j] = exp(e[j] / sqrt(WIDTH));
                sum += e[j];
            }
            for (j = 0; j < n; j++)
                CHECK_NEAR(w->values[i * w->ld + h * w->step + j], e[j] / sum, 1e-5);
        }
}

TEST(sight_sees_the_weights_of_the_definition)
{
    static double x[LONG][DIM], q[LONG][DIM], k[LONG][DIM];
    dgm_real positions[LONG * DIM];
    struct dgm_attention_weights w;
    struct dgm_attention_reader reader;
    struct dgm_batch batch;
    struct tiny tiny;
    const dgm_real *table;
    int32_t n, i;
    int c;

    CHECK(open_sight(&tiny, &reader, ""));
    CHECK_STATUS(tiny_batch(&batch, 12), DGM_OK);
    n = dgm_packed_length(&batch.source, 0);
    dgm_position_table(positions, LONG, DIM, tiny.model.config.positions);
    table = read_param(&tiny, "encoder.embed_tokens.weight", TINY_VOCAB * DIM);
    CHECK(table != NULL);
    for (i = 0; i < n; i++)
        for (c = 0; c < DIM; c++)
            x[i][c] = sqrt(DIM) * (double)table[batch.source.ids[i] * DIM + c] +
                      (double)positions[i * DIM + c];
    CHECK(project(&tiny, q, x, n, "q_proj") && project(&tiny, k, x, n, "k_proj"));
    CHECK_STATUS(look(&reader, &batch, 0), DGM_OK);
    CHECK_STATUS(dgm_attention_reader_read(test_env(), &reader, DGM_ATTENTION_ENCODER, 1, &w),
                 DGM_OK);
    check_naive((const double(*)[DIM])q, (const double(*)[DIM])k, n, &w);
    dgm_attention_reader_clear(test_env(), &reader);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

/* ---- terms of variants ---------------------------------------------------------------------- */

/* LISA with the tree given: head 0 of its layer attends to the first piece of each word's head. */
TEST(sight_sees_forced_heads_as_single_ones)
{
    struct dgm_attention_weights w;
    struct dgm_attention_reader reader;
    struct dgm_batch batch;
    struct tiny tiny;
    int32_t n, i, j;

    CHECK(open_sight(&tiny, &reader, "lisa(layer=2,gold-at-test=1)"));
    CHECK_STATUS(tiny_batch(&batch, 12), DGM_OK);
    CHECK_STATUS(look(&reader, &batch, 0), DGM_OK);
    CHECK_STATUS(dgm_attention_reader_read(test_env(), &reader, DGM_ATTENTION_ENCODER, 2, &w),
                 DGM_OK);
    n = dgm_packed_length(&batch.source, 0);
    for (i = 0; i + 1 < n; i++) {
        int32_t head = batch.source.heads[batch.source.words[i]], first = 0;
        while (batch.source.words[first] != head)
            first++;
        for (j = 0; j < n; j++)
            CHECK_NEAR(w.values[i * w.ld + j], j == first, 0);
    }
    dgm_attention_reader_clear(test_env(), &reader);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

/* SGSA with a hard mask: no weight between words that no arc links. */
TEST(sight_sees_what_a_mask_hides)
{
    struct dgm_attention_weights w;
    struct dgm_attention_reader reader;
    struct dgm_batch batch;
    struct tiny tiny;
    int32_t n, i, j;
    int hidden = 0;

    CHECK(open_sight(&tiny, &reader, "sgsa(layers=1,m=0,gamma=hard)"));
    CHECK_STATUS(tiny_batch(&batch, 12), DGM_OK);
    CHECK_STATUS(look(&reader, &batch, 0), DGM_OK);
    CHECK_STATUS(dgm_attention_reader_read(test_env(), &reader, DGM_ATTENTION_ENCODER, 1, &w),
                 DGM_OK);
    n = dgm_packed_length(&batch.source, 0);
    for (i = 0; i + 1 < n; i++)
        for (j = 0; j + 1 < n; j++) {
            int32_t a = batch.source.words[i], b = batch.source.words[j];
            int linked = a == b || batch.source.heads[a] == b || batch.source.heads[b] == a;
            CHECK(linked == (w.values[i * w.ld + j] > 0));
            hidden += !linked;
        }
    CHECK(hidden > 0);
    dgm_attention_reader_clear(test_env(), &reader);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

/* A source alone shows its encoder; layers that nobody asked for show nothing. */
TEST(sight_shows_what_is_asked_for_only)
{
    struct dgm_attention_weights w;
    struct dgm_attention_reader reader;
    struct dgm_batch batch;
    struct tiny tiny;

    CHECK(open_sight(&tiny, &reader, ""));
    reader.watch.layers[DGM_ATTENTION_ENCODER] = 2;
    CHECK_STATUS(tiny_batch(&batch, 12), DGM_OK);
    CHECK_STATUS(dgm_attention_reader_look(test_env(), &reader, &batch.source, 1, NULL, 0), DGM_OK);
    CHECK_STATUS(dgm_attention_reader_read(test_env(), &reader, DGM_ATTENTION_ENCODER, 1, &w),
                 DGM_OK);
    CHECK(w.values == NULL);
    CHECK_STATUS(dgm_attention_reader_read(test_env(), &reader, DGM_ATTENTION_CROSS, 1, &w),
                 DGM_OK);
    CHECK(w.values == NULL);
    CHECK_STATUS(dgm_attention_reader_read(test_env(), &reader, DGM_ATTENTION_ENCODER, 2, &w),
                 DGM_OK);
    CHECK(w.values != NULL);
    check_rows(&w, 0);
    dgm_attention_reader_clear(test_env(), &reader);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

/* ---- recurrent sides ------------------------------------------------------------------------ */

/* Distributions over words, or over words and constituents, which are left out. */
static void check_cross(const struct dgm_attention_weights *w, int64_t rows, int64_t columns,
                        int constituents)
{
    int64_t h, i, j;

    CHECK_INT(w->rows, rows);
    CHECK_INT(w->columns, columns);
    for (h = 0; h < w->heads; h++)
        for (i = 0; i < rows; i++) {
            double sum = 0;
            for (j = 0; j < columns; j++)
                sum += (double)w->values[i * w->ld + h * w->step + j];
            if (constituents && columns > 1)
                CHECK(sum > 0 && sum < 1);
            else
                CHECK_NEAR(sum, 1, 1e-5);
        }
}

static void check_kind(struct dgm_attention_reader *reader, const struct kind_case *one, int64_t n,
                       int64_t m)
{
    const struct dgm_net *net = reader->net;
    int kind, layer, trees = strcmp(one->encoder, "constituency") == 0, ends;
    struct dgm_attention_weights w;

    ends = strcmp(one->encoder, "transformer") == 0 || strcmp(one->encoder, "sequential") == 0;
    for (kind = 0; kind < DGM_ATTENTION_KINDS; kind++)
        for (layer = 1; layer <= 2; layer++) {
            int there = layer <= dgm_attention_probe_layers(net, (enum dgm_attention_kind)kind) &&
                        (m > 0 || kind == DGM_ATTENTION_ENCODER);
            CHECK_STATUS(dgm_attention_reader_read(test_env(), reader,
                                                   (enum dgm_attention_kind)kind, layer, &w),
                         DGM_OK);
            CHECK_INT(w.values != NULL, there);
            if (there && kind == DGM_ATTENTION_CROSS)
                check_cross(&w, m, ends ? n : n - 1, trees);
            else if (there)
                check_rows(&w, kind == DGM_ATTENTION_DECODER);
        }
}

static void check_kinds(const struct kind_case *one)
{
    struct dgm_model_config config = kind_config(one);
    struct dgm_attention_reader reader;
    struct dgm_batch batch;
    struct tiny tiny;
    int32_t s;

    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(dgm_attention_reader_init(test_env(), &reader, &tiny.model, tiny.device), DGM_OK);
    reader.watch.layers[0] = reader.watch.layers[1] = reader.watch.layers[2] = 3;
    CHECK_STATUS(tiny_batch(&batch, 12), DGM_OK);
    for (s = 0; s < batch.source.count; s++) {
        int32_t n = dgm_packed_length(&batch.source, s);
        CHECK_STATUS(look(&reader, &batch, s), DGM_OK);
        check_kind(&reader, one, n, dgm_packed_length(&batch.target, s));
        CHECK_STATUS(dgm_attention_reader_look(test_env(), &reader, &batch.source, s, NULL, 0),
                     DGM_OK);
        check_kind(&reader, one, n, 0);
    }
    dgm_attention_reader_clear(test_env(), &reader);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(sight_sees_what_networks_with_recurrent_sides_have)
{
    int i;

    for (i = 0; i < KIND_CASES; i++)
        if (kind_cases[i].attend_level >= 0)
            check_kinds(&kind_cases[i]);
}
