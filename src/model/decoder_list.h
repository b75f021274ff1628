/* decoder_list.h: the kinds of decoder, one line each; the first is the default. */
DECODER(transformer)
DECODER(recurrent)
DECODER(ssru)
