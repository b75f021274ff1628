/*
 * options.c: the options of training: those of the loop, and those of a translation model.
 */
#include "train/options.h"

#include "data/text/pipeline.h"
#include "model/config.h"
#include "model/parser/parser.h"

/* ---- the loop, whatever is trained; in groups, so that a learner's own stand where they belong */

/* clang-format off */
#define LOOP_FILE                                                                 \
    { .name = "model", .letter = 'm', .type = DGM_OPT_OUTPUT, .argument = "FILE", \
      .fallback = "model.gguf", .aliases = "save-dir",                            \
      .help = "Where the model goes; checkpoints go to FILE.ckpt",                \
      .section = "Validation and checkpoints", .basic = 1 }

/* Its defaults differ: a treebank is smaller than a parallel text. */
#define LOOP_UPDATES(after_, tokens, rate, warmup_, beta2, clip)                                   \
    { .name = "seed", .type = DGM_OPT_INT, .argument = "N", .fallback = "1", .low = 0,             \
      .high = 4294967295.0,                                                                        \
      .help = "Names all random choices: the same seed gives the same bytes",                      \
      .section = "Updates" },                                                                      \
    { .name = "after", .type = DGM_OPT_LENGTH, .argument = "LENGTH", .fallback = after_, .low = 0, \
      .high = 1e15, .aliases = "max-update",                                                       \
      .help = "When to stop: 50e epochs, 100Ku updates, 1Gt tokens to be predicted, 12h",          \
      .resume = 1, .basic = 1 },                                                                   \
    { .name = "batch-tokens", .type = DGM_OPT_CHOICE, .argument = "N", .fallback = tokens,         \
      .choices = "auto", .low = 1, .high = DGM_BATCH_TOKENS_MOST,                                  \
      .aliases = "max-tokens mini-batch-words",                                                    \
      .help = "Tokens of a batch; a pair counts its longer side. Or, chosen when the training "    \
              "begins and then kept, as many as --memory has room for", .basic = 1 },              \
    { .name = "batch-size", .letter = 'b', .type = DGM_OPT_INT, .argument = "N", .fallback = "0",  \
      .low = 0, .high = 1000000, .aliases = "max-sentences mini-batch",                            \
      .help = "Most sentences of a batch, 0 for no limit" },                                       \
    { .name = "length-buckets", .type = DGM_OPT_INT, .argument = "N", .fallback = "0", .low = 0,   \
      .high = 1000000, .aliases = "maxi-batch",                                                    \
      .help = "Sort this many batches by length before cutting; packed batches do not need it" },  \
    { .name = "accumulate", .type = DGM_OPT_INT, .argument = "N", .fallback = "1", .low = 1,       \
      .high = 65536, .aliases = "update-freq optimizer-delay", .help = "Batches of an update" },   \
    { .name = "recompute", .type = DGM_OPT_FLAG, .fallback = "false",                              \
      .help = "Keep what goes from layer to layer, and make the rest again for the backward "      \
              "pass: less memory, more time, the same bytes", .resume = 1, .ranks = 1 },           \
    { .name = "cost-type", .type = DGM_OPT_CHOICE, .argument = "NAME", .fallback = "mean-words",   \
      .choices = "mean-words|mean",                                                                \
      .help = "Gradients are of the mean cost of a token, or of a sentence, which sums its "       \
              "tokens" },                                                                          \
    { .name = "lr", .letter = 'l', .type = DGM_OPT_REAL, .argument = "X", .fallback = rate,        \
      .low = 0, .high = 1000, .aliases = "learn-rate learning-rate",                               \
      .help = "Peak learning rate (noam: factor)", .section = "Learning rate and optimizer",       \
      .basic = 1 },                                                                                \
    { .name = "lr-schedule", .type = DGM_OPT_CHOICE, .argument = "NAME",                           \
      .fallback = "inverse-sqrt", .choices = "constant|noam|inverse-sqrt",                         \
      .aliases = "lr-scheduler", .help = "How the rate changes" },                                 \
    { .name = "warmup", .type = DGM_OPT_INT, .argument = "N", .fallback = warmup_, .low = 1,       \
      .high = 1e9, .aliases = "warmup-updates lr-warmup", .help = "Updates of rising rate" },      \
    { .name = "warmup-init-lr", .type = DGM_OPT_REAL, .argument = "X", .fallback = "1e-7",         \
      .low = 0, .high = 1000, .help = "Rate before the first update" },                            \
    { .name = "optimizer", .type = DGM_OPT_CHOICE, .argument = "NAME", .fallback = "adam",         \
      .choices = "adam|adadelta",                                                                  \
      .help = "Adam, or Adadelta, which finds its own rate: --lr and what changes it are "         \
              "ignored" },                                                                         \
    { .name = "adam-beta1", .type = DGM_OPT_REAL, .argument = "X", .fallback = "0.9", .low = 0,    \
      .high = 0.999999, .help = "Decay of Adam's first moment" },                                  \
    { .name = "adam-beta2", .type = DGM_OPT_REAL, .argument = "X", .fallback = beta2, .low = 0,    \
      .high = 0.9999999, .help = "Decay of Adam's second moment" },                                \
    { .name = "adam-eps", .type = DGM_OPT_REAL, .argument = "X", .fallback = "1e-8", .low = 1e-12, \
      .high = 1, .help = "Added to the root of the second moment" },                               \
    { .name = "adadelta-rho", .type = DGM_OPT_REAL, .argument = "X", .fallback = "0.95", .low = 0, \
      .high = 0.999999, .help = "Decay of Adadelta's means of squares" },                          \
    { .name = "adadelta-eps", .type = DGM_OPT_REAL, .argument = "X", .fallback = "1e-6",           \
      .low = 1e-12, .high = 1, .help = "Added to both of Adadelta's means" },                      \
    { .name = "weight-decay", .type = DGM_OPT_REAL, .argument = "X", .fallback = "0", .low = 0,    \
      .high = 1, .help = "Decoupled weight decay, with Adam",                                      \
      .excludes = "!~optimizer=adadelta, which has no learning rates that it would count in" },    \
    { .name = "clip-norm", .type = DGM_OPT_REAL, .argument = "X", .fallback = clip, .low = 0,      \
      .high = 1e9, .help = "Largest gradient norm, 0 for no limit" },                              \
    { .name = "ema", .type = DGM_OPT_REAL, .argument = "RATE", .low = 1e-7, .high = 1,             \
      .help = "Validations, checkpoints and the final model have a moving average of the values, " \
              "which moves by this share with each update, such as 1e-3" },                        \
    { .name = "freeze", .type = DGM_OPT_TEXT, .argument = "PATTERNS", .once = 1,                   \
      .help = "Parameters that stay as they are: names, separated by commas, with * for any "      \
              "letters: encoder.*,*.embed_tokens.weight" },                                        \
    { .name = "disp-freq", .type = DGM_OPT_LENGTH, .argument = "LENGTH", .fallback = "100u",       \
      .low = 1, .high = 1e12, .aliases = "log-interval", .help = "Updates between log lines",      \
      .resume = 1, .section = "Validation and checkpoints" },                                      \
    { .name = "save-freq", .type = DGM_OPT_LENGTH, .argument = "LENGTH", .fallback = "1e",         \
      .low = 1, .high = 1e12, .aliases = "save-interval-updates",                                  \
      .help = "Updates or epochs between checkpoints", .resume = 1 },                              \
    { .name = "valid-freq", .type = DGM_OPT_LENGTH, .argument = "LENGTH", .fallback = "1e",        \
      .low = 1, .high = 1e12, .help = "Updates or epochs between validations", .resume = 1 }

#define LOOP_END                                                                                   \
    { .name = "early-stopping", .type = DGM_OPT_INT, .argument = "N", .fallback = "0", .low = 0,   \
      .high = 1000000, .aliases = "patience",                                                      \
      .help = "Stop after N validations without a new best, 0 for never", .resume = 1,             \
      .basic = 1, .needs = "~valid-sets" },                                                        \
    { .name = "keep-last", .type = DGM_OPT_INT, .argument = "N", .fallback = "2", .low = 2,        \
      .high = 10000, .aliases = "keep-last-epochs",                                                \
      .help = "Checkpoints to keep; --average keeps as many as it needs",                          \
      .resume = 1, .ranks = 1 },                                                                   \
    { .name = "average", .type = DGM_OPT_INT, .argument = "N", .fallback = "0", .low = 0,          \
      .high = 10000,                                                                               \
      .help = "The final model is the mean of the last N checkpoints; 0: the best, or the last",   \
      .resume = 1 },                                                                               \
    { .name = "allow-missing-checkpoints", .type = DGM_OPT_FLAG, .fallback = "false",              \
      .help = "End without the checkpoints that --average, or the best model, misses", .resume = 1 }

#define LOOP_RESUME                                                                              \
    { .name = "resume", .type = DGM_OPT_FLAG, .fallback = "true",                                \
      .help = "Continue from the newest checkpoint; --no-resume moves those that are there "     \
              "aside", .resume = 1 },                                                            \
    { .name = "overwrite", .type = DGM_OPT_FLAG, .fallback = "false",                            \
      .help = "Start again where checkpoints cannot be continued, and replace any file at "      \
              "--model", .resume = 1 },                                                          \
    { .name = "allow-data-change", .type = DGM_OPT_FLAG, .fallback = "false",                    \
      .help = "Resume although training or validation text is another one; its epoch begins "    \
              "again", .resume = 1 },                                                            \
    { .name = "lock", .type = DGM_OPT_FLAG, .fallback = "true",                                  \
      .help = "Keep other trainers out; --no-lock goes on where the file system has no locks",   \
      .resume = 1, .ranks = 1 },                                                                 \
    { .name = "check-device", .type = DGM_OPT_REAL, .argument = "SHARE", .fallback = "0",        \
      .low = 0, .high = 1,                                                                       \
      .help = "Compute the losses of this share of updates on the CPU too, and stop where they " \
              "differ", .resume = 1, .ranks = 1, .section = "Plans, traces and checks" },        \
    { .name = "ranks", .type = DGM_OPT_CHOICE, .argument = "WHICH", .fallback = "auto",          \
      .choices = "auto|off", .low = 1, .high = 65536,                                            \
      .help = "Train together with the other processes that mpirun or srun has started; off: "   \
              "alone; a number: with so many, or none; with --dry-run, the number to plan for",  \
      .resume = 1, .section = "Several processes" },                                             \
    { .name = "link", .type = DGM_OPT_TEXT, .argument = "RATE,LATENCY",                          \
      .help = "With --dry-run and --ranks N: predict how long updates take where ranks are "     \
              "connected so, 100Gbit,2us", .resume = 1, .needs = "!dry-run" },                   \
    { .name = "update-seconds", .type = DGM_OPT_REAL, .argument = "S", .low = 1e-6, .high = 1e6, \
      .help = "With --link: what an update takes one process; unset: measured", .resume = 1,     \
      .needs = "!link" },                                                                        \
    { .name = "rank-timeout", .type = DGM_OPT_INT, .argument = "SECONDS", .fallback = "600",     \
      .low = 0, .high = 1000000,                                                                 \
      .help = "End the run, and name the rank, where one does not answer for so long; 0: "      \
              "never", .resume = 1, .ranks = 1 },                                               \
    { .name = "bucket", .type = DGM_OPT_BYTES, .argument = "SIZE", .fallback = "4M",             \
      .low = 1024, .high = 1099511627776.0,                                                      \
      .help = "Ranks send gradients in pieces of this size, each as soon as it is complete",     \
      .resume = 1 },                                                                             \
    { .name = "reduce", .type = DGM_OPT_CHOICE, .argument = "HOW", .fallback = "ordered",          \
      .choices = "ordered|fast",                                                                 \
      .help = "How ranks add up gradients: in the order of batches, the same bytes on any number " \
              "of ranks; fast: each its own, and MPI those of all, once an update",              \
      .resume = 1 },                                                                             \
    { .name = "reduce-type", .type = DGM_OPT_CHOICE, .argument = "TYPE", .fallback = "f32",      \
      .choices = "f32|bf16",                                                                     \
      .help = "How gradients of batches are sent; bf16: rounded to half the bytes, also where "  \
              "one process trains", .resume = 1,                                                 \
      .excludes = "!~reduce=fast, which adds up by MPI, and that has no sum of bf16" },          \
    { .name = "trace", .type = DGM_OPT_OUTPUT, .argument = "FILE",                               \
      .help = "Write what the first updates spend their time on, a timeline that "               \
              "chrome://tracing and Perfetto show", .section = "Plans, traces and checks",       \
      .excludes = "!dry-run, which makes no updates" },                                          \
    { .name = "trace-updates", .type = DGM_OPT_INT, .argument = "N", .fallback = "100",          \
      .low = 1, .high = 10000, .help = "Updates that --trace shows", .resume = 1,                \
      .needs = "trace" },                                                                        \
    { .name = "dry-run", .type = DGM_OPT_FLAG, .fallback = "false",                              \
      .help = "Report parameters and memory, then stop", .resume = 1 }
/* clang-format on */

#define TRANSLATION_UPDATES LOOP_UPDATES("100e", "4096", "5e-4", "4000", "0.98", "0")
#define PARSER_UPDATES LOOP_UPDATES("30e", "1500", "2e-3", "300", "0.9", "5")

int dgm_train_option_matters(const struct dgm_opt *opt)
{
    return !opt->resume && opt->type != DGM_OPT_FILE && opt->type != DGM_OPT_FILES &&
           opt->type != DGM_OPT_OUTPUT;
}

/* What models of SentencePiece, learned or given, leave no room for: of a recipe, too. */
#define NOT_LEARNED "!vocab-type=unigram|char, which learns all pieces"
#define NOT_GIVEN "!spm, whose models have their pieces"
/* Pieces that are drawn anew in each epoch. */
#define NOT_DRAWN                                \
    "!multitask, whose brackets are never cut; " \
    "!guided-alignment, whose links are of pieces that stay"

/* ---- a translation model -------------------------------------------------------------------- */

static const char valid_metrics[] = "ce-mean-words|accuracy"
#define METRIC(name) "|" #name
#include "text/score/metric_list.h"
    ;

/* Marian's names: what makes the same checkpoint the best. */
static const char *const metrics_of_marian[] = {
    "cross-entropy", "ce-mean-words", "perplexity", "ce-mean-words", "bleu-detok", "bleu", NULL
};

/* clang-format off */
const struct dgm_opt dgm_train_table[] = {
    LOOP_FILE,
    { .name = "train-sets", .letter = 't', .type = DGM_OPT_FILES, .argument = "SRC TRG...",
      .help = "Training text, one sentence a line; may be given again, for one text after the "
              "other", .reread = 1, .section = "Text", .basic = 1 },
    { .name = "train-list", .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "Training texts instead of --train-sets, one a line: source, target and, if wanted, "
              "a weight and a tag, with tabs between", .reread = 1,
      .excludes = "!train-sets, which names texts, too" },
    { .name = "tsv", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Each text, of training or validation, is one file with a tab between source and "
              "target", .resume = 1 },
    { .name = "train-weights", .type = DGM_OPT_REALS, .argument = "X,X...", .low = 1e-6,
      .high = 1e9, .help = "The shares that texts have of an epoch, in their order", .resume = 1 },
    { .name = "train-temperature", .type = DGM_OPT_REAL, .argument = "T", .low = 1, .high = 1000,
      .help = "The share of a text of n pairs is as n^(1/T): 1 as they are, 5 small ones more "
              "often", .resume = 1 },
    { .name = "train-tags", .type = DGM_OPT_NAMES, .argument = "TAG,TAG...",
      .help = "A tag in front of every source of a text, such as <de>, one for each in their "
              "order; or none", .resume = 1 },
    { .name = "valid-sets", .type = DGM_OPT_FILES, .argument = "SRC TRG...",
      .help = "Validation text; may be given again: each is scored, and the first decides the "
              "best checkpoint and early stopping", .reread = 1, .basic = 1 },
    { .name = "valid-names", .type = DGM_OPT_NAMES, .argument = "NAME,NAME...",
      .help = "What several validation texts are called in the log; unset: 1, 2 ..", .resume = 1 },
    { .name = "valid-tags", .type = DGM_OPT_NAMES, .argument = "TAG,TAG...",
      .help = "The tags of validation texts, where the model learns any; or none", .resume = 1 },
    { .name = "train-trees", .type = DGM_OPT_FILES, .argument = "FILE...",
      .help = "Trees of the training source, a file for each text: CoNLL-U or, for constituents, "
              "brackets, one tree a line; none", .reread = 1, .section = "Trees and links",
      .basic = 1 },
    { .name = "train-target-trees", .type = DGM_OPT_FILES, .argument = "FILE...",
      .help = "CoNLL-U trees of the training target, for variants whose decoder parses; or none",
      .reread = 1 },
    { .name = "valid-trees", .type = DGM_OPT_FILES, .argument = "FILE...",
      .help = "Trees of the validation source, as those of the training source; or none",
      .reread = 1 },
    { .name = "sentence-weights", .type = DGM_OPT_FILES, .argument = "FILE...",
      .help = "What the losses of each training pair are multiplied by, a number a line, a file "
              "for each text; or none", .reread = 1, .section = "Text",
      .excludes = "!multitask, whose parses have none" },
    { .name = "guided-alignment", .type = DGM_OPT_FILES, .argument = "FILE...",
      .help = "Links between the words of each training pair, 0-0 1-2 a line, which a head of the "
              "decoder's attention learns: a file for each text; or none", .reread = 1,
      .section = "Trees and links", .excludes = "!multitask, whose parses have no links" },
    { .name = "guided-alignment-weight", .type = DGM_OPT_REAL, .argument = "X", .low = 1e-6,
      .high = 1000, .help = "What the loss of links is multiplied by; unset: 0.1",
      .needs = "!guided-alignment" },
    { .name = "train-brackets", .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "Bracketed trees of the training source, one a line, for --multitask", .reread = 1,
      .needs = "!multitask" },
    { .name = "multitask-ratio", .type = DGM_OPT_REAL, .argument = "R", .low = 0, .high = 1,
      .help = "Parses to learn in an epoch for each translation, others in each; unset: all, 1",
      .needs = "!multitask" },
    { .name = "multitask-batches", .type = DGM_OPT_CHOICE, .argument = "HOW",
      .choices = "mixed|beside",
      .help = "Parses are pairs like others, or stand beside batches of translations, which then "
              "are those of a run without --multitask; unset: mixed", .needs = "!multitask" },
    { .name = "parser", .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "Parser that goes into the model, and makes the trees where no file of them is "
              "named" },
    { .name = "train-cache", .type = DGM_OPT_OUTPUT, .argument = "FILE", .fallback = "auto",
      .choices = "auto|none",
      .help = "Where encoded training text is kept: in this file; at MODEL.cache, where it is "
              "larger than --shuffle-memory; in memory alone", .section = "Memory" },
    { .name = "shuffle-memory", .type = DGM_OPT_BYTES, .argument = "LIMIT", .fallback = "256M",
      .low = 1 << 20, .high = 8589934592.0,
      .help = "Memory of training text, 256M or 2G: a larger one is kept in a file, and shuffled "
              "in parts of this size", .resume = 1, .section = "Memory" },
    { .name = "on-bad-line", .type = DGM_OPT_CHOICE, .argument = "WHAT", .fallback = "error",
      .choices = "error|skip|replace",
      .help = "What ill-formed UTF-8 in the text does: stop, cost the pair, or become U+FFFD",
      .section = "Text" },
    { .name = "vocabs", .letter = 'v', .type = DGM_OPT_FILES, .argument = "SRC TRG",
      .help = "Dictionaries to use; one file for a joint vocabulary. With --init, entries to add "
              "to the model's", .section = "Words and pieces", .excludes = NOT_LEARNED },
    { .name = "dim-vocabs", .type = DGM_OPT_INT, .argument = "N", .fallback = "0", .low = 0,
      .high = 4194304, .aliases = "nwordssrc", .unsaid = 1,
      .help = "Most entries of a learned vocabulary, 0 for no limit", .excludes = NOT_GIVEN },
    { .name = "min-freq", .type = DGM_OPT_INTS, .argument = "N [N]", .fallback = "1", .low = 1,
      .high = 1000000000, .aliases = "thresholdsrc", .unsaid = 1,
      .help = "Least count of an entry, on both sides or on each",
      .excludes = NOT_LEARNED "; " NOT_GIVEN },
    { .name = "init", .type = DGM_OPT_FILE, .argument = "MODEL",
      .help = "Start from a model that was trained before, with its options, codes, vocabularies "
              "and values, instead of random ones", .section = "Beginning from a model" },
    { .name = "init-partial", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Let the model be another one than that of --init, and take over what has the same "
              "name and shape; of other vocabularies, the vectors of tokens that both have",
      .resume = 1 },
    { .name = "codes", .type = DGM_OPT_FILE, .argument = "FILE", .help = "BPE codes to use",
      .section = "Words and pieces", .excludes = NOT_LEARNED "; " NOT_GIVEN },
    { .name = "spm", .type = DGM_OPT_FILES, .argument = "SRC TRG",
      .help = "SentencePiece models (.model) that cut raw text into the pieces of the "
              "vocabularies; one file for both sides", .excludes = NOT_LEARNED },
    { .name = "bpe-merges", .type = DGM_OPT_INT, .argument = "N", .fallback = "10000", .low = 0,
      .high = 16777216, .aliases = "symbols", .unsaid = 1,
      .help = "BPE merges to learn on both sides together; 0: words stay whole", .basic = 1,
      .excludes = NOT_LEARNED "; " NOT_GIVEN },
    { .name = "vocab-type", .type = DGM_OPT_CHOICE, .argument = "KIND",
      .choices = "bpe|unigram|char",
      .help = "What pieces to learn: BPE merges of words, or SentencePiece models of raw text, "
              "which make --dim-vocabs entries of each vocabulary (0: 8000); unset: bpe" },
    { .name = "spm-sampling", .type = DGM_OPT_REAL, .argument = "ALPHA", .low = 0, .high = 10,
      .help = "Draw the pieces of unigram models anew in each epoch, in proportion to their "
              "probability to the power of ALPHA; unset: the best ones", .excludes = NOT_DRAWN },
    { .name = "bpe-dropout", .type = DGM_OPT_REAL, .argument = "P", .low = 0, .high = 1,
      .help = "Cut words anew in each epoch, and pass over merges with this probability; unset: "
              "over none", .excludes = NOT_DRAWN },
    { .name = "augment", .type = DGM_OPT_TEXT, .argument = "WHAT",
      .help = "Change these shares of the lines anew in each epoch, as people write in haste: "
              "case=0.05,typo=0.02,punct=0.02; unset: none",
      .excludes = "!multitask, whose brackets are never cut; "
                  "!guided-alignment, whose links are of words that stay" },
    { .name = "learn-lines", .type = DGM_OPT_INT, .argument = "N", .low = 1, .high = 9e15,
      .help = "Learn codes and vocabularies from a sample of so many pairs, always the same ones; "
              "unset: all", .excludes = NOT_GIVEN },
    { .name = "count-memory", .type = DGM_OPT_BYTES, .argument = "LIMIT", .fallback = "2G",
      .low = 131072, .high = 1099511627776.0,
      .help = "Keep the counts of words, from which they are learned, in this much memory; beyond "
              "it the rarest words go, and a warning says so", .resume = 1, .section = "Memory" },
    TRANSLATION_UPDATES,
    { .name = "valid-metrics", .type = DGM_OPT_CHOICES, .argument = "NAME...",
      .fallback = "ce-mean-words", .choices = valid_metrics, .renamed = metrics_of_marian,
      .help = "What a validation measures; the first decides the best checkpoint and early "
              "stopping", .section = "Validation and checkpoints", .basic = 1,
      .needs = "valid-sets" },
    LOOP_END,
    { .name = "beam-size", .type = DGM_OPT_INT, .argument = "N", .fallback = "1", .low = 1,
      .high = 64, .aliases = "beam", .help = "Beam of the translations that validation scores",
      .needs = "valid-sets" },
    LOOP_RESUME,
    DGM_OPT_END
};
/* clang-format on */

const struct dgm_opt *const dgm_train_tables[] = { dgm_train_table, dgm_model_options,
                                                   dgm_recurrent_options, dgm_pipeline_options,
                                                   NULL };

/* ---- a parser -------------------------------------------------------------------------------- */

/* clang-format off */
const struct dgm_opt dgm_train_parser_table[] = {
    LOOP_FILE,
    { .name = "train-sets", .letter = 't', .type = DGM_OPT_FILES, .argument = "FILE...",
      .aliases = "train", .help = "Treebanks to train on, CoNLL-U with tags and trees",
      .reread = 1, .section = "Treebanks", .basic = 1 },
    { .name = "valid-sets", .type = DGM_OPT_FILES, .argument = "FILE...", .aliases = "dev",
      .help = "Treebanks to validate on", .reread = 1, .basic = 1 },
    { .name = "treebanks", .type = DGM_OPT_NAMES, .argument = "NAME,NAME...", .once = 1,
      .help = "Tell treebanks apart: a name for each file of --train-sets, the same for files of "
              "one treebank; `parse --treebank` chooses; unset: all files are one treebank",
      .resume = 1 },
    { .name = "valid-treebanks", .type = DGM_OPT_NAMES, .argument = "NAME,NAME...", .once = 1,
      .help = "The treebank, of --treebanks, that each file of --valid-sets is parsed as; needed "
              "where there are several", .resume = 1, .needs = "!treebanks" },
    { .name = "multi-root", .type = DGM_OPT_CHOICE, .argument = "WHAT", .fallback = "error",
      .choices = "error|attach-first", .help = "What to do with a sentence of several roots" },
    { .name = "dim-vocabs", .type = DGM_OPT_INT, .argument = "N", .fallback = "0", .low = 0,
      .high = 4194304, .help = "Most entries of the vocabulary of words, 0 for no limit",
      .section = "Words and pieces" },
    { .name = "min-freq", .type = DGM_OPT_INT, .argument = "N", .fallback = "2", .low = 1,
      .high = 1000000000, .help = "Least count of a word that is known as a whole" },
    { .name = "bpe-merges", .type = DGM_OPT_INT, .argument = "N", .fallback = "4000", .low = 0,
      .high = 16777216, .aliases = "symbols",
      .help = "BPE merges to learn", .needs = "~pieces=subwords, which has no such option" },
    { .name = "vectors", .type = DGM_OPT_FILE, .argument = "FILE", .once = 1,
      .help = "Vectors of words, learned from other text, to read beside those that are trained: "
              "lines of a word and its numbers, as word2vec, fastText and `vectors train` write "
              "them" },
    { .name = "vectors-limit", .type = DGM_OPT_INT, .argument = "N", .low = 1, .high = 4000000,
      .help = "Most words of --vectors, the first of the file; unset: 100000", .resume = 1,
      .needs = "!vectors" },
    PARSER_UPDATES,
    { .name = "valid-metrics", .type = DGM_OPT_CHOICES, .argument = "NAME...",
      .fallback = "las", .choices = "las|uas|upos|xpos|ufeats|alltags|lemmas|mlas|blex",
      .help = "All of them are told that --columns allow; the first that stands here decides "
              "the best checkpoint and early stopping", .section = "Validation and checkpoints",
      .basic = 1, .needs = "valid-sets" },
    LOOP_END,
    LOOP_RESUME,
    DGM_OPT_END
};
/* clang-format on */

const struct dgm_opt *const dgm_train_parser_tables[] = { dgm_train_parser_table,
                                                          dgm_parser_options, NULL };
