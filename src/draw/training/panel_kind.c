/* panel_kind.c: names, units and directions of what a log holds. */
#include "draw/training/panel_kind.h"

#include <stddef.h>
#include <string.h>

#include "text/score/metric.h"

const char *const dgm_training_axes[DGM_TRAINING_AXES] = { "updates", "epochs", "words",
                                                           "seconds" };
const char *const dgm_training_axis_texts[DGM_TRAINING_AXES] = { "updates", "epochs",
                                                                 "target words",
                                                                 "seconds of training" };

static const struct dgm_panel_kind kinds[] = {
    { "loss", "training cost (nats per target word)", 0, 0, 0 },
    { "parse_loss", "cost of parsing (nats per head)", 0, 0, 0 },
    { "lr", "learning rate", 0, 1, 1 },
    { "gnorm", "gradient norm, before clipping", 0, 0, 0 },
    { "wps", "speed (target words per second)", 0, 0, 0 },
    { "ce-mean-words", "validation cost (nats per target word)", -1, 1, 0 },
    { "accuracy", "validation: accuracy (%)", 1, 1, 0 },
    { "upos", "validation: UPOS (%)", 1, 1, 0 },
    { "xpos", "validation: XPOS (%)", 1, 1, 0 },
    { "ufeats", "validation: UFeats (%)", 1, 1, 0 },
    { "alltags", "validation: AllTags (%)", 1, 1, 0 },
    { "lemmas", "validation: lemmas (%)", 1, 1, 0 },
    { "mlas", "validation: MLAS (%)", 1, 1, 0 },
    { "blex", "validation: BLEX (%)", 1, 1, 0 },
    { "uas", "validation: UAS (%)", 1, 1, 0 },
    { "las", "validation: LAS (%)", 1, 1, 0 },
    { "encoder_rms", "encoder states, root mean square", 0, 0, 0 },
    { "encoder_max", "encoder states, greatest", 0, 0, 0 },
    { "encoder_largest_state", "encoder states, root mean square of the largest", 0, 0, 0 },
    { "encoder_gates_saturated", "encoder, share of saturated gates", 0, 0, 0 },
    { "decoder_gates_saturated", "decoder, share of saturated gates", 0, 0, 0 },
    { "attention_peak", "attention, mean of the largest weights", 0, 0, 0 },
    { "attention_entropy", "attention, entropy (nats)", 0, 0, 0 },
    { "attention_same", "attention, share on the commonest position", 0, 0, 0 },
    { "gradient_norm_embeddings", "gradient norm, embeddings", 0, 0, 0 },
    { "gradient_norm_encoder", "gradient norm, encoder", 0, 0, 0 },
    { "gradient_norm_attention", "gradient norm, attention", 0, 0, 0 },
    { "gradient_norm_decoder", "gradient norm, decoder", 0, 0, 0 },
    { "gradient_norm_output", "gradient norm, output", 0, 0, 0 },
};

struct dgm_panel_kind dgm_panel_kind_of(const char *name)
{
    struct dgm_panel_kind found = { name, name, 0, 0, 0 };
    const struct dgm_metric *metric;
    size_t i;

    for (i = 0; (metric = dgm_metric_entry(i)) != NULL; i++)
        if (strcmp(metric->name, name) == 0) {
            found.text = metric->curve;
            found.better = metric->is_error ? -1 : 1;
            found.keeps_raw = 1;
        }
    for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return kinds[i];
    return found;
}
