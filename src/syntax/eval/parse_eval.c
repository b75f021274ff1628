/* parse_eval.c: evaluation of a parser from two files, and of trees over the same words. */
#include "syntax/eval/parse_eval.h"

#include <string.h>

#include "base/mem.h"
#include "syntax/eval/eval_part.h"

const char *dgm_parse_metric_name(enum dgm_parse_metric metric)
{
    static const char *const names[DGM_PARSE_METRICS] = {
        "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags",
        "Lemmas", "UAS",       "LAS",   "CLAS", "MLAS", "BLEX",
    };

    return names[metric];
}

/* ---- the characters of both ------------------------------------------------------- */

static void quote_token(char quoted[DGM_QUOTE_SIZE], const struct dgm_eval_side *side,
                        const struct dgm_eval_span *token)
{
    dgm_quote(quoted, DGM_QUOTE_SIZE, side->text.data + token->start, token->end - token->start);
}

/* At `place` the characters differ, or one file has no more. */
static dgm_status refuse(struct dgm_env *env, const struct dgm_eval *eval, size_t place)
{
    const struct dgm_eval_side *gold = &eval->gold, *system = &eval->system;
    size_t gold_place = place < gold->text.size ? place : gold->text.size - 1;
    size_t system_place = place < system->text.size ? place : system->text.size - 1;
    const struct dgm_eval_span *expected = dgm_eval_token_at(gold, gold_place);
    const struct dgm_eval_span *found = dgm_eval_token_at(system, system_place);
    char wanted[DGM_QUOTE_SIZE], got[DGM_QUOTE_SIZE], path[DGM_QUOTE_SIZE];

    quote_token(wanted, gold, expected);
    quote_token(got, system, found);
    dgm_quote(path, sizeof path, gold->path, strlen(gold->path));
    if (place >= system->text.size)
        return dgm_fail_at(env, DGM_DATA, system->path, found->line, 0,
                           "the text ends with \"%s\" where line %ld of \"%s\" has \"%s\"; "
                           "expected the same characters [E_CHARS]",
                           got, expected->line, path, wanted);
    if (place >= gold->text.size)
        return dgm_fail_at(env, DGM_DATA, system->path, found->line, 0,
                           "the text goes on with \"%s\" where that of \"%s\" ends, in "
                           "line %ld; expected the same characters [E_CHARS]",
                           got, path, expected->line);
    return dgm_fail_at(env, DGM_DATA, system->path, found->line, 0,
                       "\"%s\" where line %ld of \"%s\" has \"%s\"; expected the same "
                       "characters [E_CHARS]",
                       got, expected->line, path, wanted);
}

/* Whether a byte of UTF-8 goes on with a character. */
static int is_inside(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* A difference within a character is one at its first byte. */
static dgm_status check_characters(struct dgm_env *env, const struct dgm_eval *eval)
{
    const struct dgm_buf *gold = &eval->gold.text, *system = &eval->system.text;
    size_t place = 0, size = gold->size < system->size ? gold->size : system->size;

    while (place < size && gold->data[place] == system->data[place])
        place++;
    if (place == gold->size && place == system->size)
        return DGM_OK;
    while (place > 0 && place < size && is_inside(gold->data[place]))
        place--;
    return refuse(env, eval, place);
}

/* ---- files ------------------------------------------------------------------------ */

static void clear_side(struct dgm_env *env, struct dgm_eval_side *side)
{
    dgm_buf_clear(env, &side->text);
    dgm_release(env, side->words);
    dgm_release(env, side->tokens);
    dgm_release(env, side->sentences);
}

static void clear(struct dgm_env *env, struct dgm_eval *eval)
{
    clear_side(env, &eval->gold);
    clear_side(env, &eval->system);
    dgm_map_clear(env, &eval->strings);
    dgm_buf_clear(env, &eval->scratch);
    dgm_release(env, eval->pieces);
    dgm_release(env, eval->match);
}

dgm_status dgm_parse_eval_files(struct dgm_env *env, dgm_parse_counts counts[DGM_PARSE_METRICS],
                                const char *gold_path, const char *system_path,
                                enum dgm_multi_root multi_root)
{
    struct dgm_eval eval;
    dgm_status status;

    if (strcmp(gold_path, "-") == 0 && strcmp(system_path, "-") == 0)
        return dgm_fail(env, DGM_USAGE,
                        "standard input is asked for twice; expected a file for one of "
                        "them");
    memset(&eval, 0, sizeof eval);
    eval.gold.path = gold_path;
    eval.system.path = system_path;
    DGM_TRY_OUT(dgm_eval_intern(env, &eval, &eval.blank, "_", 1));
    DGM_TRY_OUT(dgm_eval_read(env, &eval, &eval.gold, DGM_MULTI_ROOT_ERROR));
    DGM_TRY_OUT(dgm_eval_read(env, &eval, &eval.system, multi_root));
    DGM_TRY_OUT(check_characters(env, &eval));
    DGM_TRY_OUT(dgm_eval_align(env, &eval));
    dgm_eval_count(counts, &eval);
out:
    clear(env, &eval);
    return status;
}

/* ---- words that need no alignment ------------------------------------------------- */

void dgm_attachment_add(struct dgm_attachment *sum, const struct dgm_arcs *gold,
                        const struct dgm_arcs *system, int32_t count)
{
    int has_labels = gold->label != NULL && system->label != NULL;
    int has_tags = gold->tag != NULL && system->tag != NULL;
    int32_t i;

    for (i = 0; i < count; i++) {
        int head = gold->head[i] == system->head[i];

        sum->heads += head;
        sum->labels += head && has_labels && gold->label[i] == system->label[i];
        sum->tags += has_tags && gold->tag[i] == system->tag[i];
    }
    sum->words += count;
}

double dgm_attachment_percent(int64_t part, int64_t words)
{
    return words > 0 ? 100.0 * (double)part / (double)words : 0.0;
}
