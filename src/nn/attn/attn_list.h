/*
 * attn_list.h: the variants of self-attention, one line each: ATTN(name) stands for
 * `dgm_attn_<name>` in variant/attn_<name>.c. The line buys the name in --syntax, its options with
 * help, and a place in the tests over all variants, which try the samples of the kind: gradients,
 * neighbours, masks, trees, cut sentences, decoding by steps, files, threads, errors and help.
 */
ATTN(shaw)
ATTN(depth)
ATTN(dbsa)
ATTN(lisa)
ATTN(pascal)
ATTN(deps_san)
ATTN(localness)
ATTN(context)
ATTN(sgsa)
ATTN(tags)
