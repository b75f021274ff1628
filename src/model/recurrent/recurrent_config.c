/*
 * recurrent_config.c: the options that shape recurrent encoders and decoders (specification,
 * recurrent models; the names of its ambiguities' switches).
 */
#include <string.h>

#include "base/number/number.h"
#include "model/config.h"

/* clang-format off */
const struct dgm_opt dgm_recurrent_options[] = {
    { .name = "dim-rnn", .type = DGM_OPT_INT, .argument = "N", .fallback = "500", .low = 1,
      .high = 65536, .help = "Width of the states of recurrent encoders and decoders" },
    { .name = "birnn", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "1", .low = 0, .high = 1,
      .help = "A bidirectional GRU beneath tree encoders" },
    { .name = "dynamic-z", .type = DGM_OPT_INT, .argument = "K", .fallback = "0", .low = 0,
      .high = 65536,
      .help = "Width of the vector that generates a tree encoder's parameters; 0: static "
              "parameters" },
    { .name = "src-eos", .type = DGM_OPT_CHOICE, .argument = "WHETHER", .fallback = "auto",
      .choices = "auto|0|1",
      .help = "Recurrent encoders read the end of the sentence; auto: the sequential one does" },
    { .name = "attend-level", .type = DGM_OPT_TEXT, .argument = "LEVELS", .fallback = "all",
      .help = "Constituents to attend to: all, up to a level (leaves: 1), or >1" },
    { .name = "tree-cell", .type = DGM_OPT_CHOICE, .argument = "CELL", .fallback = "tg10",
      .choices = "tg10|tg12",
      .help = "How a constituent mixes its children: by a softmax, or by three gates" },
    { .name = "root-td", .type = DGM_OPT_CHOICE, .argument = "HOW", .fallback = "copy",
      .choices = "copy|lc0",
      .help = "The root on the way down: its state on the way up, or the left child of a zero "
              "parent" },
    { .name = "dec-init", .type = DGM_OPT_CHOICE, .argument = "FROM", .fallback = "lower",
      .choices = "lower|states",
      .help = "With constituents, the decoder starts from the mean of what is below the tree, or "
              "of all" },
    { .name = "carry", .type = DGM_OPT_CHOICE, .argument = "HOW", .fallback = "sum",
      .choices = "sum|mean",
      .help = "What a dependent's update gate carries on of its head and its sibling" },
    { .name = "projection", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "tanh",
      .choices = "tanh|linear", .help = "From the bidirectional layer into the tree" },
    { .name = "share-q", .type = DGM_OPT_CHOICE, .argument = "HOW", .fallback = "group",
      .choices = "group|matrix",
      .help = "Input factors of dynamic parameters: one for a group of gates, or one for each" },
    { .name = "no-parse", .type = DGM_OPT_CHOICE, .argument = "HOW", .fallback = "chain",
      .choices = "chain|reject",
      .help = "A sentence without a tree: each word depends on the one before it, or an error" },
    DGM_OPT_END
};
/* clang-format on */

enum { MOST_LEVELS = 1000000 };

static int is_choice(const struct dgm_settings *settings, const char *name, const char *choice)
{
    return strcmp(dgm_settings_text(settings, name), choice) == 0;
}

/* all, >1, or a level. */
static dgm_status read_level(struct dgm_env *env, const char *text, int *level)
{
    int64_t value;

    if (strcmp(text, "all") == 0) {
        *level = 0;
        return DGM_OK;
    }
    if (strcmp(text, ">1") == 0) {
        *level = -1;
        return DGM_OK;
    }
    if (!dgm_number_int(&value, text, strlen(text)) || value < 1 || value > MOST_LEVELS)
        return dgm_fail(env, DGM_USAGE, "--attend-level %s; expected all, >1, or a level from 1",
                        text);
    *level = (int)value;
    return DGM_OK;
}

dgm_status dgm_recurrent_config_read(struct dgm_env *env, struct dgm_recurrent_config *config,
                                     const struct dgm_settings *settings)
{
    config->dim = dgm_settings_int(settings, "dim-rnn");
    config->dynamic = dgm_settings_int(settings, "dynamic-z");
    config->birnn = (int)dgm_settings_int(settings, "birnn");
    config->source_end =
        is_choice(settings, "src-eos", "auto") ? -1 : is_choice(settings, "src-eos", "1");
    config->three_gates = is_choice(settings, "tree-cell", "tg12");
    config->root_lc0 = is_choice(settings, "root-td", "lc0");
    config->init_states = is_choice(settings, "dec-init", "states");
    config->carry_mean = is_choice(settings, "carry", "mean");
    config->linear_projection = is_choice(settings, "projection", "linear");
    config->own_q = is_choice(settings, "share-q", "matrix");
    config->reject = is_choice(settings, "no-parse", "reject");
    return read_level(env, dgm_settings_text(settings, "attend-level"), &config->attend_level);
}
