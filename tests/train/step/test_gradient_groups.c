/*
 * test_gradient_groups.c: which parameters belong together.
 */
#include "train/step/gradient_groups.h"

#include "test.h"

TEST(gradient_groups_of_names)
{
    static const struct {
        const char *name, *group;
    } rows[] = {
        { "encoder.embed_tokens.weight", "embeddings" },
        { "decoder.embed_tokens.weight", "embeddings" },
        { "encoder.layers.0.self_attn.q_proj.weight", "encoder" },
        { "encoder.tree.left.word.bias", "encoder" },
        { "decoder.layers.1.self_attn.k_proj.bias", "decoder" },
        { "decoder.layers.1.encoder_attn.k_proj.bias", "attention" },
        { "decoder.attention.score.weight", "attention" },
        { "decoder.gru2.input.weight", "decoder" },
        { "decoder.output_projection.weight", "output" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_STR(dgm_gradient_group_name(dgm_gradient_group_of(rows[i].name)), rows[i].group);
}
