/*
 * attn_list.h: the variants of self-attention, one line each: ATTN(name) stands for
 * `dgm_attn_<name>` in attn_<name>.c. The line buys the name in --syntax, its options with help,
 * and a place in the tests over all variants.
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
