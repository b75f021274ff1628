/* morph_scores.c: how well a parser finds XPOS, FEATS and lemmas of the validation treebank. */
#include "train/parsing/morph_scores.h"

#include <string.h>

#include "base/mem.h"
#include "text/lemma/lemma_script.h"

static dgm_status reserve(struct dgm_env *env, struct dgm_morph_scores *scores, int32_t words)
{
    const struct dgm_parallel arrays[] = { { &scores->columns, sizeof *scores->columns },
                                           { &scores->heads, sizeof *scores->heads },
                                           { NULL, 0 } };

    return dgm_reserve_parallel(env, arrays, &scores->capacity, (size_t)words);
}

/* ---- gold ------------------------------------------------------------------------------------ */

struct reading {
    struct dgm_morph_scores *scores;
    int32_t max_words;
};

static dgm_status add_gold(struct dgm_env *env, void *user,
                           const struct dgm_conllu_sentence *sentence)
{
    const struct reading *reading = user;
    struct dgm_morph_scores *scores = reading->scores;
    const int32_t n = sentence->tree.count;

    if (n == 0 || n > reading->max_words)
        return DGM_OK;
    DGM_TRY(reserve(env, scores, n));
    for (int32_t w = 0; w < n; w++) {
        struct dgm_eval_columns *to = &scores->columns[w];

        to->lemma = dgm_conllu_field(sentence, w, DGM_CONLLU_LEMMA);
        to->upos = dgm_conllu_field(sentence, w, DGM_CONLLU_UPOS);
        to->xpos = dgm_conllu_field(sentence, w, DGM_CONLLU_XPOS);
        to->feats = dgm_conllu_field(sentence, w, DGM_CONLLU_FEATS);
        to->relation = dgm_conllu_field(sentence, w, DGM_CONLLU_DEPREL);
    }
    return dgm_eval_file_add(env, &scores->eval, &scores->eval.gold, scores->columns,
                             sentence->tree.head, n);
}

dgm_status dgm_morph_scores_read(struct dgm_env *env, struct dgm_morph_scores *scores,
                                 const char *path, int32_t max_words,
                                 enum dgm_multi_root multi_root)
{
    const struct dgm_conllu_options options = { .multi_root = multi_root };
    struct reading reading = { .scores = scores, .max_words = max_words };

    return dgm_conllu_reader_each(env, path, &options, add_gold, &reading);
}

/* ---- what was found -------------------------------------------------------------------------- */

/* One parsed sentence: its first row, the root's, and the one behind its last. */
struct found {
    const struct dgm_lexicon *lexicon;
    const struct dgm_treebank *bank;
    const struct dgm_parsed *parsed;
    int32_t begin, end;
};

/* All lemmas before any is pointed to: the buffer moves while it grows. */
static dgm_status make_lemmas(struct dgm_env *env, struct dgm_morph_scores *scores,
                              const struct found *found)
{
    const struct dgm_vocab *scripts = &found->lexicon->morphs[DGM_MORPH_LEMMA];
    const int32_t *numbers = found->parsed->morphs[DGM_MORPH_LEMMA];
    const struct dgm_map *forms = &found->bank->known;

    dgm_buf_reset(&scores->lemmas);
    for (int32_t i = found->begin + 1; i < found->end; i++) {
        const char *form = dgm_map_key(forms, &forms->entries[found->bank->forms[i]]);
        char lemma[DGM_LEMMA_BYTES];

        if (numbers == NULL)
            form = "_";
        else if (numbers[i] >= 0 &&
                 dgm_lemma_script_apply(lemma, dgm_lexicon_class_name(scripts, numbers[i]), form) >
                     0)
            form = lemma;
        DGM_TRY(dgm_buf_add(env, &scores->lemmas, form, strlen(form) + 1));
    }
    return DGM_OK;
}

static const char *morph_of(const struct found *found, enum dgm_morph morph, int32_t row)
{
    const int32_t *numbers = found->parsed->morphs[morph];

    return numbers == NULL ? "_"
                           : dgm_lexicon_class_name(&found->lexicon->morphs[morph], numbers[row]);
}

static dgm_status add_found(struct dgm_env *env, struct dgm_morph_scores *scores,
                            const struct found *found)
{
    const int32_t n = found->end - found->begin - 1;
    const char *lemma;

    DGM_TRY(reserve(env, scores, n));
    DGM_TRY(make_lemmas(env, scores, found));
    lemma = scores->lemmas.data;
    for (int32_t w = 0; w < n; w++, lemma += strlen(lemma) + 1) {
        int32_t row = found->begin + 1 + w, head = found->parsed->heads[row];
        struct dgm_eval_columns *to = &scores->columns[w];

        scores->heads[w] = head == 0 ? w : head - 1;
        to->lemma = lemma;
        to->upos = dgm_lexicon_class_name(&found->lexicon->tags, found->parsed->tags[row]);
        to->xpos = morph_of(found, DGM_MORPH_XPOS, row);
        to->feats = morph_of(found, DGM_MORPH_FEATS, row);
        to->relation = dgm_lexicon_class_name(&found->lexicon->labels, found->parsed->labels[row]);
    }
    return dgm_eval_file_add(env, &scores->eval, &scores->eval.system, scores->columns,
                             scores->heads, n);
}

dgm_status dgm_morph_scores_count(struct dgm_env *env, struct dgm_morph_scores *scores,
                                  const struct dgm_lexicon *lexicon,
                                  const struct dgm_treebank *bank, const struct dgm_parsed *parsed,
                                  dgm_parse_counts counts[DGM_PARSE_METRICS])
{
    struct found found = { .lexicon = lexicon, .bank = bank, .parsed = parsed };

    scores->eval.system.word_count = 0;
    for (int32_t s = 0; s < bank->rows.count; s++) {
        found.begin = bank->rows.offsets[s];
        found.end = bank->rows.offsets[s + 1];
        DGM_TRY(add_found(env, scores, &found));
    }
    return dgm_parse_eval_same(env, &scores->eval, counts);
}

double dgm_morph_scores_bytes(const struct dgm_morph_scores *scores)
{
    const double words = (double)scores->eval.gold.word_count;

    return dgm_map_bytes(&scores->eval.strings) +
           words * (2 * sizeof *scores->eval.gold.words + sizeof *scores->eval.match);
}

void dgm_morph_scores_clear(struct dgm_env *env, struct dgm_morph_scores *scores)
{
    dgm_eval_file_clear(env, &scores->eval);
    dgm_release(env, scores->columns);
    dgm_release(env, scores->heads);
    dgm_buf_clear(env, &scores->lemmas);
    memset(scores, 0, sizeof *scores);
}
