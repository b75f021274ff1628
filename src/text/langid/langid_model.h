/*
 * langid_model.h: which language a text is in: naive Bayes over n-grams (langid_reader.h), as
 * Cavnar and Trenkle's profiles (1994) and Lui and Baldwin's langid.py (2012) have them.
 *
 * A language's score is the sum of whole weights of the n-grams that the model knows, so that it is
 * the same everywhere; its probability is the softmax of the scores, times the share of the letters
 * that the model knows: what is left is the probability that the text is in none of the languages.
 */
#ifndef DGM_TEXT_LANGID_LANGID_MODEL_H
#define DGM_TEXT_LANGID_LANGID_MODEL_H

#include "base/env.h"

enum {
    DGM_LANGID_LANGUAGES = 256,     /* most of a model */
    DGM_LANGID_CODE = 32,           /* bytes of a language's code with its end */
    DGM_LANGID_GRAMS = 1 << 22,     /* most n-grams of a model */
    DGM_LANGID_CHARACTERS = 1 << 16 /* of a text, so many are looked at */
};

/* "und", ISO 639-2's code of a language that cannot be told. */
extern const char dgm_langid_unknown[];

/* Zeroed: none. */
struct dgm_langid_model {
    size_t language_count;
    char (*languages)[DGM_LANGID_CODE]; /* (language_count) */
    size_t gram_count;
    uint32_t *keys;   /* (gram_count) ascending */
    int8_t *weights;  /* (gram_count,language_count) */
    double scale;     /* what a weight of 1 counts in a natural logarithm */
    uint32_t *starts; /* where the keys of each value of their upper bits begin */
    unsigned shift;   /* to these bits */
};

/* Room for so many languages and n-grams, within the limits above. */
dgm_status dgm_langid_model_init(struct dgm_env *env, struct dgm_langid_model *model,
                                 size_t languages, size_t grams);
/* To be called once keys are there. */
dgm_status dgm_langid_model_index(struct dgm_env *env, struct dgm_langid_model *model);
void dgm_langid_model_clear(struct dgm_env *env, struct dgm_langid_model *model);

/* Whether it is the code of a language: letters, digits and hyphens, but not "und". */
int dgm_langid_is_code(const char *code, size_t bytes);
/* The number of a language, of that with the script or the country left out where there is none
 * ("zh-Hans": "zh"); -1: neither is there. */
int dgm_langid_find(const struct dgm_langid_model *model, const char *code);

/* Letters of a text, and those that the model knows. */
struct dgm_langid_letters {
    int32_t all, known;
};

/* The sums of weights (language_count) of a text. */
struct dgm_langid_letters dgm_langid_sum(const struct dgm_langid_model *model, int32_t *sums,
                                         const char *text, size_t bytes);
/* The probabilities (language_count) of a text's sums at a scale. */
void dgm_langid_softmax(double *probabilities, const int32_t *sums, size_t count, double scale);
/* Both of them; `sums` (language_count) is for use in between. */
struct dgm_langid_letters dgm_langid_judge(const struct dgm_langid_model *model,
                                           double *probabilities, int32_t *sums, const char *text,
                                           size_t bytes);

#endif
