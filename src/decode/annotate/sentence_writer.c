/* sentence_writer.c: a parsed sentence as CoNLL-U, or as a line of values for each piece. */
#include "decode/annotate/sentence_writer.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "data/tree/characters.h"
#include "decode/annotate/columns.h"
#include "decode/annotate/sentence_over.h"
#include "decode/annotate/sentence_parser.h"
#include "syntax/conllu/comment.h"
#include "syntax/conllu/surface.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* ---- results of one word ------------------------------------------------------------------ */

/* The tag that CoNLL-U gives, or ours. A tag with a blank inside would be two in a line of tags. */
static const char *tag_of(const struct dgm_sentence_writer *writer,
                          const struct dgm_sentence_item *item, int32_t w)
{
    if (writer->input == DGM_SENTENCE_CONLLU && !writer->retag && strcmp(item->tags[w], "_") != 0 &&
        (writer->wants_conllu || strpbrk(item->tags[w], " ") == NULL))
        return item->tags[w];
    return dgm_sentence_parser_tag(writer->parser, item->number, w);
}

/* ---- CoNLL-U ------------------------------------------------------------------------------ */

static int writes(const struct dgm_sentence_writer *writer, enum dgm_conllu_column column)
{
    return (writer->columns & 1u << column) != 0;
}

/* What CoNLL-U gives in MISC, without probabilities of heads that are no more. */
static dgm_status add_given_misc(struct dgm_sentence_writer *writer, const char *misc, int *count)
{
    static const char prob[] = "Prob=";

    for (const char *stop; *misc != '\0'; misc = stop + (*stop == '|')) {
        stop = misc + strcspn(misc, "|");
        if (writes(writer, DGM_CONLLU_HEAD) && strncmp(misc, prob, sizeof prob - 1) == 0)
            continue;
        if ((*count)++ > 0)
            DGM_TRY(dgm_buf_add_char(writer->env, &writer->out, '|'));
        DGM_TRY(dgm_buf_add(writer->env, &writer->out, misc, (size_t)(stop - misc)));
    }
    return DGM_OK;
}

/* Writes ten columns. A probability, if it was asked for, goes behind what stands in MISC. */
static dgm_status add_row(struct dgm_sentence_writer *writer, const struct dgm_sentence_item *item,
                          int32_t w, const char *const columns[DGM_CONLLU_COLUMNS])
{
    struct dgm_env *env = writer->env;
    struct dgm_buf *out = &writer->out;
    const char *misc = columns[DGM_CONLLU_MISC];
    int fields = 0;

    for (int c = 0; c < DGM_CONLLU_MISC; c++) {
        DGM_TRY(dgm_buf_add_text(env, out, columns[c] != NULL ? columns[c] : "_"));
        DGM_TRY(dgm_buf_add_char(env, out, '\t'));
    }
    if (misc != NULL && strcmp(misc, "_") != 0)
        DGM_TRY(add_given_misc(writer, misc, &fields));
    if (item->number >= 0 && writer->parser->options.prob != DGM_PROB_NONE) {
        DGM_TRY(dgm_buf_add_text(env, out, fields++ > 0 ? "|Prob=" : "Prob="));
        DGM_TRY(dgm_buf_add_real(env, out,
                                 dgm_sentence_parser_prob(writer->parser, item->number, w), 4));
    }
    return dgm_buf_add_text(env, out, fields > 0 ? "\n" : "_\n");
}

/* Room for what is made for a row. */
struct row_room {
    char head[16], lemma[DGM_LEMMA_BYTES];
};

/* Whether CoNLL-U gives what stands in a column of word w, and we leave it. */
static int is_kept(const struct dgm_sentence_writer *writer, const struct dgm_sentence_item *item,
                   const char *const columns[DGM_CONLLU_COLUMNS], enum dgm_conllu_column column)
{
    if (writer->input != DGM_SENTENCE_CONLLU || writer->retag)
        return 0;
    if (column == DGM_CONLLU_FEATS)
        return item->has_feats;
    return !dgm_columns_is_open(columns[DGM_CONLLU_FORM], columns[column], column);
}

/* Sets XPOS, FEATS and LEMMA of a word. */
static void fill_morphs(const struct dgm_sentence_writer *writer,
                        const struct dgm_sentence_item *item, int32_t w,
                        const char *columns[DGM_CONLLU_COLUMNS], struct row_room *room)
{
    for (int m = 0; m < DGM_MORPHS; m++) {
        enum dgm_conllu_column column = dgm_morph_columns[m];

        if (writes(writer, column) && !is_kept(writer, item, columns, column))
            columns[column] =
                dgm_sentence_parser_morph(writer->parser, (enum dgm_morph)m, item->number, w,
                                          columns[DGM_CONLLU_FORM], room->lemma);
    }
}

/* Empties the columns of a word whose sentence is longer than the parser reads: what CoNLL-U gives
 * there would pass for the parser's. */
static void empty_row(const struct dgm_sentence_writer *writer,
                      const struct dgm_sentence_item *item, const char *columns[DGM_CONLLU_COLUMNS])
{
    for (int c = 0; c < DGM_CONLLU_MISC; c++) {
        const enum dgm_conllu_column column = (enum dgm_conllu_column)c;
        const int is_of_tree = (DGM_COLUMNS_OF_TREE & 1u << c) != 0;

        if (writes(writer, column) && (is_of_tree || !is_kept(writer, item, columns, column)))
            columns[c] = "_";
    }
}

/* Sets the columns of a word; its FORM is there. */
static void fill_row(const struct dgm_sentence_writer *writer, const struct dgm_sentence_item *item,
                     int32_t w, const char *columns[DGM_CONLLU_COLUMNS], struct row_room *room)
{
    if (item->number < 0) {
        empty_row(writer, item, columns);
        return;
    }
    snprintf(room->head, sizeof room->head, "%d",
             (int)dgm_sentence_parser_head(writer->parser, item->number, w));
    if (writes(writer, DGM_CONLLU_HEAD))
        columns[DGM_CONLLU_HEAD] = room->head;
    if (writes(writer, DGM_CONLLU_DEPREL))
        columns[DGM_CONLLU_DEPREL] = dgm_sentence_parser_label(writer->parser, item->number, w);
    if (writes(writer, DGM_CONLLU_UPOS))
        columns[DGM_CONLLU_UPOS] = tag_of(writer, item, w);
    fill_morphs(writer, item, w, columns, room);
}

/* `# sent_id`: of the place in the input, so that whoever parses a part of it writes the same. */
static dgm_status write_id(struct dgm_sentence_writer *writer, const struct dgm_sentence_item *item)
{
    struct dgm_env *env = writer->env;

    DGM_TRY(dgm_buf_add_format(env, &writer->out, "# sent_id = %s%ld",
                               writer->id_prefix != NULL ? writer->id_prefix : "", item->id));
    if (item->part > 0)
        DGM_TRY(dgm_buf_add_format(env, &writer->out, ".%d", item->part));
    return dgm_buf_add_char(env, &writer->out, '\n');
}

/* `# text`, from what the tokens say of it: any white space between two is one blank. */
static dgm_status write_surface(struct dgm_sentence_writer *writer,
                                const struct dgm_conllu_sentence *sentence)
{
    struct dgm_env *env = writer->env;
    struct dgm_buf *out = &writer->out;
    struct dgm_surface_token token;
    size_t at = 0, end = 0;

    DGM_TRY(dgm_buf_add_text(env, out, "# text = "));
    while (dgm_surface_next(sentence, &at, &token)) {
        if (end > 0 && end < out->size) {
            out->size = end;
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
        }
        DGM_TRY(
            dgm_buf_add_text(env, out, dgm_conllu_row_text(sentence, token.row, DGM_CONLLU_FORM)));
        end = out->size;
        DGM_TRY(dgm_surface_add_space(env, out, sentence, &token));
    }
    if (end > 0)
        out->size = end;
    return dgm_buf_add_char(env, out, '\n');
}

/* Comments that came stay, and those that UD wants of each sentence are added. */
static dgm_status write_comments(struct dgm_sentence_writer *writer,
                                 const struct dgm_sentence_item *item, int keeps_numbers)
{
    const struct dgm_conllu_sentence *sentence = &item->sentence;

    if (dgm_conllu_comment(sentence, "sent_id") == NULL)
        DGM_TRY(write_id(writer, item));
    for (size_t i = 0; i < sentence->comment_count; i++)
        DGM_TRY(dgm_buf_add_format(writer->env, &writer->out, "%s\n",
                                   sentence->bytes.data + sentence->comments[i]));
    if (keeps_numbers && dgm_conllu_comment(sentence, "text") == NULL)
        DGM_TRY(write_surface(writer, sentence));
    return DGM_OK;
}

/* Whether words are numbered 1, 2, .., and ranges are of such numbers: else the reader has told,
 * and heads would point to words that are not there. */
static int is_numbered(const struct dgm_conllu_sentence *sentence)
{
    int32_t word = 0;
    char id[16];

    for (size_t r = 0; r < sentence->row_count; r++) {
        const struct dgm_conllu_row *row = &sentence->rows[r];

        if (row->kind == DGM_CONLLU_WORD) {
            snprintf(id, sizeof id, "%d", (int)++word);
            if (strcmp(sentence->bytes.data + row->field[DGM_CONLLU_ID], id) != 0)
                return 0;
        }
        if (row->kind == DGM_CONLLU_RANGE &&
            (row->first != word + 1 || row->last > sentence->tree.count))
            return 0;
    }
    return 1;
}

/* A sentence that came as CoNLL-U keeps all that is not parsed anew, except DEPS, which would
 * contradict the new tree, and the empty nodes, which are of the graph of DEPS. Words with wrong
 * numbers get right ones, and are all that is kept. */
static dgm_status write_again(struct dgm_sentence_writer *writer,
                              const struct dgm_sentence_item *item)
{
    const struct dgm_conllu_sentence *sentence = &item->sentence;
    struct dgm_env *env = writer->env;
    const char *columns[DGM_CONLLU_COLUMNS];
    const int keeps_numbers = is_numbered(sentence);
    const int drops_graph = (writer->columns & DGM_COLUMNS_OF_TREE) != 0;
    struct row_room room;
    char id[16];
    int32_t w = 0;

    DGM_TRY(write_comments(writer, item, keeps_numbers));
    for (size_t r = 0; r < sentence->row_count; r++) {
        const struct dgm_conllu_row *row = &sentence->rows[r];
        int is_word = row->kind == DGM_CONLLU_WORD;

        for (int c = 0; c < DGM_CONLLU_COLUMNS; c++)
            columns[c] = sentence->bytes.data + row->field[c];
        if (!keeps_numbers) {
            snprintf(id, sizeof id, "%d", (int)w + 1);
            columns[DGM_CONLLU_ID] = id;
        }
        if (is_word) {
            if (drops_graph)
                columns[DGM_CONLLU_DEPS] = "_";
            fill_row(writer, item, w, columns, &room);
            DGM_TRY(add_row(writer, item, w++, columns));
            continue;
        }
        if (row->kind == DGM_CONLLU_EMPTY && drops_graph)
            continue;
        for (int c = 0; c < DGM_CONLLU_COLUMNS && keeps_numbers; c++)
            DGM_TRY(dgm_buf_add_format(env, &writer->out, "%s%c", columns[c],
                                       c + 1 < DGM_CONLLU_COLUMNS ? '\t' : '\n'));
    }
    return dgm_buf_add_char(env, &writer->out, '\n');
}

/* Bytes of the white space at a place; 0: none. The tokeniser cuts control characters out like
 * it. */
static size_t blank_at(const struct dgm_buf *line, size_t at)
{
    uint32_t code;
    size_t bytes;

    if (at >= line->size)
        return 0;
    bytes = dgm_utf8_decode(&code, line->data + at, line->size - at);
    return code < 0x20 || dgm_unicode_is_blank(code) ? bytes : 0;
}

/* Finds the token at *at or behind the blanks there, and moves *at behind it: whether the text
 * goes on without a blank. */
static int is_glued(const struct dgm_buf *line, const char *token, size_t *at)
{
    size_t length = strlen(token), blank;

    while ((blank = blank_at(line, *at)) > 0)
        *at += blank;
    if (*at + length > line->size || memcmp(line->data + *at, token, length) != 0) {
        *at = line->size; /* the tokeniser has changed the text: nothing more is known */
        return 0;
    }
    *at += length;
    return *at < line->size && blank_at(line, *at) == 0;
}

/* The row of a word that came as text; misc: or NULL. */
static dgm_status write_word(struct dgm_sentence_writer *writer,
                             const struct dgm_sentence_item *item, int32_t w, const char *misc)
{
    const char *columns[DGM_CONLLU_COLUMNS] = { NULL };
    struct row_room room;
    char id[16];

    snprintf(id, sizeof id, "%d", (int)w + 1);
    columns[DGM_CONLLU_ID] = id;
    columns[DGM_CONLLU_FORM] = item->forms[w];
    columns[DGM_CONLLU_MISC] = misc;
    fill_row(writer, item, w, columns, &room);
    return add_row(writer, item, w, columns);
}

static dgm_status write_text(struct dgm_sentence_writer *writer,
                             const struct dgm_sentence_item *item)
{
    size_t at = 0;

    DGM_TRY(write_id(writer, item));
    DGM_TRY(dgm_buf_add_format(writer->env, &writer->out, "# text = %s\n", item->line.data));
    for (int32_t w = 0; w < item->count; w++) {
        int glued = writer->input == DGM_SENTENCE_RAW && is_glued(&item->line, item->forms[w], &at);

        DGM_TRY(write_word(writer, item, w, glued ? "SpaceAfter=No" : NULL));
    }
    return dgm_buf_add_char(writer->env, &writer->out, '\n');
}

/* ---- text that the parser has cut ------------------------------------------------------------ */

/* Token t of an item in its text: white space up to byte `next` follows it. */
struct place {
    const struct dgm_sentence_token *token;
    size_t next;
    int64_t characters; /* before it in the whole text */
    int is_first;
};

/* Begins the next field of MISC. */
static dgm_status open_field(struct dgm_env *env, struct dgm_buf *misc, const char *name)
{
    if (misc->size > 0)
        DGM_TRY(dgm_buf_add_char(env, misc, '|'));
    return dgm_buf_add_text(env, misc, name);
}

static dgm_status add_spaces(struct dgm_env *env, struct dgm_buf *misc, const char *name,
                             const char *text, size_t bytes)
{
    DGM_TRY(open_field(env, misc, name));
    return dgm_surface_escape(env, misc, text, bytes);
}

/* What MISC says of the white space around and inside a token, as UDPipe does. */
static dgm_status add_misc(struct dgm_sentence_writer *writer, const struct dgm_sentence_item *item,
                           const struct place *place, struct dgm_buf *misc)
{
    struct dgm_env *env = writer->env;
    const struct dgm_sentence_token *token = place->token;
    const char *text = item->line.data, *form = item->tokens.data + token->form;
    size_t bytes = token->end - token->start, after = place->next - token->end;

    if (place->is_first && token->start > 0)
        DGM_TRY(add_spaces(env, misc, "SpacesBefore=", text, token->start));
    if (after == 0)
        DGM_TRY(open_field(env, misc, "SpaceAfter=No"));
    else if (after > 1 || text[token->end] != ' ')
        DGM_TRY(add_spaces(env, misc, "SpacesAfter=", text + token->end, after));
    if (strlen(form) != bytes || memcmp(form, text + token->start, bytes) != 0)
        DGM_TRY(add_spaces(env, misc, "SpacesInToken=", text + token->start, bytes));
    if (!writer->ranges)
        return DGM_OK;
    DGM_TRY(open_field(env, misc, "TokenRange="));
    return dgm_buf_add_format(env, misc, "%lld:%lld", (long long)place->characters,
                              (long long)place->characters +
                                  (long long)dgm_utf8_length(text + token->start, bytes));
}

/* The sentence in one line, with one blank for white space between tokens. */
static dgm_status write_comment(struct dgm_sentence_writer *writer,
                                const struct dgm_sentence_item *item)
{
    struct dgm_env *env = writer->env;

    if (item->begins_paragraph)
        DGM_TRY(dgm_buf_add_text(env, &writer->out, "# newpar\n"));
    DGM_TRY(write_id(writer, item));
    DGM_TRY(dgm_buf_add_text(env, &writer->out, "# text = "));
    for (size_t t = 0; t < item->cut_count; t++) {
        if (t > 0 && item->cuts[t].start > item->cuts[t - 1].end)
            DGM_TRY(dgm_buf_add_char(env, &writer->out, ' '));
        DGM_TRY(dgm_buf_add_text(env, &writer->out, item->tokens.data + item->cuts[t].form));
    }
    return dgm_buf_add_char(env, &writer->out, '\n');
}

static dgm_status write_range(struct dgm_sentence_writer *writer,
                              const struct dgm_sentence_item *item,
                              const struct dgm_sentence_token *token, int32_t w, const char *misc)
{
    return dgm_buf_add_format(writer->env, &writer->out, "%d-%d\t%s\t_\t_\t_\t_\t_\t_\t_\t%s\n",
                              (int)w + 1, (int)(w + token->words), item->tokens.data + token->form,
                              misc);
}

/* The rows of a token, whose first word is w. MISC stands with the range, where there is one. */
static dgm_status write_token(struct dgm_sentence_writer *writer,
                              const struct dgm_sentence_item *item, const struct place *place,
                              int32_t w)
{
    const struct dgm_sentence_token *token = place->token;
    struct dgm_buf *misc = &writer->misc;

    dgm_buf_reset(misc);
    DGM_TRY(add_misc(writer, item, place, misc));
    if (misc->size == 0)
        DGM_TRY(dgm_buf_add_char(writer->env, misc, '_'));
    if (token->words > 1)
        DGM_TRY(write_range(writer, item, token, w, misc->data));
    for (int32_t end = w + token->words; w < end; w++)
        DGM_TRY(write_word(writer, item, w, token->words > 1 ? NULL : misc->data));
    return DGM_OK;
}

static dgm_status write_cut(struct dgm_sentence_writer *writer,
                            const struct dgm_sentence_item *item)
{
    struct place place = { .characters = item->characters, .is_first = 1 };
    const char *text = item->line.data;
    size_t at = 0;
    int32_t w = 0;

    DGM_TRY(write_comment(writer, item));
    for (size_t t = 0; t < item->cut_count; t++) {
        place.token = &item->cuts[t];
        place.next = t + 1 < item->cut_count ? item->cuts[t + 1].start : item->line.size;
        place.characters += (int64_t)dgm_utf8_length(text + at, place.token->start - at);
        DGM_TRY(write_token(writer, item, &place, w));
        at = place.token->start;
        w += place.token->words;
        place.is_first = 0;
    }
    return dgm_buf_add_char(writer->env, &writer->out, '\n');
}

/* ---- values for each piece ---------------------------------------------------------------- */

static dgm_status reserve_names(struct dgm_sentence_writer *writer, int which, size_t count)
{
    return dgm_reserve(writer->env, &writer->names[which], &writer->name_capacity[which], count,
                       sizeof **writer->names);
}

/* Cuts what stands between two blanks, each piece ended by NUL; *count grows by their number. */
static dgm_status cut_token(struct dgm_sentence_writer *writer, const char *token, size_t length,
                            int32_t *count)
{
    struct dgm_env *env = writer->env;
    struct dgm_buf *text = &writer->piece_text;
    uint32_t whole = (uint32_t)length;
    const uint32_t *ends = &whole;
    size_t pieces = 1, start = 0;

    if (writer->has_codes)
        DGM_TRY(dgm_bpe_apply_word(env, &writer->bpe, &ends, &pieces, token, length));
    for (size_t i = 0; i < pieces; start = ends[i++]) {
        DGM_TRY(dgm_buf_add(env, text, token + start, ends[i] - start));
        if (i + 1 < pieces)
            DGM_TRY(dgm_buf_add_text(env, text, writer->separator));
        DGM_TRY(dgm_buf_add_char(env, text, '\0'));
    }
    *count += (int32_t)pieces;
    return DGM_OK;
}

/*
 * Cuts the words; writer->counts tells how many pieces each has, names[2] the pieces. A word
 * with blanks inside, which CoNLL-U may hold, is several tokens, as in syntax/tree/forms.h.
 */
static dgm_status cut_words(struct dgm_sentence_writer *writer, const char *const *forms,
                            int32_t words, size_t *pieces)
{
    struct dgm_env *env = writer->env;
    struct dgm_buf *text = &writer->piece_text;
    size_t at = 0;

    *pieces = 0;
    dgm_buf_reset(text);
    DGM_TRY(dgm_reserve(env, &writer->counts, &writer->count_capacity, (size_t)words,
                        sizeof *writer->counts));
    for (int32_t w = 0; w < words; w++) {
        const char *token = forms[w];
        int32_t count = 0;

        for (size_t length; *(token += strspn(token, " ")) != '\0'; token += length) {
            length = strcspn(token, " ");
            DGM_TRY(cut_token(writer, token, length, &count));
        }
        if (count == 0) /* nothing but blanks */
            DGM_TRY(cut_token(writer, "_", 1, &count));
        writer->counts[w] = count;
        *pieces += (size_t)count;
    }
    DGM_TRY(reserve_names(writer, 2, *pieces));
    for (size_t i = 0; i < *pieces; i++, at += strlen(text->data + at) + 1)
        writer->names[2][i] = text->data + at;
    return DGM_OK;
}

/* Heads as struct dgm_tree counts them: from 0, a root is its own. */
static dgm_status take_tree(struct dgm_sentence_writer *writer,
                            const struct dgm_sentence_item *item, struct dgm_tree *tree)
{
    struct dgm_env *env = writer->env;

    DGM_TRY(dgm_reserve(env, &writer->heads, &writer->head_capacity, (size_t)item->count,
                        sizeof *writer->heads));
    DGM_TRY(reserve_names(writer, 0, (size_t)item->count));
    DGM_TRY(reserve_names(writer, 1, (size_t)item->count));
    for (int32_t w = 0; w < item->count; w++) {
        int32_t head = dgm_sentence_parser_head(writer->parser, item->number, w);

        writer->heads[w] = head == 0 ? w : head - 1;
        writer->names[0][w] = tag_of(writer, item, w);
        writer->names[1][w] = dgm_sentence_parser_label(writer->parser, item->number, w);
    }
    return dgm_tree_init(env, tree, writer->heads, item->count);
}

static dgm_status write_values(struct dgm_sentence_writer *writer,
                               const struct dgm_sentence_item *item)
{
    struct dgm_env *env = writer->env;
    const char *const *forms = item->forms, **const *names = writer->names;
    struct dgm_annotated sentence = { 0 };
    dgm_status status;
    size_t pieces;

    if (item->number < 0)
        return dgm_buf_add_char(env, &writer->out, '\n');
    DGM_TRY_OUT(take_tree(writer, item, &sentence.tree));
    if (writer->over.tokens != DGM_TOKENS_OWN && item->is_cut) {
        DGM_TRY_OUT(dgm_sentence_over_lay(writer, item, &sentence.tree));
        forms = writer->over.forms;
        names = writer->over.names;
        dgm_tree_clear(env, &sentence.tree);
        DGM_TRY_OUT(
            dgm_tree_init(env, &sentence.tree, writer->over.overlay.head, writer->over.count));
    }
    if (sentence.tree.count == 0 || sentence.tree.head[0] < 0)
        goto end;
    DGM_TRY_OUT(cut_words(writer, forms, sentence.tree.count, &pieces));
    DGM_TRY_OUT(dgm_align_init(env, &sentence.align, writer->counts, sentence.tree.count));
    sentence.tags = names[0];
    sentence.labels = names[1];
    sentence.pieces = writer->names[2];
    sentence.chain = writer->chain;
    DGM_TRY_OUT(dgm_annotation_add(env, &writer->out, writer->kind, &sentence));
end:
    status = dgm_buf_add_char(env, &writer->out, '\n');
out:
    dgm_align_clear(env, &sentence.align);
    dgm_tree_clear(env, &sentence.tree);
    return status;
}

dgm_status dgm_sentence_writer_add(struct dgm_sentence_writer *writer,
                                   const struct dgm_sentence_item *item)
{
    if (!writer->wants_conllu)
        return write_values(writer, item);
    if (item->is_cut)
        return write_cut(writer, item);
    return writer->input == DGM_SENTENCE_CONLLU ? write_again(writer, item)
                                                : write_text(writer, item);
}

void dgm_sentence_writer_clear(struct dgm_env *env, struct dgm_sentence_writer *writer)
{
    dgm_bpe_clear(env, &writer->bpe);
    dgm_release(env, writer->id_prefix);
    dgm_sentence_over_clear(env, &writer->over);
    dgm_buf_clear(env, &writer->out);
    dgm_buf_clear(env, &writer->piece_text);
    dgm_buf_clear(env, &writer->misc);
    for (int i = 0; i < 3; i++)
        dgm_release(env, writer->names[i]);
    dgm_release(env, writer->counts);
    dgm_release(env, writer->heads);
}
