/*
 * shown_attention.c: which attention weights are wanted, and the line of JSON that shows them.
 *
 * The weights are those between pieces. Whoever shows them may turn them into weights between words
 * (syntax/tree/align.h has the rule). Heads of the tree count as CoNLL-U does: 0 is the root.
 */
#include "api/translate/shown_attention.h"

#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "model/decoder.h"
#include "text/bpe/word_counts.h"
#include "text/json_text.h"

/* ---- choice ------------------------------------------------------------------------------- */

static const char *const kind_names[DGM_ATTENTION_KINDS] = { "encoder", "decoder", "cross" };

/* Between the items of a list. */
#define BETWEEN " ,"

static dgm_status fail_text(struct dgm_env *env, const char *what, const char *text,
                            const char *expected)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, text, strlen(text));
    return dgm_fail(env, DGM_USAGE, "attention-%s: \"%s\"; expected %s", what, quoted, expected);
}

/* The next item of a list; 0 at its end. */
static int next_item(const char **at, const char **item, size_t *length)
{
    *item = *at + strspn(*at, BETWEEN);
    *length = strcspn(*item, BETWEEN);
    *at = *item + *length;
    return *length > 0;
}

static dgm_status choose_kinds(struct dgm_env *env, int chosen[DGM_ATTENTION_KINDS],
                               const char *kinds)
{
    const char *at = kinds, *item;
    size_t length;
    int kind, known = 0;

    while (next_item(&at, &item, &length)) {
        int all = length == 3 && memcmp(item, "all", 3) == 0;
        known = all;
        for (kind = 0; kind < DGM_ATTENTION_KINDS; kind++)
            if (all ||
                (strlen(kind_names[kind]) == length && memcmp(kind_names[kind], item, length) == 0))
                chosen[kind] = known = 1;
        if (!known)
            break;
    }
    return known ? DGM_OK : fail_text(env, "kinds", kinds, "encoder, decoder, cross or all");
}

/* "2" or "1-3", within first..last. */
static int read_range(const char *item, size_t length, int64_t first, int64_t last, int64_t *from,
                      int64_t *to)
{
    const char *dash = memchr(item, '-', length);
    size_t head = dash != NULL ? (size_t)(dash - item) : length;

    if (!dgm_number_int(from, item, head))
        return 0;
    *to = *from;
    if (dash != NULL && !dgm_number_int(to, dash + 1, length - head - 1))
        return 0;
    return first <= *from && *from <= *to && *to <= last;
}

/* set[i - first] for every i of "1-3 5"; 0 if the text is faulty. */
static int read_places(const char *text, int64_t first, int64_t last, unsigned char *set)
{
    const char *item;
    int64_t from, to;
    size_t length;
    int some = 0;

    while (next_item(&text, &item, &length)) {
        if (!read_range(item, length, first, last, &from, &to))
            return 0;
        memset(set + from - first, 1, (size_t)(to - from + 1));
        some = 1;
    }
    return some;
}

/* Refuses the choice if the network has none of these kinds of attention. */
static dgm_status check_kinds(struct dgm_env *env, const struct dgm_net *net,
                              const int chosen[DGM_ATTENTION_KINDS], const char *kinds)
{
    const struct dgm_encoder_kind *encoder = net->encoder;
    int kind, some = 0;

    for (kind = 0; kind < DGM_ATTENTION_KINDS; kind++)
        some |= chosen[kind] && dgm_attention_probe_layers(net, (enum dgm_attention_kind)kind) > 0;
    if (!some)
        return dgm_fail(env, DGM_USAGE,
                        "attention-kinds: \"%s\" of a model with --encoder %s "
                        "--decoder %s, which has no such attention; expected cross",
                        kinds, encoder->name, net->decoder->name);
    if (chosen[DGM_ATTENTION_CROSS] && encoder->positions != NULL &&
        encoder->positions(&net->config, 2) == 0)
        return dgm_fail(env, DGM_USAGE,
                        "attention-kinds: cross of a model that attends to "
                        "constituents alone, not to words");
    return DGM_OK;
}

static dgm_status choose_layers(struct dgm_env *env, struct dgm_shown_attention_choice *choice,
                                const int chosen[DGM_ATTENTION_KINDS], const struct dgm_net *net,
                                const char *layers)
{
    unsigned char set[DGM_MAX_LAYERS] = { 0 };
    int last = strcmp(layers, "last") == 0, all = strcmp(layers, "all") == 0, kind, depth, l;
    int deepest = 0;
    uint64_t found = 0;

    for (kind = 0; kind < DGM_ATTENTION_KINDS; kind++) {
        depth = dgm_attention_probe_layers(net, (enum dgm_attention_kind)kind);
        deepest = depth > deepest ? depth : deepest;
    }
    if (!last && !all && !read_places(layers, 1, deepest, set))
        return fail_text(env, "layers", layers, "last, all, or layers of the model: 1-3 5");
    for (kind = 0; kind < DGM_ATTENTION_KINDS; kind++) {
        depth = dgm_attention_probe_layers(net, (enum dgm_attention_kind)kind);
        for (l = 1; chosen[kind] && l <= depth; l++)
            if (all || (last && l == depth) || set[l - 1])
                choice->layers[kind] |= (uint64_t)1 << (l - 1);
        found |= choice->layers[kind];
    }
    return found != 0 ? DGM_OK : fail_text(env, "layers", layers, "layers of the chosen kinds");
}

/* How many heads the chosen attention has; of several kinds, the largest number. */
static int64_t most_heads(const struct dgm_shown_attention_choice *choice,
                          const struct dgm_net *net)
{
    int64_t most = 0, heads;
    int kind;

    for (kind = 0; kind < DGM_ATTENTION_KINDS; kind++) {
        heads = choice->layers[kind] != 0
                    ? dgm_attention_probe_heads(net, (enum dgm_attention_kind)kind)
                    : 0;
        most = heads > most ? heads : most;
    }
    return most;
}

/*
 * kinds: names with blanks or commas between, or "all"; layers: "last", "all" or "1-3 5"; heads:
 * "mean", "all" or "0-3 5". NULL: cross, last, mean. DGM_USAGE for what the model has not.
 */
static dgm_status choose(struct dgm_env *env, struct dgm_shown_attention_choice *choice,
                         const struct dgm_net *net, const char *kinds, const char *layers,
                         const char *heads)
{
    int chosen[DGM_ATTENTION_KINDS] = { 0 };
    int64_t most;

    memset(choice, 0, sizeof *choice);
    kinds = kinds != NULL ? kinds : "cross";
    DGM_TRY(choose_kinds(env, chosen, kinds));
    DGM_TRY(check_kinds(env, net, chosen, kinds));
    DGM_TRY(choose_layers(env, choice, chosen, net, layers != NULL ? layers : "last"));
    choice->mean = heads == NULL || strcmp(heads, "mean") == 0;
    if (choice->mean)
        return DGM_OK;
    most = most_heads(choice, net);
    if (strcmp(heads, "all") == 0)
        memset(choice->heads, 1, (size_t)most);
    else if (!read_places(heads, 0, most - 1, choice->heads))
        return fail_text(env, "heads", heads, "mean, all, or heads of the model, from 0: 0-3 5");
    return DGM_OK;
}

/* ---- JSON --------------------------------------------------------------------------------- */

/* A line being written. */
struct writing {
    struct dgm_env *env;
    struct dgm_shown_attention *view;
    const struct dgm_source_queue *queue;
    struct dgm_buf *out;
    const struct dgm_shown_part *parts; /* (count) of the line */
    size_t count;
    int64_t positions;                    /* of the source of a part */
    struct dgm_buf words, pieces, places; /* lists of a side, brackets aside */
    int32_t side_words;                   /* in the first of them */
    struct dgm_buf word;                  /* of the target */
    struct dgm_copying *copying;          /* or NULL */
    const struct dgm_copies *copies;      /* in the part at hand, or NULL */
    struct dgm_buf rows;                  /* of all blocks, each row ended by LF */
    struct block *blocks;                 /* (block_count) of the parts, one part after the other */
    size_t block_count, block_capacity;
    size_t records; /* blocks of a part that has any */
};

/* The weights of one head between the pieces of a part. */
struct block {
    enum dgm_attention_kind kind;
    int layer, head; /* head -1: the mean of all */
    int64_t rows, columns;
    size_t at; /* in the text of rows */
};

static dgm_status add_item(struct dgm_env *env, struct dgm_buf *list, const char *text,
                           size_t bytes)
{
    if (list->size > 0)
        DGM_TRY(dgm_buf_add_char(env, list, ','));
    return dgm_json_text_quote(env, list, text, bytes);
}

/* word: within its part; -1: none. */
static dgm_status add_place(struct writing *writing, int32_t word)
{
    struct dgm_buf *list = &writing->places;

    return dgm_buf_add_format(writing->env, list, "%s%d", list->size > 0 ? "," : "",
                              (int)(word < 0 ? word : writing->side_words + word));
}

static void begin_side(struct writing *writing)
{
    dgm_buf_reset(&writing->words);
    dgm_buf_reset(&writing->pieces);
    dgm_buf_reset(&writing->places);
    writing->side_words = 0;
}

/* `"name":{"words":[..],"pieces":[..],"word_of":[..]`, left open. */
static dgm_status add_side(struct writing *writing, const char *name)
{
    return dgm_buf_add_format(writing->env, writing->out,
                              ",\"%s\":{\"words\":[%s],\"pieces\":[%s],\"word_of\":[%s]", name,
                              writing->words.size > 0 ? writing->words.data : "",
                              writing->pieces.size > 0 ? writing->pieces.data : "",
                              writing->places.size > 0 ? writing->places.data : "");
}

/* ---- source ------------------------------------------------------------------------------- */

/* How many words have a piece: all, unless the line was longer than the model can read. The end
 * of the sentence and the marks of a multi-task model are no words. */
static int32_t count_words(const struct dgm_packed *source, int32_t s)
{
    int32_t last = source->offsets[s + 1] - 1;

    while (last >= source->offsets[s] && source->words[last] < 0)
        last--;
    return last >= source->offsets[s] ? source->words[last] + 1 : 0;
}

/* A line that was cut has lost part of its tree: no heads are shown. */
static int has_heads(const struct dgm_packed *source, int32_t s)
{
    const int32_t first = source->word_offsets[s], n = source->word_offsets[s + 1] - first;

    return source->heads != NULL && n > 0 && n == count_words(source, s) &&
           source->heads[first] >= 0;
}

static int all_have_heads(const struct writing *writing)
{
    for (size_t p = 0; p < writing->count; p++) {
        const int32_t s = writing->queue->lines[writing->parts[p].place].sentence;

        if (s < 0 || !has_heads(&writing->queue->packed, s))
            return 0;
    }
    return 1;
}

/* Of a part, behind `before` words of others. */
static dgm_status add_heads(struct writing *writing, int32_t s, int32_t before)
{
    const struct dgm_packed *source = &writing->queue->packed;
    int32_t first = source->word_offsets[s], n = source->word_offsets[s + 1] - first, w;

    for (w = 0; w < n; w++) {
        int32_t head = source->heads[first + w];
        DGM_TRY(dgm_buf_add_format(writing->env, writing->out, "%s%d",
                                   before + w > 0 ? "," : ",\"heads\":[",
                                   head == w ? 0 : (int)(before + head) + 1));
    }
    return DGM_OK;
}

static dgm_status add_all_heads(struct writing *writing)
{
    int32_t before = 0;

    if (!all_have_heads(writing))
        return DGM_OK;
    for (size_t p = 0; p < writing->count; p++) {
        const int32_t s = writing->queue->lines[writing->parts[p].place].sentence;

        DGM_TRY(add_heads(writing, s, before));
        before += count_words(&writing->queue->packed, s);
    }
    return dgm_buf_add_char(writing->env, writing->out, ']');
}

static dgm_status add_source_part(struct writing *writing, const struct dgm_queued *line)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(writing->view->pipeline, DGM_SOURCE);
    const struct dgm_packed *source = &writing->queue->packed;
    const char *text = writing->queue->words.data + line->text, *word;
    size_t at = 0, bytes;
    int32_t s = line->sentence, words = s >= 0 ? count_words(source, s) : 0, i;

    for (i = 0; i < words && dgm_word_counts_next(text, line->text_bytes, &at, &word, &bytes); i++)
        DGM_TRY(add_item(writing->env, &writing->words, word, bytes));
    for (i = s < 0 ? 0 : source->offsets[s]; s >= 0 && i < source->offsets[s + 1]; i++) {
        const char *piece = dgm_vocab_token(vocab, (uint32_t)source->ids[i], &bytes);
        DGM_TRY(add_item(writing->env, &writing->pieces, piece, bytes));
        DGM_TRY(add_place(writing, source->words[i]));
    }
    writing->side_words += words;
    return DGM_OK;
}

static dgm_status add_source(struct writing *writing)
{
    struct dgm_unknown unknown = { 0 };

    begin_side(writing);
    for (size_t p = 0; p < writing->count; p++) {
        const struct dgm_queued *line = &writing->queue->lines[writing->parts[p].place];

        DGM_TRY(add_source_part(writing, line));
        dgm_unknown_add(&unknown, line->unknown);
    }
    DGM_TRY(add_side(writing, "source"));
    DGM_TRY(dgm_buf_add_format(writing->env, writing->out, ",\"unknown\":%lld",
                               (long long)unknown.unknown));
    DGM_TRY(add_all_heads(writing));
    return dgm_buf_add_char(writing->env, writing->out, '}');
}

/* ---- target ------------------------------------------------------------------------------- */

/* Its tokens, and what stands in place of them as word number `word`. */
static dgm_status add_copy(struct writing *writing, const int32_t *tokens,
                           const struct dgm_copy *copy, int32_t word)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(writing->view->pipeline, DGM_TARGET);

    for (int32_t i = copy->first; i < copy->end; i++) {
        size_t bytes;
        const char *piece = dgm_vocab_token(vocab, (uint32_t)tokens[i], &bytes);

        DGM_TRY(add_item(writing->env, &writing->pieces, piece, bytes));
        DGM_TRY(add_place(writing, word));
    }
    return add_item(writing->env, &writing->words, writing->copies->text.data + copy->at,
                    copy->bytes);
}

/* has_first: the first token is given, and no word. */
static dgm_status add_target_part(struct writing *writing, const int32_t *tokens, int32_t n,
                                  int has_first)
{
    struct dgm_env *env = writing->env;
    const struct dgm_pipeline *pipeline = writing->view->pipeline;
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(pipeline, DGM_TARGET);
    struct dgm_buf *word = &writing->word;
    int32_t words = 0, i;
    size_t next = 0;

    dgm_buf_reset(word);
    for (i = 0; i < n; i++) {
        const struct dgm_copy *copy = dgm_copies_at(writing->copies, i, &next);
        size_t bytes, bare;
        const char *piece = dgm_vocab_token(vocab, (uint32_t)tokens[i], &bytes);
        int is_end = tokens[i] == DGM_VOCAB_EOS; /* a search may stop without it */
        int is_tag = i == 0 && has_first;

        if (copy != NULL) {
            DGM_TRY(add_copy(writing, tokens, copy, words++));
            i = copy->end - 1;
            continue;
        }
        DGM_TRY(add_item(env, &writing->pieces, piece, bytes));
        DGM_TRY(add_place(writing, is_end || is_tag ? -1 : words));
        if (is_tag)
            continue;
        if (is_end)
            break;
        bare = dgm_pipeline_bare(pipeline, piece, bytes);
        DGM_TRY(dgm_buf_add(env, word, piece, bare));
        if (bare < bytes && i + 1 < n && tokens[i + 1] != DGM_VOCAB_EOS)
            continue;
        DGM_TRY(add_item(env, &writing->words, word->data, word->size));
        dgm_buf_reset(word);
        words++;
    }
    writing->side_words += words;
    return DGM_OK;
}

static dgm_status add_target(struct writing *writing)
{
    begin_side(writing);
    for (size_t p = 0; p < writing->count; p++) {
        const struct dgm_shown_part *part = &writing->parts[p];
        const int32_t s = writing->queue->lines[part->place].sentence;

        DGM_TRY(dgm_copying_look(writing->env, writing->copying, part->place, part->tokens, part->n,
                                 &writing->copies));
        DGM_TRY(add_target_part(writing, part->tokens, part->n,
                                s >= 0 && dgm_packed_has_first(&writing->queue->packed, s)));
    }
    DGM_TRY(add_side(writing, "target"));
    return dgm_buf_add_char(writing->env, writing->out, '}');
}

/* ---- weights ------------------------------------------------------------------------------ */

/* The weight of one head; head -1: the mean of all heads. */
static double weight(const struct dgm_attention_weights *weights, int head, int64_t i, int64_t j)
{
    const dgm_real *at = weights->values + i * weights->ld + j;
    double sum = 0;
    int64_t h;

    if (head >= 0)
        return (double)at[head * weights->step];
    for (h = 0; h < weights->heads; h++)
        sum += (double)at[h * weights->step];
    return sum / (double)weights->heads;
}

/* Some models read a source without its end: the column of the end is 0 then. */
static dgm_status add_rows(struct writing *writing, const struct dgm_attention_weights *weights,
                           int64_t columns, int head)
{
    struct dgm_env *env = writing->env;
    int64_t i, j;

    for (i = 0; i < weights->rows; i++) {
        for (j = 0; j < columns; j++) {
            if (j > 0)
                DGM_TRY(dgm_buf_add_char(env, &writing->rows, ','));
            DGM_TRY(dgm_buf_add_real(env, &writing->rows,
                                     j < weights->columns ? weight(weights, head, i, j) : 0, 6));
        }
        DGM_TRY(dgm_buf_add_char(env, &writing->rows, '\n'));
    }
    return DGM_OK;
}

/* The weights of one head; head -1: the mean of all heads. */
static dgm_status add_block(struct writing *writing, const struct dgm_attention_weights *weights,
                            enum dgm_attention_kind kind, int layer, int head)
{
    const int64_t columns = kind == DGM_ATTENTION_CROSS ? writing->positions : weights->columns;

    DGM_TRY(dgm_grow(writing->env, &writing->blocks, &writing->block_capacity, writing->block_count,
                     sizeof *writing->blocks));
    writing->blocks[writing->block_count++] =
        (struct block){ kind, layer, head, weights->rows, columns, writing->rows.size };
    return add_rows(writing, weights, columns, head);
}

static dgm_status add_layer(struct writing *writing, enum dgm_attention_kind kind, int layer)
{
    struct dgm_shown_attention *view = writing->view;
    struct dgm_attention_weights weights;
    int64_t h;

    DGM_TRY(dgm_attention_reader_read(writing->env, &view->reader, kind, layer, &weights));
    if (weights.values == NULL)
        return DGM_OK;
    if (view->choice.mean)
        return add_block(writing, &weights, kind, layer, -1);
    for (h = 0; h < weights.heads; h++)
        if (view->choice.heads[h])
            DGM_TRY(add_block(writing, &weights, kind, layer, (int)h));
    return DGM_OK;
}

/* A part without a translation of tokens has no blocks. */
static dgm_status add_blocks(struct writing *writing, const struct dgm_shown_part *part)
{
    const int32_t s = writing->queue->lines[part->place].sentence;
    const size_t before = writing->block_count;
    int kind, layer;

    if (s < 0 || part->n == 0)
        return DGM_OK;
    writing->positions = dgm_packed_length(&writing->queue->packed, s);
    DGM_TRY(dgm_attention_reader_look(writing->env, &writing->view->reader, &writing->queue->packed,
                                      s, part->tokens, part->n));
    for (kind = 0; kind < DGM_ATTENTION_KINDS; kind++)
        for (layer = 1; layer <= DGM_MAX_LAYERS; layer++)
            DGM_TRY(add_layer(writing, (enum dgm_attention_kind)kind, layer));
    writing->records = writing->block_count - before;
    return DGM_OK;
}

/* ---- matrices of a line ---------------------------------------------------------------------- */

/* Block r of part p, `next` being the first of that part; a part without any has pieces of the
 * source alone. */
static struct block block_of(const struct writing *writing, size_t p, size_t r, size_t *next)
{
    const struct dgm_shown_part *part = &writing->parts[p];
    const int32_t s = writing->queue->lines[part->place].sentence;
    struct block block = writing->blocks[r];

    if (s >= 0 && part->n > 0) {
        block = writing->blocks[*next + r];
        *next += writing->records;
        return block;
    }
    block.rows = 0;
    block.columns = s >= 0 && block.kind != DGM_ATTENTION_DECODER
                        ? dgm_packed_length(&writing->queue->packed, s)
                        : 0;
    return block;
}

static dgm_status add_zeros(struct writing *writing, int64_t count, int comma_first)
{
    for (int64_t i = 0; i < count; i++)
        DGM_TRY(dgm_buf_add_text(writing->env, writing->out, comma_first ? ",0" : "0,"));
    return DGM_OK;
}

/* The rows of a block, zeros on either side of them. */
static dgm_status put_rows(struct writing *writing, const struct block *block, int64_t left,
                           int64_t right, int *is_first)
{
    struct dgm_env *env = writing->env;
    const char *row = writing->rows.data + block->at;

    for (int64_t i = 0; i < block->rows; i++, *is_first = 0) {
        const size_t length = strcspn(row, "\n");

        DGM_TRY(dgm_buf_add_text(env, writing->out, *is_first ? "[" : ",["));
        DGM_TRY(add_zeros(writing, left, 0));
        DGM_TRY(dgm_buf_add(env, writing->out, row, length));
        DGM_TRY(add_zeros(writing, right, 1));
        DGM_TRY(dgm_buf_add_char(env, writing->out, ']'));
        row += length + 1;
    }
    return DGM_OK;
}

static int64_t all_columns(const struct writing *writing, size_t r)
{
    int64_t columns = 0;
    size_t next = 0;

    for (size_t p = 0; p < writing->count; p++)
        columns += block_of(writing, p, r, &next).columns;
    return columns;
}

/* Record r as JSON: the blocks of the parts along its diagonal. */
static dgm_status put_record(struct writing *writing, size_t r)
{
    const struct block *head = &writing->blocks[r];
    const int64_t columns = all_columns(writing, r);
    struct dgm_env *env = writing->env;
    int64_t left = 0;
    size_t next = 0;
    int is_first = 1;

    DGM_TRY(dgm_buf_add_format(env, writing->out, "%s{\"kind\":\"%s\",\"layer\":%d,",
                               r > 0 ? "," : "", kind_names[head->kind], head->layer));
    if (head->head < 0)
        DGM_TRY(dgm_buf_add_text(env, writing->out, "\"head\":\"mean\",\"weights\":["));
    else
        DGM_TRY(dgm_buf_add_format(env, writing->out, "\"head\":%d,\"weights\":[", head->head));
    for (size_t p = 0; p < writing->count; p++) {
        const struct block block = block_of(writing, p, r, &next);

        DGM_TRY(put_rows(writing, &block, left, columns - left - block.columns, &is_first));
        left += block.columns;
    }
    return dgm_buf_add_text(env, writing->out, "]}");
}

static dgm_status add_weights(struct writing *writing)
{
    DGM_TRY(dgm_buf_add_text(writing->env, writing->out, ",\"attention\":["));
    for (size_t p = 0; p < writing->count; p++)
        DGM_TRY(add_blocks(writing, &writing->parts[p]));
    for (size_t r = 0; r < writing->records; r++)
        DGM_TRY(put_record(writing, r));
    return dgm_buf_add_text(writing->env, writing->out, "]}");
}

/* ---- a line ------------------------------------------------------------------------------- */

static dgm_status write_line(struct writing *writing)
{
    const struct dgm_queued *queued = &writing->queue->lines[writing->parts[0].place];

    dgm_buf_reset(writing->out);
    DGM_TRY(dgm_buf_add_format(writing->env, writing->out, "{\"line\":%ld", queued->number));
    DGM_TRY(add_source(writing));
    DGM_TRY(add_target(writing));
    return add_weights(writing);
}

dgm_status dgm_shown_attention_write(struct dgm_env *env, struct dgm_shown_attention *view,
                                     const struct dgm_source_queue *queue,
                                     const struct dgm_shown_part *parts, size_t count,
                                     struct dgm_copying *copying)
{
    struct writing writing = { .env = env,
                               .view = view,
                               .queue = queue,
                               .out = &view->json,
                               .parts = parts,
                               .count = count,
                               .copying = copying };
    dgm_status status;

    status = write_line(&writing);
    dgm_buf_clear(env, &writing.words);
    dgm_buf_clear(env, &writing.pieces);
    dgm_buf_clear(env, &writing.places);
    dgm_buf_clear(env, &writing.word);
    dgm_buf_clear(env, &writing.rows);
    dgm_release(env, writing.blocks);
    return status;
}

dgm_status dgm_shown_attention_open(struct dgm_env *env, struct dgm_shown_attention *view,
                                    const struct dgm_ensemble *ensemble, struct dgm_device *device,
                                    const char *kinds, const char *layers, const char *heads)
{
    const struct dgm_net *net = ensemble->nets[0];

    if (ensemble->count > 1)
        return dgm_fail(env, DGM_USAGE, "attention of %d models; expected one", ensemble->count);
    view->pipeline = &ensemble->models[0].pipeline;
    DGM_TRY(choose(env, &view->choice, net, kinds, layers, heads));
    DGM_TRY(dgm_attention_reader_init(env, &view->reader, net, device));
    memcpy(view->reader.watch.layers, view->choice.layers, sizeof view->choice.layers);
    return DGM_OK;
}

void dgm_shown_attention_clear(struct dgm_env *env, struct dgm_shown_attention *view)
{
    dgm_attention_reader_clear(env, &view->reader);
    dgm_buf_clear(env, &view->json);
}
