/*
 * recurrent_config.c: the options that shape recurrent encoders and decoders (specification,
 * recurrent models; the names of its ambiguities' switches).
 */
#include <string.h>

#include "base/number/number.h"
#include "model/config.h"

const struct dgm_opt dgm_recurrent_options[] = {
    { "dim-rnn", 0, DGM_OPT_INT, "N", "500", 1, 65536, NULL, NULL,
      "Width of the states of recurrent encoders and decoders" },
    { "birnn", 0, DGM_OPT_INT, "0|1", "1", 0, 1, NULL, NULL,
      "A bidirectional GRU beneath tree encoders" },
    { "dynamic-z", 0, DGM_OPT_INT, "K", "0", 0, 65536, NULL, NULL,
      "Width of the vector that generates a tree encoder's parameters; 0: static parameters" },
    { "src-eos", 0, DGM_OPT_CHOICE, "WHETHER", "auto", 0, 0, "auto|0|1", NULL,
      "Recurrent encoders read the end of the sentence; auto: the sequential one does" },
    { "attend-level", 0, DGM_OPT_TEXT, "LEVELS", "all", 0, 0, NULL, NULL,
      "Constituents to attend to: all, up to a level (leaves: 1), or >1" },
    { "tree-cell", 0, DGM_OPT_CHOICE, "CELL", "tg10", 0, 0, "tg10|tg12", NULL,
      "How a constituent mixes its children: by a softmax, or by three gates" },
    { "root-td", 0, DGM_OPT_CHOICE, "HOW", "copy", 0, 0, "copy|lc0", NULL,
      "The root on the way down: its state on the way up, or the left child of a zero parent" },
    { "dec-init", 0, DGM_OPT_CHOICE, "FROM", "lower", 0, 0, "lower|states", NULL,
      "With constituents, the decoder starts from the mean of what is below the tree, or of all" },
    { "carry", 0, DGM_OPT_CHOICE, "HOW", "sum", 0, 0, "sum|mean", NULL,
      "What a dependent's update gate carries on of its head and its sibling" },
    { "projection", 0, DGM_OPT_CHOICE, "KIND", "tanh", 0, 0, "tanh|linear", NULL,
      "From the bidirectional layer into the tree" },
    { "share-q", 0, DGM_OPT_CHOICE, "HOW", "group", 0, 0, "group|matrix", NULL,
      "Input factors of dynamic parameters: one for a group of gates, or one for each" },
    { "no-parse", 0, DGM_OPT_CHOICE, "HOW", "chain", 0, 0, "chain|reject", NULL,
      "A sentence without a tree: each word depends on the one before it, or an error" },
    DGM_OPT_END
};

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
