/*
 * program.h: what the program `dragoman` gets beside the public interface.
 *
 * The program is linked with the static library and shares src/base with it. Nothing here is
 * exported or installed. Errors and the log of a command are those of its context.
 */
#ifndef DGM_API_PROGRAM_H
#define DGM_API_PROGRAM_H

#include <dragoman.h>

#include "decode/search/search_defaults.h"
#include "text/json_text.h" /* for reports of its own */
#include "text/score/runs.h"

struct dgm_buf;
struct dgm_env;
struct dgm_lines;
struct dgm_opt;
struct dgm_ranks;
struct dgm_settings;

/* ---- context.c ---------------------------------------------------------------------------- */

struct dgm_env *dgm_context_env(dgm_context *context);
/* Whether the error of this context is for another rank to tell: it has the same, or the cause. */
int dgm_context_is_told(const dgm_context *context);
/* Whether a thread was left in a driver that nothing can end: then the process has to end without
 * what exit() runs, which would take away what the thread uses. */
int dgm_context_has_left(const dgm_context *context);
/* dgm_context_stop for a reason: a signal's number, which other ranks learn. A handler may call
 * it. */
void dgm_context_stop_by(dgm_context *context, int number);
/* The number that this process, or another rank, was stopped by; 0: none is known. */
int dgm_context_stopped_by(const dgm_context *context);

/* ---- together.c ---------------------------------------------------------------------------- */

/* Where a launcher has started several processes, they work together: once joined, for as long as
 * the context lives. *ranks NULL: this process works alone; `which` "off": though there are others.
 * `patience`: seconds that a rank waits for another; 0: as long as it takes. */
dgm_status dgm_context_join(dgm_context *context, const char *which, int64_t patience,
                            struct dgm_ranks **ranks);
/* Adds lines "name = value" on which results may depend: the program, and what computes. */
dgm_status dgm_context_describe(dgm_context *context, struct dgm_buf *text);

/* ---- tokenizer.c, segmenter.c, truecaser.c, langid.c --------------------------------------- */

/* Every line of a file, "-" being standard input, as by the function without `_file`, by all
 * threads of the context of `tool`, which is what the function's name says. `write` gets the new
 * lines, each with its LF, many at a time; but before the call waits for input that has not come
 * yet, it hands over all that it has. */
typedef dgm_status dgm_filter_fn(void *tool, const char *path, dgm_write_fn write, void *user);
dgm_filter_fn dgm_tokenizer_apply_file, dgm_tokenizer_undo_file;
dgm_filter_fn dgm_segmenter_apply_file, dgm_segmenter_undo_file;
dgm_filter_fn dgm_truecaser_apply_file, dgm_truecaser_undo_file;
dgm_filter_fn dgm_langid_apply_file;

/* ---- sentences.c --------------------------------------------------------------------------- */

/* As dgm_tokenizer_apply_file: every line of a file into its sentences, each a line. */
dgm_filter_fn dgm_sentences_file;
/* An empty line stands behind those of each line from now on. */
void dgm_sentences_part_lines(dgm_sentences *sentences);

/* ---- writing.c ----------------------------------------------------------------------------- */

struct dgm_writing {
    int script;      /* the number of the one that most letters belong to; 0: there are none */
    int is_unspaced; /* most are of scripts that set no blanks between words */
};

/* Looks at the beginning of a text. */
dgm_status dgm_text_writing(dgm_context *context, const char *path, struct dgm_writing *writing);

/* ---- pieces.c ------------------------------------------------------------------------------ */

/* A SentencePiece model. `ids`: pieces are written, and read, by their numbers. */
struct dgm_pieces;
dgm_status dgm_pieces_open(dgm_context *context, struct dgm_pieces **pieces, const char *path,
                           int ids);
/* Pieces are drawn from now on, by alpha or by dropout, the other one below 0
 * (text/spm/spm_sample.h), for each line by the seed and its number; `path` is for messages. */
dgm_status dgm_pieces_sample(struct dgm_pieces *pieces, double alpha, double dropout, uint64_t seed,
                             const char *path);
void dgm_pieces_close(struct dgm_pieces *pieces);
/* As dgm_tokenizer_apply_file: every line of a file into pieces, and back. */
dgm_filter_fn dgm_pieces_encode_file, dgm_pieces_decode_file;
/* Lines "name: value" on the model or, with `list`, its pieces: text, score and type, with tabs
 * between. */
dgm_status dgm_pieces_describe(struct dgm_pieces *pieces, int list, dgm_write_fn write, void *user);

/* ---- piece_learner.c ----------------------------------------------------------------------- */

struct dgm_pieces_learning {
    const char *kind;   /* "unigram", "bpe", "char", "word" */
    const char *normal; /* "nmt_nfkc", "nfkc", "identity" */
    int64_t pieces, seeds, longest_line;
    int64_t lines; /* of a sample; 0: all */
    double coverage;
    int byte_fallback;
    const char *const *symbols; /* (symbol_count) that are never cut */
    size_t symbol_count;
};

/* Appends the bytes of a new SentencePiece model of the lines of files; "-" is standard input. */
dgm_status dgm_pieces_learn(dgm_context *context, const struct dgm_pieces_learning *learning,
                            const char *const *paths, size_t count, struct dgm_buf *out);

/* ---- vector_learner.c ---------------------------------------------------------------------- */

/* Limits are those of the options of `vectors train`. */
struct dgm_vectors_learning {
    int64_t dim, window, negatives, epochs, seed;
    int64_t min_count, words; /* rarer words are left out; most words, 0: no limit */
    double sample, rate;
    int lower;
    dgm_progress_fn progress; /* may be NULL */
    void *progress_user;
};

/* Learns vectors of the words of files (train/vectors/skip_gram.h) and writes them as text: a line
 * `count dim`, then a word and its numbers in each, frequent words first. */
dgm_status dgm_vectors_learn(dgm_context *context, const struct dgm_vectors_learning *learning,
                             const char *const *paths, size_t count, dgm_write_fn write,
                             void *user);

/* ---- model_file/shelf.c ------------------------------------------------------------------- */

/* Model files: those that are named, and of a folder those that end in .gguf, by their names. */
struct dgm_shelf;
/* What one of them says of itself (model/file/card.h); borrowed from the shelf. */
enum { DGM_SHELF_TRANSLATION = 1, DGM_SHELF_PARSER = 2, DGM_SHELF_LANGID = 4 };
struct dgm_shelf_card {
    const char *path, *name, *license;
    const char *from, *to; /* codes of languages, blanks between; "": not known */
    unsigned kinds;
    int is_tagged, tags_both;
    int64_t bytes;
};
/* A file of a folder that cannot be read is passed over with a warning, one that is named is an
 * error. Models of other programs are left out. */
dgm_status dgm_shelf_open(dgm_context *context, const char *const *paths, size_t count,
                          struct dgm_shelf **shelf);
/* 0: there is no card of this number, from 0. */
int dgm_shelf_card(const struct dgm_shelf *shelf, size_t number, struct dgm_shelf_card *card);
void dgm_shelf_close(struct dgm_shelf *shelf);

/* ---- model_file/card.c -------------------------------------------------------------------- */

/* A copy of a model file with other general metadata, "name=English to German"
 * (model/file/card_write.h). */
dgm_status dgm_model_card(dgm_context *context, const char *path, char *const *words, size_t count,
                          const char *out);

/* ---- translate/translator.c, parse/annotator.c --------------------------------------------- */

/* The next lines of the input are translated elsewhere: their numbers and their trees go by. What
 * is queued, and results, stay. */
dgm_status dgm_translator_pass(dgm_translator *translator, long lines);
/* What dgm_translator_finish tells of lines: taken where they are translated, and added where the
 * whole is finished. Taking begins anew. */
struct dgm_translator_tally {
    int64_t lines, missing, words, lacking[8], unknown[8];
    int64_t copied;   /* lines whose source stands for a translation without words */
    int64_t stayed;   /* lines in the language of the translations */
    int64_t cut;      /* lines of running text, for models of tokens */
    int64_t odd_tags; /* lines that begin with a tag that the models do not know */
    int64_t found[2]; /* words of the lines, and those that the models do not know */
};
void dgm_translator_take_tally(dgm_translator *translator, struct dgm_translator_tally *tally);
void dgm_translator_add_tally(dgm_translator *translator, const struct dgm_translator_tally *tally);
/* Of a file only every step-th line or sentence is parsed, from number `first` on, counted from
 * 0. */
void dgm_annotator_take(dgm_annotator *annotator, long first, long step);
/* dgm_annotator_file on several ranks, all of which call it; rank 0 alone reads, but for sources,
 * and writes. */
dgm_status dgm_annotator_share(dgm_annotator *annotator, struct dgm_ranks *ranks, const char *path,
                               dgm_write_fn write, void *user);

/* ---- score/scorer.c, score/scorer_settings.c ------------------------------------------------ */

/* The names of the metrics: as `choices` of a row, in a sentence, and as help has them. */
extern const char dgm_metric_names[], dgm_metric_words[], dgm_metric_help[];
/* The option tables of `score` that metrics read, ended by NULL. */
const struct dgm_opt *const *dgm_scorer_option_tables(void);
/* DGM_USAGE where a command line has options of metrics that would change nothing. */
dgm_status dgm_scorer_check(dgm_context *context, const struct dgm_settings *settings);
/* As dgm_scorer_new; what metrics read is in settings over these tables, or with NULL in the
 * options, which are whole. */
dgm_status dgm_scorer_open(dgm_context *context, const dgm_scorer_options *options,
                           const struct dgm_settings *settings, dgm_scorer **scorer);

/* What is asked of the scores of systems: which of dgm_paired a test fills in beside the score. */
enum dgm_score_test {
    DGM_SCORE_BOOTSTRAP,     /* all, by paired bootstrap resampling */
    DGM_SCORE_RANDOMIZATION, /* p, by approximate randomisation */
    DGM_SCORE_CONFIDENCE     /* mean and half_width, of the samples of sacreBLEU */
};
/* As dgm_scorer_paired, which is the first of them; `sacrebleu`: its p. */
dgm_status dgm_scorer_test(dgm_scorer *const *scorers, size_t count, enum dgm_score_test kind,
                           int sacrebleu, long samples, uint64_t seed, dgm_paired *results);

/* ---- score/score_columns.c ----------------------------------------------------------------- */

/* Translations of standard input: columns that tabs set apart (text/score/columns.h), as many in
 * every line as in the first. */
struct dgm_score_columns;
dgm_status dgm_score_columns_open(dgm_context *context, struct dgm_score_columns **columns,
                                  size_t *count);
void dgm_score_columns_close(struct dgm_score_columns *columns);
/* As dgm_scorer_add_files, once: `scorer_count` scorers for each column, those of a column behind
 * each other. `each` wants a single column. */
dgm_status dgm_scorer_add_columns(dgm_scorer *const *scorers, size_t scorer_count,
                                  struct dgm_score_columns *columns, const char *const *references,
                                  size_t count, dgm_score_fn each, void *user);
/* DGM_DATA unless the line last read has that many; in a file tabs are text. */
dgm_status dgm_score_columns_check(struct dgm_env *env, const struct dgm_lines *lines,
                                   size_t count);

/* ---- score/score_runs.c -------------------------------------------------------------------- */

/* Runs of systems, each in a scorer that keeps its sentences, those of a system one after the
 * other; each has read the test sets in the same order. */
struct dgm_score_runs {
    size_t systems;
    const size_t *runs; /* (systems) how many, at least 1 */
    size_t sets;        /* at least 1 */
    const size_t *ends; /* (sets) sentences up to the end of each */
    long samples;
    uint64_t seed;
};
/* Of one set, or with set = sets of all: results (systems), and the score of each run
 * (text/score/runs.h). */
dgm_status dgm_scorer_runs(dgm_scorer *const *scorers, const struct dgm_score_runs *asked,
                           size_t set, struct dgm_runs_result *results, double *scores);

/* ---- score/score_given.c ------------------------------------------------------------------- */

/* As dgm_scorer_open, of scores that another program has computed, under the name of its metric. */
dgm_status dgm_scorer_open_given(dgm_context *context, const char *name, int keep,
                                 const char *paired_p, dgm_scorer **scorer);
/* Adds a file of them, one for each sentence (text/score/score_lines.h). */
dgm_status dgm_scorer_add_scores(dgm_scorer *scorer, const char *path);
/* Writes a JSON object for each line of all files, whose members have these names. */
dgm_status dgm_score_write_objects(dgm_context *context, const char *const *paths,
                                   const char *const *names, size_t count, dgm_write_fn write,
                                   void *user);

/* ---- score/score_by.c, score/by_reference.c ------------------------------------------------ */

/* Groups of words or of lines of a reference (text/score/by/by.h), and how well systems do in
 * each. */
struct dgm_score_by;
struct dgm_score_by_asked {
    const char *criterion, *reference;
    const char *text, *trees; /* what the criterion needs, or NULL */
    size_t systems;
};
extern const char dgm_by_names[]; /* `choices` of a row */
dgm_status dgm_score_by_open(dgm_context *context, const struct dgm_settings *settings,
                             const struct dgm_score_by_asked *asked, struct dgm_score_by **by);
/* Counts the words of a system, unless groups are of lines: then scorers do. */
dgm_status dgm_score_by_read(struct dgm_score_by *by, size_t system, const char *path);
/* Once all are read: how many groups there are, in the order of tables, and what they are. */
size_t dgm_score_by_count(struct dgm_score_by *by);
struct dgm_score_by_group {
    const char *name;
    long count; /* of words of the reference, or of lines */
};
struct dgm_score_by_group dgm_score_by_group(const struct dgm_score_by *by, size_t group);
/* Percent, of words; NaN where neither side has one. `scorer`: its score of the lines of the group;
 * it has read the system and keeps its sentences. */
double dgm_score_by_value(const struct dgm_score_by *by, size_t group, size_t system);
double dgm_score_by_score(const struct dgm_score_by *by, size_t group, const dgm_scorer *scorer);
/* "words", what the groups are called; whether they are of lines; "F1" or "recall" of words. */
const char *dgm_score_by_title(const struct dgm_score_by *by);
int dgm_score_by_is_of_lines(const struct dgm_score_by *by);
const char *dgm_score_by_measure(const struct dgm_score_by *by);
void dgm_score_by_close(struct dgm_score_by *by);

/* ---- draw/draw_compare.c ------------------------------------------------------------------- */

/* Sentences of two systems side by side, from the largest gain of the second to its largest loss by
 * a metric of sentences. */
struct dgm_draw_compare {
    const char *reference, *systems[2], *source; /* files; source: NULL, or one */
    const char *metric, *tokenize;               /* as in dgm_scorer_options */
    const char *format;                          /* "text", "html", "svg" */
    long most; /* so many of the largest gains and of the largest losses; 0: all */
};
dgm_status dgm_draw_compare(dgm_context *context, const struct dgm_draw_compare *asked,
                            dgm_write_fn write, void *user);

/* ---- parse/parsers.c ----------------------------------------------------------------------- */

/* Several parsers' trees of one gold file: whole, by sentence, or in groups of words. */
struct dgm_parsers;
struct dgm_parsers_asked {
    const char *gold;
    const char *const *systems; /* (count) */
    size_t count;
    const char *by; /* a criterion of trees or of lines (text/score/by/by.h), or NULL */
    const char *multi_root;
    int earlier_heads;
};
dgm_status dgm_parsers_open(dgm_context *context, const struct dgm_parsers_asked *asked,
                            struct dgm_parsers **parsers);
const char *dgm_parsers_metric(dgm_parse_metric metric); /* "LAS" */
/* F1 in percent, of all words. */
double dgm_parsers_score(const struct dgm_parsers *parsers, size_t system, dgm_parse_metric metric);
/* Without `by`: against the first by bootstrap over sentences of the gold file; results (count). */
dgm_status dgm_parsers_paired(struct dgm_parsers *parsers, dgm_parse_metric metric, long samples,
                              uint64_t seed, dgm_paired *results);
/* With it: the groups in the order of tables, and F1 in one. `words`: of the gold file. NaN where
 * neither file has a word. */
size_t dgm_parsers_groups(const struct dgm_parsers *parsers);
const char *dgm_parsers_group(const struct dgm_parsers *parsers, size_t group,
                              dgm_parse_metric metric, long *words);
double dgm_parsers_group_score(const struct dgm_parsers *parsers, size_t group, size_t system,
                               dgm_parse_metric metric);
long dgm_parsers_sentences(const struct dgm_parsers *parsers);
void dgm_parsers_close(struct dgm_parsers *parsers);

/* ---- train.c ------------------------------------------------------------------------------ */

/* The option tables of `train` and of `train-parser`, ended by NULL. */
const struct dgm_opt *const *dgm_train_option_tables(void);
const struct dgm_opt *const *dgm_train_parser_option_tables(void);

/* The settings as training takes them, in `settled`: what a model of --init has decided, and what
 * follows from others. Cleared by the caller unless it fails. */
dgm_status dgm_train_settle(dgm_context *context, struct dgm_settings *settled,
                            const struct dgm_settings *settings);

/* Training from settings over these tables. */
dgm_status dgm_train_settings(dgm_context *context, const struct dgm_settings *settings,
                              dgm_progress_fn progress, void *progress_user);
dgm_status dgm_train_parser_settings(dgm_context *context, const struct dgm_settings *settings,
                                     dgm_progress_fn progress, void *progress_user);

/* ---- kinds.c ------------------------------------------------------------------------------ */

/* Variant `number` of --syntax, counted from 0; 0 if there are no more. Its options stand in
 * parentheses behind its name. */
struct dgm_variant {
    const char *name, *cite, *help;
    const struct dgm_opt *options;
};
int dgm_variant_at(size_t number, struct dgm_variant *variant);

/* Kind `number` of --encoder, or of --decoder, counted from 0; 0 if there are no more. `options`
 * are the names of the options of `train` that shape it, separated by blanks. */
struct dgm_kind {
    const char *name, *cite, *help, *options;
    int needs_trees;
};
int dgm_encoder_at(size_t number, struct dgm_kind *kind);
int dgm_decoder_at(size_t number, struct dgm_kind *kind);

/* The rules of beam search, the default first, as in "|a|b". */
extern const char dgm_beam_rule_names[];

#endif
