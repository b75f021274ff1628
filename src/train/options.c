/*
 * options.c: the options of training: those of the loop, and those of a translation model.
 */
#include "train/options.h"

#include <string.h>

#include "data/text/pipeline.h"
#include "model/config.h"
#include "model/parser/parser.h"

/* ---- the loop, whatever is trained; in groups, so that a learner's own stand where they belong */

/* clang-format off */
#define LOOP_FILE                                                                                  \
    {"model", 'm', DGM_OPT_OUTPUT, "FILE", "model.gguf", 0, 0, NULL, "save-dir",                     \
     "Where the model goes; checkpoints go to FILE.ckpt"}

/* Its defaults differ: a treebank is smaller than a parallel text. */
#define LOOP_UPDATES(after_, tokens, rate, warmup_, beta2, clip)                                   \
    {"seed", 0, DGM_OPT_INT, "N", "1", 0, 4294967295.0, NULL, NULL,                                \
     "Names all random choices: the same seed gives the same bytes"},                              \
    {"after", 0, DGM_OPT_LENGTH, "LENGTH", after_, 0, 1e15, NULL, "max-update",                    \
     "When to stop: 50e epochs, 100Ku updates, 1Gt tokens to be predicted, 12h"},                  \
    {"batch-tokens", 0, DGM_OPT_INT, "N", tokens, 1, 16777216, NULL,                               \
     "max-tokens mini-batch-words", "Tokens of a batch; a pair counts its longer side"},           \
    {"batch-size", 'b', DGM_OPT_INT, "N", "0", 0, 1000000, NULL, "max-sentences mini-batch",       \
     "Most sentences of a batch, 0 for no limit"},                                                 \
    {"length-buckets", 0, DGM_OPT_INT, "N", "0", 0, 1000000, NULL, "maxi-batch",                   \
     "Sort this many batches by length before cutting; packed batches do not need it"},            \
    {"accumulate", 0, DGM_OPT_INT, "N", "1", 1, 65536, NULL, "update-freq optimizer-delay",        \
     "Batches of an update"},                                                                      \
    {"cost-type", 0, DGM_OPT_CHOICE, "NAME", "mean-words", 0, 0, "mean-words|mean", NULL,          \
     "Gradients are of the mean cost of a token, or of a sentence, which sums its tokens"},        \
    {"lr", 'l', DGM_OPT_REAL, "X", rate, 0, 1000, NULL, "learn-rate learning-rate",                \
     "Peak learning rate (noam: factor)"},                                                         \
    {"lr-schedule", 0, DGM_OPT_CHOICE, "NAME", "inverse-sqrt", 0, 0,                               \
     "constant|noam|inverse-sqrt", "lr-scheduler", "How the rate changes"},                        \
    {"warmup", 0, DGM_OPT_INT, "N", warmup_, 1, 1e9, NULL, "warmup-updates lr-warmup",             \
     "Updates of rising rate"},                                                                    \
    {"warmup-init-lr", 0, DGM_OPT_REAL, "X", "1e-7", 0, 1000, NULL, NULL,                          \
     "Rate before the first update"},                                                              \
    {"optimizer", 0, DGM_OPT_CHOICE, "NAME", "adam", 0, 0, "adam|adadelta", NULL,                \
     "Adam, or Adadelta, which finds its own rate: --lr and what changes it are ignored"},         \
    {"adam-beta1", 0, DGM_OPT_REAL, "X", "0.9", 0, 0.999999, NULL, NULL,                           \
     "Decay of Adam's first moment"},                                                              \
    {"adam-beta2", 0, DGM_OPT_REAL, "X", beta2, 0, 0.9999999, NULL, NULL,                          \
     "Decay of Adam's second moment"},                                                             \
    {"adam-eps", 0, DGM_OPT_REAL, "X", "1e-8", 0, 1, NULL, NULL,                                   \
     "Added to the root of the second moment"},                                                    \
    {"adadelta-rho", 0, DGM_OPT_REAL, "X", "0.95", 0, 0.999999, NULL, NULL,                        \
     "Decay of Adadelta's means of squares"},                                                      \
    {"adadelta-eps", 0, DGM_OPT_REAL, "X", "1e-6", 0, 1, NULL, NULL,                               \
     "Added to both of Adadelta's means"},                                                         \
    {"weight-decay", 0, DGM_OPT_REAL, "X", "0", 0, 1, NULL, NULL,                                  \
     "Decoupled weight decay, with Adam"},                                                         \
    {"clip-norm", 0, DGM_OPT_REAL, "X", clip, 0, 1e9, NULL, NULL,                                  \
     "Largest gradient norm, 0 for no limit"},                                                     \
    {"disp-freq", 0, DGM_OPT_LENGTH, "LENGTH", "100u", 1, 1e12, NULL, "log-interval",              \
     "Updates between log lines"},                                                                 \
    {"save-freq", 0, DGM_OPT_LENGTH, "LENGTH", "1e", 1, 1e12, NULL, "save-interval-updates",       \
     "Updates or epochs between checkpoints"},                                                     \
    {"valid-freq", 0, DGM_OPT_LENGTH, "LENGTH", "1e", 1, 1e12, NULL, NULL,                         \
     "Updates or epochs between validations"}

#define LOOP_END                                                                                   \
    {"early-stopping", 0, DGM_OPT_INT, "N", "0", 0, 1000000, NULL, "patience",                     \
     "Stop after N validations without a new best, 0 for never"},                                  \
    {"keep-last", 0, DGM_OPT_INT, "N", "2", 2, 10000, NULL, "keep-last-epochs",                    \
     "Checkpoints to keep; --average keeps as many as it needs"},                                  \
    {"average", 0, DGM_OPT_INT, "N", "0", 0, 10000, NULL, NULL,                                    \
     "The final model is the mean of the last N checkpoints; 0: the best, or the last"},           \
    {"allow-missing-checkpoints", 0, DGM_OPT_FLAG, NULL, "false", 0, 0, NULL, NULL,                \
     "End without the checkpoints that --average, or the best model, misses"}

#define LOOP_RESUME                                                                                \
    {"resume", 0, DGM_OPT_FLAG, NULL, "true", 0, 0, NULL, NULL,                                    \
     "Continue from the newest checkpoint; --no-resume moves those that are there aside"},         \
    {"overwrite", 0, DGM_OPT_FLAG, NULL, "false", 0, 0, NULL, NULL,                                \
     "Start again where checkpoints cannot be continued, and replace any file at --model"},        \
    {"allow-data-change", 0, DGM_OPT_FLAG, NULL, "false", 0, 0, NULL, NULL,                        \
     "Resume although training or validation text is another one; its epoch begins again"},        \
    {"lock", 0, DGM_OPT_FLAG, NULL, "true", 0, 0, NULL, NULL,                                      \
     "Keep other trainers out; --no-lock goes on where the file system has no locks"},             \
    {"check-device", 0, DGM_OPT_REAL, "SHARE", "0", 0, 1, NULL, NULL,                              \
     "Compute the losses of this share of updates on the CPU too, and stop where they differ"},    \
    {"dry-run", 0, DGM_OPT_FLAG, NULL, "false", 0, 0, NULL, NULL,                                  \
     "Report parameters and memory, then stop"}
/* clang-format on */

#define TRANSLATION_UPDATES LOOP_UPDATES("100e", "4096", "5e-4", "4000", "0.98", "0")
#define PARSER_UPDATES LOOP_UPDATES("30e", "1500", "2e-3", "300", "0.9", "5")

const struct dgm_opt dgm_train_loop_options[] = { LOOP_FILE, TRANSLATION_UPDATES, LOOP_END,
                                                  LOOP_RESUME, DGM_OPT_END };

int dgm_train_option_matters(const struct dgm_opt *opt)
{
    static const char *const free_to_change[] = {
        "after",     "disp-freq",    "early-stopping",
        "keep-last", "average",      "allow-missing-checkpoints",
        "resume",    "overwrite",    "allow-data-change",
        "lock",      "check-device", "dry-run",
        NULL
    };
    int i;

    if (opt->type == DGM_OPT_FILE || opt->type == DGM_OPT_FILES || opt->type == DGM_OPT_OUTPUT)
        return 0;
    for (i = 0; free_to_change[i] != NULL; i++)
        if (strcmp(opt->name, free_to_change[i]) == 0)
            return 0;
    return 1;
}

/* ---- a translation model -------------------------------------------------------------------- */

const struct dgm_opt dgm_train_table[] = {
    LOOP_FILE,
    { "train-sets", 't', DGM_OPT_FILES, "SRC TRG", NULL, 0, 0, NULL, NULL,
      "Training text, one sentence a line" },
    { "valid-sets", 0, DGM_OPT_FILES, "SRC TRG", NULL, 0, 0, NULL, NULL, "Validation text" },
    { "train-trees", 0, DGM_OPT_FILE, "FILE", NULL, 0, 0, NULL, NULL,
      "Trees of the training source: CoNLL-U or, for constituents, brackets, one tree a line; none" },
    { "train-target-trees", 0, DGM_OPT_FILE, "FILE", NULL, 0, 0, NULL, NULL,
      "CoNLL-U trees of the training target, for variants whose decoder parses; or none" },
    { "valid-trees", 0, DGM_OPT_FILE, "FILE", NULL, 0, 0, NULL, NULL,
      "Trees of the validation source, as those of the training source; or none" },
    { "train-brackets", 0, DGM_OPT_FILE, "FILE", NULL, 0, 0, NULL, NULL,
      "Bracketed trees of the training source, one a line, for --multitask" },
    { "parser", 0, DGM_OPT_FILE, "FILE", NULL, 0, 0, NULL, NULL,
      "Parser that goes into the model, and makes the trees where no file of them is named" },
    { "on-bad-line", 0, DGM_OPT_CHOICE, "WHAT", "error", 0, 0, "error|skip|replace", NULL,
      "What ill-formed UTF-8 in the text does: stop, cost the pair, or become U+FFFD" },
    { "vocabs", 'v', DGM_OPT_FILES, "SRC TRG", NULL, 0, 0, NULL, NULL,
      "Dictionaries to use; one file for a joint vocabulary" },
    { "dim-vocabs", 0, DGM_OPT_INT, "N", "0", 0, 4194304, NULL, "nwordssrc",
      "Most entries of a learned vocabulary, 0 for no limit" },
    { "min-freq", 0, DGM_OPT_INT, "N", "1", 1, 1000000000, NULL, "thresholdsrc",
      "Least count of an entry" },
    { "codes", 0, DGM_OPT_FILE, "FILE", NULL, 0, 0, NULL, NULL, "BPE codes to use" },
    { "bpe-merges", 0, DGM_OPT_INT, "N", "10000", 0, 16777216, NULL, "symbols",
      "BPE merges to learn on both sides together; 0: words stay whole" },
    TRANSLATION_UPDATES,
    { "valid-metrics", 0, DGM_OPT_CHOICE, "NAME", "ce-mean-words", 0, 0, "ce-mean-words|bleu", NULL,
      "What decides the best checkpoint and early stopping" },
    LOOP_END,
    { "beam-size", 0, DGM_OPT_INT, "N", "1", 1, 64, NULL, "beam",
      "Beam of the translations that validation scores" },
    LOOP_RESUME,
    DGM_OPT_END
};

const struct dgm_opt *const dgm_train_tables[] = { dgm_train_table, dgm_model_options,
                                                   dgm_recurrent_options, dgm_pipeline_options,
                                                   NULL };

/* ---- a parser -------------------------------------------------------------------------------- */

const struct dgm_opt dgm_train_parser_table[] = {
    LOOP_FILE,
    { "train-sets", 't', DGM_OPT_FILES, "FILE...", NULL, 0, 0, NULL, "train",
      "Treebanks to train on, CoNLL-U with tags and trees" },
    { "valid-sets", 0, DGM_OPT_FILES, "FILE...", NULL, 0, 0, NULL, "dev",
      "Treebanks to validate on" },
    { "multi-root", 0, DGM_OPT_CHOICE, "WHAT", "error", 0, 0, "error|attach-first", NULL,
      "What to do with a sentence of several roots" },
    { "dim-vocabs", 0, DGM_OPT_INT, "N", "0", 0, 4194304, NULL, NULL,
      "Most entries of the vocabulary of words, 0 for no limit" },
    { "min-freq", 0, DGM_OPT_INT, "N", "2", 1, 1000000000, NULL, NULL,
      "Least count of a word that is known as a whole" },
    { "bpe-merges", 0, DGM_OPT_INT, "N", "4000", 0, 16777216, NULL, "symbols",
      "BPE merges to learn where --pieces is subwords" },
    PARSER_UPDATES,
    { "valid-metrics", 0, DGM_OPT_CHOICE, "NAME", "las", 0, 0, "las|uas|upos", NULL,
      "What decides the best checkpoint and early stopping" },
    LOOP_END,
    LOOP_RESUME,
    DGM_OPT_END
};

const struct dgm_opt *const dgm_train_parser_tables[] = { dgm_train_parser_table,
                                                          dgm_parser_options, NULL };
