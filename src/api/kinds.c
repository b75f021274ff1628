/* kinds.c: the kinds of encoder and decoder, for help texts. */
#include "api/program.h"
#include "model/decoder.h"

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
