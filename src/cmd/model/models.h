/*
 * models.h: what commands that use models share: rows of their tables, the files of --models, and
 * where a new model goes.
 */
#ifndef DGM_CMD_MODEL_MODELS_H
#define DGM_CMD_MODEL_MODELS_H

#include "cmd/common.h"

/* clang-format off */
/* Rows of the tables of commands that translate, score translations or parse. */
#define DGM_CMD_MODEL_FILES(text)                                                    \
    { .name = "models", .letter = 'm', .type = DGM_OPT_FILES, .argument = "FILE...", \
      .aliases = "model path", .help = text }
/* Of which side, "input" or "source". */
#define DGM_CMD_TREES(side)                                                                    \
    { .name = "trees", .type = DGM_OPT_FILE, .argument = "FILE", .fallback = "auto",           \
      .choices = "auto|none", .aliases = "tree",                                               \
      .help = "Trees of the " side ", CoNLL-U or brackets; auto: by the parser in the model; " \
              "none: no trees" }
#define DGM_CMD_TAG                                                                             \
    { .name = "tag", .type = DGM_OPT_TEXT, .argument = "TAG",                                   \
      .help = "Put this tag, such as <de>, in front of each line: one of those that the model " \
              "was trained with" }
#define DGM_CMD_LINE_TAGS                                                                       \
    { .name = "line-tags", .type = DGM_OPT_FLAG, .fallback = "true",                           \
      .help = "Read a tag at the head of a line, <de> or >>de<<, in place of --tag, where the " \
              "model has learned any" }
/* "Begin each translation", "Each translation begins". */
#define DGM_CMD_TARGET_TAG(begins)                                                               \
    { .name = "target-tag", .type = DGM_OPT_TEXT, .argument = "TAG",                             \
      .help = begins " with this tag, such as <de>: of models, as M2M-100 is one, that take it " \
                     "for the language" }
/* What such a line is otherwise, "translated" or "scored". */
#define DGM_CMD_NO_PARSE(done)                                                                 \
    { .name = "no-parse", .type = DGM_OPT_CHOICE, .argument = "HOW", .fallback = "auto",       \
      .choices = "auto|star|chain|reject",                                                     \
      .help = "A line without a tree, where trees are needed: " done " without, or named and " \
              "left empty; auto: as the model was trained" }
#define DGM_CMD_PENALTY(usual, text)                                                    \
    { .name = "penalty", .type = DGM_OPT_CHOICE, .argument = "NAME", .fallback = usual, \
      .choices = "fairseq|gnmt|none", .help = text },                                   \
    { .name = "normalize", .letter = 'n', .type = DGM_OPT_REAL, .argument = "A",        \
      .fallback = DGM_SEARCH_TEXT(DGM_SEARCH_ALPHA), .low = 0, .high = 10,              \
      .aliases = "lenpen length-penalty", .help = "Strength of the length penalty" }
#define DGM_CMD_BATCH_TOKENS(others, text)                                             \
    { .name = "batch-tokens", .type = DGM_OPT_INT, .argument = "N",                    \
      .fallback = DGM_SEARCH_TEXT(DGM_SEARCH_BATCH_TOKENS), .low = 1, .high = 1000000, \
      .aliases = others, .help = text "; results never depend on it" }
#define DGM_CMD_COMPUTE_TYPE                                                                  \
    { .name = "compute-type", .type = DGM_OPT_CHOICE, .argument = "TYPE", .fallback = "auto", \
      .choices = "auto|f32|int8|bf16",                                                        \
      .help = "Multiply weights as these; auto: as the model's file has them (q8_0 as int8)" }
/* clang-format on */

/* The files of --models. DGM_USAGE if there are none, or if one behind the first is no model. */
enum { DGM_CMD_MODELS = 16 };
dgm_status dgm_cmd_models(struct dgm_cmd *cmd, const char *names[DGM_CMD_MODELS], size_t *count);

/* The file that --trees names; NULL for `auto` and for `none`, with *none 1 for the latter. A
 * file of such a name is ./auto or ./none. */
const char *dgm_cmd_choose_trees(const struct dgm_settings *settings, int *none);

/* What --no-parse says, or NULL for auto. */
const char *dgm_cmd_no_parse(const struct dgm_settings *settings);

/* DGM_USAGE unless --output names a file that is not there, or --overwrite was given. */
dgm_status dgm_cmd_new_model(struct dgm_cmd *cmd);

#endif
