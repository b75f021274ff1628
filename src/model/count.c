/*
 * count.c: the size of an encoder as papers on recurrent encoders count it (specification,
 * recurrent models, 6.1).
 *
 * That is all matrices of the encoder but its embeddings, and the one from which a recurrent
 * decoder starts; some papers count vectors too.
 */
#include <string.h>

#include "model/net.h"

static int has_prefix(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static int is_counted(const char *name)
{
    if (has_prefix(name, "decoder.init."))
        return 1;
    return has_prefix(name, "encoder.") && !has_prefix(name, "encoder.embed_tokens.");
}

struct dgm_encoder_size dgm_net_encoder_size(const struct dgm_net *net)
{
    struct dgm_encoder_size size = { 0, 0 };
    size_t i;

    for (i = 0; i < net->params.count; i++) {
        const struct dgm_param *param = &net->params.items[i];
        if (!is_counted(param->name))
            continue;
        size.with_vectors += param->rows * param->cols;
        if (param->rank == 2)
            size.weights += param->rows * param->cols;
    }
    return size;
}
