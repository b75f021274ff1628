/* sentence_json.c: a sentence of CoNLL-U as one line of JSON. */
#include "syntax/conllu/sentence_json.h"

#include <string.h>

#include "base/number/number.h"
#include "syntax/conllu/comment.h"
#include "text/json_text.h"

/* ---- members --------------------------------------------------------------------------------- */

static dgm_status add_name(struct dgm_env *env, struct dgm_buf *out, const char *name)
{
    if (out->data[out->size - 1] != '{')
        DGM_TRY(dgm_buf_add_text(env, out, ", "));
    return dgm_buf_add_format(env, out, "\"%s\": ", name);
}

static dgm_status add_text(struct dgm_env *env, struct dgm_buf *out, const char *name,
                           const char *text, size_t bytes)
{
    DGM_TRY(add_name(env, out, name));
    return dgm_json_text_quote(env, out, text, bytes);
}

static dgm_status add_number(struct dgm_env *env, struct dgm_buf *out, const char *name,
                             long long number)
{
    DGM_TRY(add_name(env, out, name));
    return dgm_buf_add_format(env, out, "%lld", number);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Digits alone, few enough for a number of 64 bits. */
static int read_count(const char **text, const char *stop, long long *count)
{
    const char *start = *text;

    for (*count = 0; *text < stop && **text >= '0' && **text <= '9' && *text - start < 18; ++*text)
        *count = *count * 10 + (**text - '0');
    return *text > start && (*text - start == 1 || *start != '0');
}

/* FIRST:END of TokenRange. */
static dgm_status add_range(struct dgm_env *env, struct dgm_buf *out, const char *text,
                            const char *stop, int *is_range)
{
    long long first, end;

    *is_range = read_count(&text, stop, &first) && text < stop && *text++ == ':' &&
                read_count(&text, stop, &end) && text == stop;
    if (!*is_range)
        return DGM_OK;
    DGM_TRY(add_number(env, out, "start", first));
    return add_number(env, out, "end", end);
}

static const char *skip_digits(const char *text, const char *stop)
{
    while (text < stop && *text >= '0' && *text <= '9')
        text++;
    return text;
}

/* A number of JSON, without sign: 0.98, 1, 2.5e-05. */
static int is_real(const char *text, const char *stop)
{
    const char *at = skip_digits(text, stop), *from;

    if (at == text || (*text == '0' && at > text + 1))
        return 0;
    if (at < stop && *at == '.') {
        from = ++at;
        at = skip_digits(at, stop);
        if (at == from)
            return 0;
    }
    if (at < stop && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < stop && (*at == '-' || *at == '+');
        from = at;
        at = skip_digits(at, stop);
        if (at == from)
            return 0;
    }
    return at == stop;
}

static dgm_status add_prob(struct dgm_env *env, struct dgm_buf *out, const char *text,
                           const char *stop, int *is_prob)
{
    double value;

    /* Of no more than a double can hold: readers of JSON refuse the rest, or make it another. */
    *is_prob = is_real(text, stop) && dgm_number_real(&value, text, (size_t)(stop - text));
    if (!*is_prob)
        return DGM_OK;
    DGM_TRY(add_name(env, out, "prob"));
    return dgm_buf_add(env, out, text, (size_t)(stop - text));
}

/* Which fields of MISC have become members: the first of each name, as JSON has none twice. */
struct taken {
    int range, prob;
};

static dgm_status take_field(struct dgm_env *env, struct dgm_buf *out, const char *field,
                             const char *stop, struct taken *taken, int *is_taken)
{
    static const char range[] = "TokenRange=", prob[] = "Prob=";
    dgm_status status = DGM_OK;

    *is_taken = 0;
    if (!taken->range && strncmp(field, range, sizeof range - 1) == 0) {
        status = add_range(env, out, field + sizeof range - 1, stop, is_taken);
        taken->range = *is_taken;
    } else if (!taken->prob && strncmp(field, prob, sizeof prob - 1) == 0) {
        status = add_prob(env, out, field + sizeof prob - 1, stop, is_taken);
        taken->prob = *is_taken;
    }
    return status;
}

static dgm_status add_misc(struct dgm_env *env, struct dgm_buf *out, const char *misc)
{
    struct dgm_buf rest = { NULL, 0, 0, 0 };
    struct taken taken = { 0 };
    dgm_status status = DGM_OK;

    for (const char *stop; *misc != '\0'; misc = stop + (*stop == '|')) {
        int is_taken;

        stop = misc + strcspn(misc, "|");
        DGM_TRY_OUT(take_field(env, out, misc, stop, &taken, &is_taken));
        if (is_taken)
            continue;
        if (rest.size > 0)
            DGM_TRY_OUT(dgm_buf_add_char(env, &rest, '|'));
        DGM_TRY_OUT(dgm_buf_add(env, &rest, misc, (size_t)(stop - misc)));
    }
    if (rest.size > 0)
        status = add_text(env, out, "misc", rest.data, rest.size);
out:
    dgm_buf_clear(env, &rest);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* `_` is nothing, but the form and the lemma of a word that is an underscore. */
static int is_left_out(enum dgm_conllu_column column, const char *text, const char *form)
{
    if (column == DGM_CONLLU_FORM)
        return 0;
    if (column == DGM_CONLLU_LEMMA && strcmp(form, "_") == 0)
        return 0;
    return *text == '\0' || strcmp(text, "_") == 0;
}

static dgm_status add_column(struct dgm_env *env, struct dgm_buf *out, const char *name,
                             enum dgm_conllu_column column, const char *text)
{
    const char *at = text, *stop = text + strlen(text);
    long long number;

    if (column == DGM_CONLLU_MISC)
        return add_misc(env, out, text);
    if (column == DGM_CONLLU_HEAD && read_count(&at, stop, &number) && at == stop)
        return add_number(env, out, name, number);
    return add_text(env, out, name, text, strlen(text));
}

static dgm_status add_id(struct dgm_env *env, struct dgm_buf *out, const struct dgm_conllu_row *row)
{
    if (row->kind == DGM_CONLLU_WORD)
        return add_number(env, out, "id", row->first);
    DGM_TRY(add_name(env, out, "id"));
    return dgm_buf_add_format(env, out, "\"%ld%c%ld\"", (long)row->first,
                              row->kind == DGM_CONLLU_RANGE ? '-' : '.', (long)row->last);
}

static dgm_status add_row(struct dgm_env *env, struct dgm_buf *out,
                          const struct dgm_conllu_sentence *sentence,
                          const struct dgm_conllu_row *row)
{
    static const char *const names[DGM_CONLLU_COLUMNS] = { "id",   "form",  "lemma", "upos",
                                                           "xpos", "feats", "head",  "deprel",
                                                           "deps", "misc" };
    const char *form = dgm_conllu_row_text(sentence, row, DGM_CONLLU_FORM);

    DGM_TRY(dgm_buf_add_char(env, out, '{'));
    DGM_TRY(add_id(env, out, row));
    for (int c = DGM_CONLLU_FORM; c < DGM_CONLLU_COLUMNS; c++) {
        enum dgm_conllu_column column = (enum dgm_conllu_column)c;
        const char *text = dgm_conllu_row_text(sentence, row, column);

        if (!is_left_out(column, text, form))
            DGM_TRY(add_column(env, out, names[c], column, text));
    }
    return dgm_buf_add_char(env, out, '}');
}

static dgm_status add_rows(struct dgm_env *env, struct dgm_buf *out, const char *name,
                           const struct dgm_conllu_sentence *sentence, enum dgm_conllu_kind kind)
{
    size_t count = 0;

    for (size_t r = 0; r < sentence->row_count; r++)
        count += sentence->rows[r].kind == kind;
    if (count == 0 && kind != DGM_CONLLU_WORD)
        return DGM_OK;
    DGM_TRY(add_name(env, out, name));
    DGM_TRY(dgm_buf_add_char(env, out, '['));
    for (size_t r = 0; r < sentence->row_count; r++) {
        if (sentence->rows[r].kind != kind)
            continue;
        DGM_TRY(add_row(env, out, sentence, &sentence->rows[r]));
        if (--count > 0)
            DGM_TRY(dgm_buf_add_text(env, out, ", "));
    }
    return dgm_buf_add_char(env, out, ']');
}

/* ---- comments -------------------------------------------------------------------------------- */

static const char *const members[] = { "sent_id", "text" };

/* Whether a comment is the value of a member of its own. */
static int is_member(const struct dgm_conllu_sentence *sentence, const char *comment)
{
    for (size_t m = 0; m < 2; m++) {
        const char *value = dgm_conllu_comment_value(comment, members[m]);

        if (value != NULL && value == dgm_conllu_comment(sentence, members[m]))
            return 1;
    }
    return 0;
}

static dgm_status add_comments(struct dgm_env *env, struct dgm_buf *out,
                               const struct dgm_conllu_sentence *sentence)
{
    int count = 0;

    for (size_t c = 0; c < sentence->comment_count; c++) {
        const char *comment = sentence->bytes.data + sentence->comments[c];

        if (is_member(sentence, comment))
            continue;
        if (count++ == 0)
            DGM_TRY(add_name(env, out, "comments"));
        DGM_TRY(dgm_buf_add_text(env, out, count == 1 ? "[" : ", "));
        comment += 1 + strspn(comment + 1, " ");
        DGM_TRY(dgm_json_text_quote(env, out, comment, strlen(comment)));
    }
    return count > 0 ? dgm_buf_add_char(env, out, ']') : DGM_OK;
}

dgm_status dgm_sentence_json(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_conllu_sentence *sentence)
{
    DGM_TRY(dgm_buf_add_char(env, out, '{'));
    for (size_t m = 0; m < 2; m++) {
        const char *value = dgm_conllu_comment(sentence, members[m]);

        if (value != NULL)
            DGM_TRY(add_text(env, out, members[m], value, strlen(value)));
    }
    DGM_TRY(add_comments(env, out, sentence));
    DGM_TRY(add_rows(env, out, "words", sentence, DGM_CONLLU_WORD));
    DGM_TRY(add_rows(env, out, "ranges", sentence, DGM_CONLLU_RANGE));
    DGM_TRY(add_rows(env, out, "empty", sentence, DGM_CONLLU_EMPTY));
    return dgm_buf_add_text(env, out, "}\n");
}
