/* encoder_list.h: the kinds of encoder, one line each; the first is the default. */
ENCODER(transformer)
ENCODER(sequential)
ENCODER(sequential_dependency)
ENCODER(lexicalized)
ENCODER(constituency)
