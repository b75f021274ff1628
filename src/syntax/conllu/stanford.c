/*
 * stanford.c: Stanford typed dependencies: one line to an arc, the arcs of a block to rows.
 *
 * The rows are composed as text and handed to the CoNLL-U reader, so that limits, tree
 * and policies are the same for every format.
 */
#include "syntax/conllu/stanford.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "syntax/conllu/conllu_fault.h"
#include "syntax/conllu/conllu_row.h"

struct dgm_stanford_arc {
    int32_t head, word;                 /* from 1; head 0: a root */
    uint32_t relation, head_form, form; /* offsets in the sentence's bytes */
    long line;
};

/* A place in the sentence, from 1; form 0: no line names it. */
struct slot {
    int32_t head; /* -1: none yet */
    uint32_t relation, form;
    long line;
};

/* Lowest possible number of a file with `arcs` lines that is surely damaged. */
#define MOST_WORDS(arcs) (64 + 8 * (int64_t)(arcs))

/* ---- a line ----------------------------------------------------------------------- */

/* `form-N` with any number of primes; *form gets the length of the form. */
static int read_mention(const char *text, size_t length, size_t *form, int32_t *number,
                        int *is_copy)
{
    size_t end = length, digits;

    while (end > 0 && text[end - 1] == '\'')
        end--;
    digits = end;
    while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9')
        digits--;
    if (digits < 2 || text[digits - 1] != '-' ||
        !dgm_conllu_row_number(number, text + digits, text + end))
        return 0;
    *form = digits - 1;
    *is_copy |= end < length;
    return 1;
}

/* Where the parts of a line stand, as offsets in it; each ends behind its text. */
struct parts {
    size_t relation_end;
    size_t head, head_end;
    size_t word, word_end;
    int is_copy;
};

static int split_line(const char *text, size_t length, struct parts *parts,
                      struct dgm_stanford_arc *arc)
{
    const char *open = memchr(text, '(', length);

    if (open == NULL || open == text || text[length - 1] != ')' ||
        memchr(text, '\t', length) != NULL)
        return 0;
    parts->relation_end = (size_t)(open - text);
    parts->head = parts->relation_end + 1;
    for (size_t at = parts->head; at + 2 < length; at++) {
        if (text[at] != ',' || text[at + 1] != ' ')
            continue;
        parts->is_copy = 0;
        parts->word = at + 2;
        if (read_mention(text + parts->head, at - parts->head, &parts->head_end, &arc->head,
                         &parts->is_copy) &&
            read_mention(text + parts->word, length - 1 - parts->word, &parts->word_end, &arc->word,
                         &parts->is_copy)) {
            parts->head_end += parts->head;
            parts->word_end += parts->word;
            return arc->word > 0 && (arc->head > 0 || strncmp(open, "(ROOT-0", 7) == 0);
        }
    }
    return 0;
}

static dgm_status refuse_line(struct dgm_env *env, struct dgm_conllu_reader *reader,
                              const char *text, size_t length)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, text, length);
    return dgm_conllu_fault(env, reader, DGM_CONLLU_BAD_ARC, reader->lines.number, 1,
                            "\"%s\"; expected relation(governor-N, dependent-N)", quoted);
}

/* Copies the line behind the sentence's bytes and ends each part with a NUL. */
static dgm_status keep_arc(struct dgm_env *env, struct dgm_conllu_reader *reader,
                           struct dgm_conllu_sentence *sentence, const char *text, size_t length,
                           const struct parts *parts, struct dgm_stanford_arc *arc)
{
    uint32_t start = (uint32_t)sentence->bytes.size;

    if (sentence->bytes.size + length + 1 > DGM_CONLLU_MAX_BYTES)
        return dgm_conllu_fault(env, reader, DGM_CONLLU_BAD_LIMIT, reader->lines.number, 1,
                                "sentence too long; expected at most %ld MiB",
                                (long)(DGM_CONLLU_MAX_BYTES >> 20));
    DGM_TRY(dgm_grow(env, &reader->arcs, &reader->arc_capacity, reader->arc_count,
                     sizeof *reader->arcs));
    DGM_TRY(dgm_buf_add(env, &sentence->bytes, text, length));
    sentence->bytes.data[start + parts->relation_end] = '\0';
    sentence->bytes.data[start + parts->head_end] = '\0';
    sentence->bytes.data[start + parts->word_end] = '\0';
    arc->relation = start;
    arc->head_form = start + (uint32_t)parts->head;
    arc->form = start + (uint32_t)parts->word;
    arc->line = reader->lines.number;
    reader->arcs[reader->arc_count++] = *arc;
    return DGM_OK;
}

dgm_status dgm_stanford_add(struct dgm_env *env, struct dgm_conllu_reader *reader,
                            struct dgm_conllu_sentence *sentence, const char *text, size_t length)
{
    struct dgm_stanford_arc arc = { 0 };
    struct parts parts = { 0 };

    while (length > 1 && text[length - 1] == ' ')
        length--;
    if (!split_line(text, length, &parts, &arc))
        return refuse_line(env, reader, text, length);
    if (parts.is_copy)
        return dgm_conllu_fault(env, reader, DGM_CONLLU_BAD_COPY, reader->lines.number, 1,
                                "copy of a word (N'); expected basic dependencies");
    return keep_arc(env, reader, sentence, text, length, &parts, &arc);
}

/* ---- a block ---------------------------------------------------------------------- */

static dgm_status count_words(struct dgm_env *env, struct dgm_conllu_reader *reader, int32_t *count)
{
    int64_t most = MOST_WORDS(reader->arc_count);

    *count = 0;
    if (most > reader->options.max_words)
        most = reader->options.max_words;
    for (size_t i = 0; i < reader->arc_count; i++) {
        struct dgm_stanford_arc *arc = &reader->arcs[i];
        int32_t high = arc->head > arc->word ? arc->head : arc->word;

        if (high > most) {
            DGM_TRY(
                dgm_conllu_fault(env, reader, DGM_CONLLU_BAD_LIMIT, arc->line, 1,
                                 "word %ld in a sentence of %lu lines; expected at most %ld words",
                                 (long)high, (unsigned long)reader->arc_count, (long)most));
            arc->word = 0; /* lenient: this line is left out */
        } else if (high > *count) {
            *count = high;
        }
    }
    return DGM_OK;
}

/* The form of a place; later lines must agree with the first. */
static dgm_status note_form(struct dgm_env *env, struct dgm_conllu_reader *reader,
                            const struct dgm_conllu_sentence *sentence, struct slot *slots,
                            int32_t word, uint32_t form, long line)
{
    const char *bytes = sentence->bytes.data;
    char first[DGM_QUOTE_SIZE], quoted[DGM_QUOTE_SIZE];
    struct slot *slot = &slots[word];

    if (slot->form == 0) {
        slot->form = form;
        slot->line = line;
        return DGM_OK;
    }
    if (strcmp(bytes + slot->form, bytes + form) == 0)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, bytes + form, strlen(bytes + form));
    dgm_quote(first, sizeof first, bytes + slot->form, strlen(bytes + slot->form));
    return dgm_conllu_fault(env, reader, DGM_CONLLU_BAD_FORM, line, 1,
                            "word %ld is \"%s\"; expected \"%s\" as in line %ld", (long)word,
                            quoted, first, slot->line);
}

static dgm_status place_arc(struct dgm_env *env, struct dgm_conllu_reader *reader,
                            const struct dgm_conllu_sentence *sentence, struct slot *slots,
                            const struct dgm_stanford_arc *arc)
{
    struct slot *slot = &slots[arc->word];

    if (arc->head > 0)
        DGM_TRY(note_form(env, reader, sentence, slots, arc->head, arc->head_form, arc->line));
    DGM_TRY(note_form(env, reader, sentence, slots, arc->word, arc->form, arc->line));
    if (slot->head >= 0)
        return dgm_conllu_fault(env, reader, DGM_CONLLU_BAD_HEAD, arc->line, 1,
                                "word %ld has a second governor, after line %ld; expected basic "
                                "dependencies, one for each word",
                                (long)arc->word, slot->line);
    slot->head = arc->head;
    slot->relation = arc->relation;
    slot->line = arc->line;
    return DGM_OK;
}

/* Words that only govern become roots. Returns what missing words depend on: the first
 * root, or any word where a cycle has swallowed it. */
static int32_t find_roots(struct slot *slots, int32_t count)
{
    int32_t word, named = 0, root = 0;

    for (word = count; word >= 1; word--) {
        if (slots[word].form == 0)
            continue;
        named = word;
        if (slots[word].head < 0)
            slots[word].head = 0;
        if (slots[word].head == 0)
            root = word;
    }
    return root > 0 ? root : named;
}

static dgm_status add_row(struct dgm_env *env, struct dgm_conllu_reader *reader,
                          struct dgm_conllu_sentence *sentence, const struct slot *slot,
                          int32_t word, int32_t anchor)
{
    struct dgm_buf *row = &reader->repaired;
    const char *bytes = sentence->bytes.data;
    size_t rows = sentence->row_count;

    dgm_buf_reset(row);
    if (slot->form == 0)
        DGM_TRY(dgm_buf_add_format(env, row, "%ld\t_\t_\t_\t_\t_\t%ld\tpunct\t_\tMissing=Yes",
                                   (long)word, (long)anchor));
    else
        DGM_TRY(dgm_buf_add_format(env, row, "%ld\t%s\t_\t_\t_\t_\t%ld\t%s\t_\t_", (long)word,
                                   bytes + slot->form, (long)slot->head,
                                   slot->relation == UINT32_MAX ? "root" : bytes + slot->relation));
    DGM_TRY(dgm_conllu_row_add(env, reader, sentence, row->data, row->size));
    if (sentence->row_count > rows)
        sentence->rows[rows].line = slot->form == 0 ? sentence->line : slot->line;
    return DGM_OK;
}

dgm_status dgm_stanford_finish(struct dgm_env *env, struct dgm_conllu_reader *reader,
                               struct dgm_conllu_sentence *sentence)
{
    dgm_status status;
    struct slot *slots;
    int32_t count, word, anchor;

    DGM_TRY(count_words(env, reader, &count));
    DGM_TRY(dgm_new(env, &slots, (size_t)count + 1, sizeof *slots));
    for (word = 0; word <= count; word++) {
        slots[word].head = -1;
        slots[word].relation = UINT32_MAX;
    }
    status = DGM_OK;
    for (size_t i = 0; i < reader->arc_count; i++) {
        if (reader->arcs[i].word > 0)
            DGM_TRY_OUT(place_arc(env, reader, sentence, slots, &reader->arcs[i]));
    }
    anchor = find_roots(slots, count);
    for (word = 1; word <= count; word++)
        DGM_TRY_OUT(add_row(env, reader, sentence, &slots[word], word, anchor));
out:
    dgm_release(env, slots);
    return status;
}

/* ---- writing ---------------------------------------------------------------------- */

/* `form-N`, blanks as U+00A0. */
static dgm_status write_mention(struct dgm_env *env, struct dgm_writer *writer, const char *form,
                                int32_t number)
{
    char tail[16];

    while (*form != '\0') {
        size_t part = strcspn(form, " ");

        DGM_TRY(dgm_writer_add(env, writer, form, part));
        form += part;
        if (*form == ' ') {
            DGM_TRY(dgm_writer_add_text(env, writer, "\xC2\xA0"));
            form++;
        }
    }
    snprintf(tail, sizeof tail, "-%ld", (long)number);
    return dgm_writer_add_text(env, writer, tail);
}

static dgm_status write_arc(struct dgm_env *env, struct dgm_writer *writer,
                            const struct dgm_conllu_sentence *sentence, int32_t word)
{
    int32_t head = sentence->tree.head[word];
    const char *relation = dgm_conllu_field(sentence, word, DGM_CONLLU_DEPREL);

    if (strchr(relation, '(') != NULL)
        return dgm_fail(env, DGM_DATA,
                        "relation \"%.40s\" of word %ld; expected one without brackets", relation,
                        (long)word + 1);
    DGM_TRY(dgm_writer_add_text(env, writer, relation));
    DGM_TRY(dgm_writer_add_text(env, writer, "("));
    if (head == word)
        DGM_TRY(dgm_writer_add_text(env, writer, "ROOT-0"));
    else
        DGM_TRY(write_mention(env, writer, dgm_conllu_field(sentence, head, DGM_CONLLU_FORM),
                              head + 1));
    DGM_TRY(dgm_writer_add_text(env, writer, ", "));
    DGM_TRY(
        write_mention(env, writer, dgm_conllu_field(sentence, word, DGM_CONLLU_FORM), word + 1));
    return dgm_writer_add_text(env, writer, ")\n");
}

dgm_status dgm_stanford_write(struct dgm_env *env, struct dgm_writer *writer,
                              const struct dgm_conllu_sentence *sentence)
{
    if (!sentence->tree.has_parse)
        return dgm_fail(env, DGM_DATA, "sentence without a parse; typed dependencies need one");
    for (int32_t word = 0; word < sentence->tree.count; word++) {
        const char *misc = dgm_conllu_field(sentence, word, DGM_CONLLU_MISC);

        if (strcmp(misc, "Missing=Yes") != 0)
            DGM_TRY(write_arc(env, writer, sentence, word));
    }
    return dgm_writer_add_text(env, writer, "\n");
}
