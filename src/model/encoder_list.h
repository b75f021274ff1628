/*
 * encoder_list.h: the kinds of encoder, one line each; the first is the default. ENCODER(name)
 * stands for `dgm_encoder_<name>` in <family>/encoder_<name>.c. The line buys the name in
 * --encoder, its help, and a place in the tests over all encoders, which try the samples of the
 * kind beneath the recurrent decoder: gradients, one token at a time, neighbours, threads, scores.
 */
ENCODER(transformer)
ENCODER(sequential)
ENCODER(sequential_dependency)
ENCODER(lexicalized)
ENCODER(constituency)
