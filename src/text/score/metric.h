/*
 * metric.h: what a metric of translations is: a line of metric_list.h and a file <name>.c. `score`,
 * the validation of `train` and the pictures of training read the list.
 *
 * A sentence comes to a few whole numbers, and those of several sentences add up, so that sums, of
 * a text or of a sample of it, have a score. A metric is asked once for a sentence, never for a
 * word.
 */
#ifndef DGM_TEXT_SCORE_METRIC_H
#define DGM_TEXT_SCORE_METRIC_H

#include "base/buf.h"
#include "base/option/settings.h"
#include "text/tokenize/looks.h"

#define DGM_METRIC_VERSION "dragoman-0.1.0"

enum {
    DGM_METRIC_WIDTH = 32,  /* numbers of a sentence at most */
    DGM_METRIC_OPTIONS = 8, /* rows at most, the one that ends them among them */
};

/* What a count notes of its sentence, for warnings. */
enum {
    DGM_METRIC_UNCUT = 1,    /* a reference was hardly cut: its script sets no blanks */
    DGM_METRIC_TOKENIZED = 2 /* the hypothesis ends as tokenised text does */
};

/* A hypothesis, or a reference. */
struct dgm_metric_text {
    const char *data; /* NULL: this reference is absent */
    size_t bytes;
};

/* What a sentence comes to: numbers only, so that it can stand in bytes. */
struct dgm_metric_count {
    int64_t sums[DGM_METRIC_WIDTH];
    int notes;      /* bits */
    unsigned looks; /* of the hypothesis or a reference: tokenize/looks.h */
};

/* Fields that are left out are NULL or 0. A state belongs to one thread. */
struct dgm_metric {
    const char *name;  /* "bleu", as in its line */
    const char *title; /* "BLEU" */
    const char *curve; /* above the panel of its validations: "validation: BLEU" */
    int is_error;      /* the lower, the better */
    int reads_words;   /* a validation compares the words that the model has learnt, set apart by
                        * blanks; 0: lines as `translate` writes them */
    const char *valid; /* a flag among the options that holds in a validation; NULL: none does */
    struct dgm_opt options[DGM_METRIC_OPTIONS]; /* rows of `score`, and of no other metric */

    size_t width;       /* numbers of a sentence */
    size_t state_bytes; /* of the options that were read, and of memory to count in; zeroed first */
    /* Reads the options; NULL: it has none. */
    dgm_status (*configure)(struct dgm_env *env, void *state, const struct dgm_settings *settings);
    /* DGM_USAGE where the command line of `score` says what would change nothing; asked whether or
     * not its --metrics names the metric. NULL: anything goes. */
    dgm_status (*check)(struct dgm_env *env, const struct dgm_settings *settings);
    /* Counts a sentence against 1 or more references, into a zeroed count; DGM_DATA where all are
     * absent. Nothing in the state but memory may change. NULL: others have counted (given.h). */
    dgm_status (*count)(struct dgm_env *env, void *state, struct dgm_metric_count *count,
                        struct dgm_metric_text hypothesis, const struct dgm_metric_text *references,
                        size_t reference_count);
    /* The score of sums, 0..100. */
    double (*score)(const void *state, const int64_t *sums);
    /* The same as sacreBLEU has it of a random sample: NumPy 2 rounds its steps to single
     * precision. NULL: it is `score`. */
    double (*sample)(const void *state, const int64_t *sums);
    int samples_are_single; /* and so is the result, of which means are taken */
    void (*clear)(struct dgm_env *env, void *state); /* releases its memory; NULL: it has none */

    /* Append texts. The name; NULL: the title. */
    dgm_status (*print_name)(struct dgm_env *env, struct dgm_buf *out, const void *state);
    /* "case:mixed|tok:13a", between the number of references and the version; NULL: nothing. */
    dgm_status (*print_signature)(struct dgm_env *env, struct dgm_buf *out, const void *state,
                                  int is_short);
    /* What stands behind the score; NULL: nothing. */
    dgm_status (*print_details)(struct dgm_env *env, struct dgm_buf *out, const void *state,
                                const int64_t *sums);
    /* The line of multi-bleu.perl; NULL: it has none. */
    dgm_status (*print_multi)(struct dgm_env *env, struct dgm_buf *out, const int64_t *sums);
};

#define METRIC(name) extern const struct dgm_metric dgm_metric_##name;
#include "text/score/metric_list.h"

enum {
    DGM_METRICS = 0 /* how many there are */
#define METRIC(name) +1
#include "text/score/metric_list.h"
};

/* Options that every metric may read, then those of each: tables for settings, ended by NULL.
 * `lowercase` is "ascii" where somebody asks for letters of ASCII alone, as no command line can. */
extern const struct dgm_opt *const dgm_metric_tables[];

/* The metric of that number, or NULL beyond the last; the one of that name, or NULL. No name: the
 * first. */
const struct dgm_metric *dgm_metric_entry(size_t i);
const struct dgm_metric *dgm_metric_find(const char *name);

/* A metric with its options, of one thread; zeroed is closed. */
struct dgm_measure {
    const struct dgm_metric *metric;
    void *state;
};

/* name: one of the list, or NULL; settings: over dgm_metric_tables. They get what the name says of
 * an option. */
dgm_status dgm_measure_open(struct dgm_env *env, struct dgm_measure *measure, const char *name,
                            struct dgm_settings *settings);
/* The same for a validation: with the options that it has there. */
dgm_status dgm_measure_open_valid(struct dgm_env *env, struct dgm_measure *measure,
                                  const struct dgm_metric *metric);
void dgm_measure_close(struct dgm_env *env, struct dgm_measure *measure);

/* What a sentence comes to. */
dgm_status dgm_measure_count(struct dgm_env *env, struct dgm_measure *measure,
                             struct dgm_metric_count *count, struct dgm_metric_text hypothesis,
                             const struct dgm_metric_text *references, size_t reference_count);
/* Adds the numbers of a sentence, or of several, to sums. */
void dgm_measure_add(const struct dgm_measure *measure, int64_t *sums, const int64_t *part);
double dgm_measure_score(const struct dgm_measure *measure, const int64_t *sums);

/* "nrefs:1|case:mixed|version:dragoman-0.1.0", or short, "#:1|c:mixed|v:dragoman-0.1.0".
 * references: their number, or -1 if it varies ("var"). */
dgm_status dgm_measure_print_signature(struct dgm_env *env, struct dgm_buf *out,
                                       const struct dgm_measure *measure, int references,
                                       int is_short);

#endif
