/*
 * parse_head.c: weights between pieces to scores between words to heads of words.
 */
#include "decode/parse/parse_head.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "syntax/spanning/projective.h"

static enum dgm_attention_kind watched(const struct dgm_parse_head *parse)
{
    return parse->side == DGM_SOURCE ? DGM_ATTENTION_ENCODER : DGM_ATTENTION_DECODER;
}

dgm_status dgm_parse_head_init(struct dgm_env *env, struct dgm_parse_head *parse,
                               const struct dgm_net *net, struct dgm_device *device,
                               enum dgm_side side, int projective)
{
    memset(parse, 0, sizeof *parse);
    if (!dgm_net_parser_head(net, side, &parse->layer, &parse->which))
        return dgm_fail(env, DGM_MODEL,
                        "no head of the %s is a parser; expected a model that was trained with "
                        "--syntax %s",
                        dgm_side_name(side), side == DGM_SOURCE ? "lisa or dbsa" : "dbsa");
    parse->side = side;
    parse->projective = projective;
    DGM_TRY(dgm_attention_reader_init(env, &parse->reader, net, device));
    parse->reader.watch.layers[watched(parse)] = (uint64_t)1 << (parse->layer - 1);
    return DGM_OK;
}

void dgm_parse_head_clear(struct dgm_env *env, struct dgm_parse_head *parse)
{
    dgm_attention_reader_clear(env, &parse->reader);
    dgm_spanning_work_clear(env, &parse->work);
    dgm_release(env, parse->scores);
    dgm_release(env, parse->places);
    memset(parse, 0, sizeof *parse);
}

/* The row that stands for each word. A decoder reads a mark first: piece p stands at row p + 1. */
static dgm_status find_places(struct dgm_env *env, struct dgm_parse_head *parse,
                              const struct dgm_packed *parsed, int32_t s)
{
    const int32_t *words = parsed->words + parsed->offsets[s];
    int32_t n = dgm_packed_length(parsed, s), shift = parse->side == DGM_TARGET, i;
    int32_t count = parsed->word_offsets[s + 1] - parsed->word_offsets[s];

    DGM_TRY(dgm_reserve(env, &parse->places, &parse->place_capacity, (size_t)count + 1,
                        sizeof *parse->places));
    /* Backwards, so that of the pieces of a word the first is written last. */
    for (i = n - 1; i >= 0; i--) {
        int is_last = i + 1 == n || words[i + 1] != words[i];
        if (words[i] >= 0 && (!parse->which.last_piece || is_last))
            parse->places[words[i]] = i + shift;
    }
    return DGM_OK;
}

/* log A of the rows and columns that stand for words; what looks at itself is a root. */
static dgm_status score_arcs(struct dgm_env *env, struct dgm_parse_head *parse,
                             const struct dgm_attention_weights *weights, int32_t count)
{
    size_t side = (size_t)count + 1;

    DGM_TRY(dgm_reserve(env, &parse->scores, &parse->score_capacity, side * side,
                        sizeof *parse->scores));
    for (int32_t d = 0; d < count; d++) {
        const dgm_real *row =
            weights->values + parse->places[d] * weights->ld + parse->which.head * weights->step;
        dgm_real *scores = parse->scores + ((size_t)d + 1) * side;
        for (int32_t h = 0; h < count; h++)
            scores[h + 1] = (dgm_real)log((double)row[parse->places[h]]);
        /* The head gives a root's weight to the word itself; the tree search wants it in column 0
         * and does not read the diagonal. */
        scores[0] = scores[d + 1];
    }
    return DGM_OK;
}

/* The best tree over the words of a source. */
static dgm_status find_tree(struct dgm_env *env, struct dgm_parse_head *parse, int32_t count,
                            int32_t *heads)
{
    return (parse->projective ? dgm_projective_tree : dgm_spanning_tree)(env, heads, parse->scores,
                                                                         count, &parse->work);
}

/* The likeliest head of each word of a target; of equal ones the smallest, as in spanning.h. */
static void find_forest(const struct dgm_parse_head *parse, int32_t count, int32_t *heads)
{
    for (int32_t d = 1; d <= count; d++) {
        const dgm_real *scores = parse->scores + (size_t)d * ((size_t)count + 1);
        int32_t best = 0;

        for (int32_t h = 1; h < d; h++)
            if (scores[h] > scores[best])
                best = h;
        heads[d - 1] = best;
    }
}

/* An attention is a softmax: if one of a word's weights is no number, none is. */
static dgm_status check_scores(struct dgm_env *env, const struct dgm_parse_head *parse, int32_t s,
                               int32_t count)
{
    for (int32_t d = 1; d <= count; d++)
        if (isnan((double)parse->scores[(size_t)d * ((size_t)count + 1)]))
            return dgm_lost_scores_fail(env, &parse->lines, s, "the head of word", d);
    return DGM_OK;
}

/* Runs the sentence, and leaves the weights of the layer in *weights. */
static dgm_status look(struct dgm_env *env, struct dgm_parse_head *parse,
                       const struct dgm_packed *source, const struct dgm_packed *target, int32_t s,
                       struct dgm_attention_weights *weights)
{
    const int32_t *tokens = parse->side == DGM_TARGET ? target->ids + target->offsets[s] : NULL;
    int32_t n = parse->side == DGM_TARGET ? dgm_packed_length(target, s) : 0;

    DGM_TRY(dgm_attention_reader_look(env, &parse->reader, source, s, tokens, n));
    return dgm_attention_reader_read(env, &parse->reader, watched(parse), parse->layer, weights);
}

dgm_status dgm_parse_head_run(struct dgm_env *env, struct dgm_parse_head *parse,
                              const struct dgm_packed *source, const struct dgm_packed *target,
                              int32_t s, int32_t *heads, double *prob)
{
    const struct dgm_packed *parsed = parse->side == DGM_SOURCE ? source : target;
    int32_t count = parsed->word_offsets[s + 1] - parsed->word_offsets[s], w;
    struct dgm_attention_weights weights;

    DGM_TRY(find_places(env, parse, parsed, s));
    DGM_TRY(look(env, parse, source, target, s, &weights));
    DGM_TRY(score_arcs(env, parse, &weights, count));
    DGM_TRY(check_scores(env, parse, s, count));
    if (parse->side == DGM_SOURCE)
        DGM_TRY(find_tree(env, parse, count, heads));
    else
        find_forest(parse, count, heads);
    for (w = 0; w < count && prob != NULL; w++)
        prob[w] =
            exp((double)parse->scores[((size_t)w + 1) * ((size_t)count + 1) + (size_t)heads[w]]);
    return DGM_OK;
}
