/*
 * kinds.c: the kinds of encoder and decoder, the variants of self-attention and the rules of beam
 * search, for help texts.
 */
#include "api/program.h"
#include "model/decoder.h"
#include "nn/attn/attn.h"

const char dgm_beam_rule_names[] =
#define BEAM_RULE(name) "|" #name
#include "decode/search/beam_list.h"
#undef BEAM_RULE
    ;

int dgm_encoder_at(size_t number, struct dgm_kind *kind)
{
    const struct dgm_encoder_kind *encoder;

    if (number >= (size_t)dgm_encoder_count())
        return 0;
    encoder = dgm_encoder_entry((int)number);
    kind->name = encoder->name;
    kind->cite = encoder->cite;
    kind->help = encoder->help;
    kind->options = encoder->options;
    kind->needs_trees = encoder->needs != 0;
    return 1;
}

int dgm_decoder_at(size_t number, struct dgm_kind *kind)
{
    const struct dgm_decoder_kind *decoder;

    if (number >= (size_t)dgm_decoder_count())
        return 0;
    decoder = dgm_decoder_entry((int)number);
    kind->name = decoder->name;
    kind->cite = decoder->cite;
    kind->help = decoder->help;
    kind->options = decoder->options;
    kind->needs_trees = 0;
    return 1;
}

int dgm_variant_at(size_t number, struct dgm_variant *variant)
{
    size_t i = 0;

    while (dgm_attn_kinds[i] != NULL && i < number)
        i++;
    if (dgm_attn_kinds[i] == NULL)
        return 0;
    variant->name = dgm_attn_kinds[i]->name;
    variant->cite = dgm_attn_kinds[i]->cite;
    variant->help = dgm_attn_kinds[i]->help;
    variant->options = dgm_attn_kinds[i]->options;
    return 1;
}
