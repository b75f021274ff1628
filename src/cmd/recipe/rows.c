/*
 * rows.c: what `train --recipe auto` chooses by the number of pairs.
 *
 * What all rows share: pieces of SentencePiece, which any language has; a Transformer with layer
 * normalisation before each sublayer, which trains at high rates, and relative positions, which pay
 * on all corpora of doc/results.md; chrF to stop by, which moves where BLEU of so small a model is
 * still 0. A text of few pairs gets a narrow model with few pieces, much dropout, and many epochs.
 */
#include "cmd/recipe/rows.h"

#include <stddef.h>

/* clang-format off */
#define SHARED                                                                             \
    "vocab-type = unigram\ntied-embeddings = all\n"                                        \
    "transformer-norm = pre\nsyntax = shaw\nmax-length = 256\nlabel-smoothing = 0.1\n"     \
    "lr-schedule = inverse-sqrt\nadam-beta1 = 0.9\nadam-beta2 = 0.98\n"                    \
    "valid-metrics = chrf\nearly-stopping = 8\naverage = 5\n"
#define DEEP(encoder, decoder, width, inner, heads, dropout)                               \
    "enc-depth = " #encoder "\ndec-depth = " #decoder "\ndim-emb = " #width "\n"           \
    "transformer-dim-ffn = " #inner "\ntransformer-heads = " #heads "\n"                   \
    "dropout = " #dropout "\n"
#define LEARNED(tokens, rate, warmup, every, after)                                        \
    "batch-tokens = " #tokens "\nlr = " #rate "\nwarmup = " #warmup "\n"                   \
    "save-freq = " #every "\nvalid-freq = " #every "\nafter = " #after "\n"

static const struct dgm_recipe_row rows[] = {
    /* Of Tatoeba German-English, 100 epochs, on its validation text: 2,000 pieces have BLEU 22.9
     * and chrF 38.8, 1,000 have 20.5 and 36.8. The rest is that of multi30k-tiny.conf, but for
     * relative positions. */
    { 5000, "auto-5000", SHARED "dim-vocabs = 2000\n"
      DEEP(4, 4, 128, 256, 4, 0.3) LEARNED(2048, 0.003, 1000, 250u, 30Ku) },
    /* Between its neighbours. Of Tatoeba German-English it ends after 16,000 updates with BLEU 37.2
     * and chrF 53.7 on dev.de; multi30k-tiny.conf with relative positions has 36.8 and 53.5. */
    { 20000, "auto-20000", SHARED "dim-vocabs = 4000\n"
      DEEP(4, 4, 128, 256, 4, 0.3) LEARNED(2048, 0.003, 1000, 500u, 50Ku) },
    /* A guess. */
    { 60000, "auto-60000", SHARED "dim-vocabs = 8000\n"
      DEEP(4, 4, 256, 512, 4, 0.2) LEARNED(4096, 0.002, 2000, 1Ku, 60Ku) },
    /* An encoder that is deep and a decoder that is not: what is read costs once. Of Tatoeba
     * German-English, BLEU is 52.4 and chrF 66.2 on dev.de after 8,000 updates, 10 epochs, where
     * models of half the size have 46.4; not seen to its end. An epoch takes 465 s of one thread;
     * of four layers a side of 256 and 1,024, 550 s of two. */
    { 164000, "auto-164000", SHARED "dim-vocabs = 8000\n"
      DEEP(5, 2, 192, 768, 4, 0.1) LEARNED(2048, 0.002, 2000, 1Ku, 60Ku) },
    /* A guess. */
    { 300000, "auto-300000", SHARED "dim-vocabs = 16000\n"
      DEEP(6, 6, 256, 1024, 4, 0.1) LEARNED(4096, 0.002, 4000, 2Ku, 200Ku) },
};
/* clang-format on */

const struct dgm_recipe_row *dgm_recipe_row(long pairs)
{
    const size_t count = sizeof rows / sizeof rows[0];
    const double square = (double)pairs * (double)pairs;
    size_t i = 0;

    while (i + 1 < count && square > (double)rows[i].pairs * (double)rows[i + 1].pairs)
        i++;
    return &rows[i];
}
