/*
 * annotator.h: what `parse` and `annotate` share: the options of the parser, and the run over a
 * file.
 */
#ifndef DGM_CMD_TREE_ANNOTATOR_H
#define DGM_CMD_TREE_ANNOTATOR_H

#include "cmd/common.h"
#include "cmd/model/models.h"
#include "cmd/shard.h"
#include "cmd/together.h"

/* clang-format off */
/* Rows of a command's table, to stand beside --input and --output. */
#define DGM_CMD_PARSER                                                                             \
    DGM_CMD_MODEL_FILES(                                                                           \
        "Parser to use, or a translation model with one inside or in its attention; several "      \
        "parsers with the same relations and tags are an ensemble: they decide together, the "     \
        "first cuts running text and has all columns that are written"),                           \
    { .name = "format", .letter = 'f', .type = DGM_OPT_CHOICE, .argument = "KIND",                 \
      .fallback = "raw", .choices = "raw|lines|tokens|conllu", .aliases = "input-format",          \
      .help = "What comes in: running text; such text, a sentence a line; words between blanks; "  \
              "CoNLL-U" },                                                                         \
    { .name = "language", .type = DGM_OPT_TEXT, .argument = "CODE", .fallback = "en",              \
      .aliases = "source-lang", .help = "Language of running text: how it is cut into words",      \
      .needs = "format=raw|lines, which has words" },                                              \
    { .name = "tokenizer", .type = DGM_OPT_CHOICE, .argument = "WHICH", .fallback = "auto",        \
      .choices = "auto|own|moses",                                                                 \
      .help = "What cuts running text into words: the parser, if it has learned to; Moses' "       \
              "rules" },                                                                           \
    { .name = "treebank", .type = DGM_OPT_TEXT, .argument = "NAME", .once = 1,                     \
      .help = "Annotate as this treebank does, of those that train-parser --treebanks named; "     \
              "unset: the first of them" },                                                        \
    { .name = "projective", .type = DGM_OPT_FLAG, .fallback = "false",                             \
      .help = "The best tree without crossing arcs" },                                             \
    DGM_CMD_BATCH_TOKENS("mini-batch-words", "Words parsed together"),                             \
    DGM_CMD_SHARD,                                                                                 \
    DGM_CMD_RANKS,                                                                                 \
    DGM_CMD_COMPUTE_TYPE
/* clang-format on */

/* Zeroes the options of the interface and fills in what these rows say; `models` is their room for
 * names. DGM_USAGE without a model. */
dgm_status dgm_cmd_parser_options(struct dgm_cmd *cmd, dgm_annotator_options *options,
                                  const char *models[DGM_CMD_MODELS]);
/* Parses --input into --output. */
dgm_status dgm_cmd_annotate(struct dgm_cmd *cmd, struct dgm_ranks *ranks,
                            const dgm_annotator_options *options);

#endif
