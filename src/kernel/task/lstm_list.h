/*
 * lstm_list.h: a bidirectional LSTM over packed sequences.
 */

/* clang-format off */

/*
 * An LSTM with forget gates (Hochreiter and Schmidhuber 1997; Gers et al. 2000) over packed
 * sequences, S of them, in both directions. With a = input + keep h_{t-1} W^T, split into four:
 *
 *   i = sigmoid(a_i)  f = sigmoid(a_f)  g = tanh(a_g)  o = sigmoid(a_o)
 *   c_t = f c_{t-1} + i g     h_t = o tanh(c_t)     c_0 = h_0 = 0
 *
 * y (N,2H) = [forward | backward] h; gates (N,8H): the inputs, i f g o of forward (H columns
 * each), then of backward, which runs from a sequence's last row to its first. weight (8H,H): W of
 * both, one above the other. keep: one dropout mask (2H) for each sequence, its place being
 * {sentence of the sequence's first row, 0}.
 * Sequence s has rows offsets[s] .. offsets[s+1]-1; order (S): by falling length; active[t], on
 * the host: how many are longer than t, t < steps. A sequence's y depends on nothing but its rows,
 * down to the last bit. saved: dgm_lstm_saved reals (numbers.h).
 */
#define NUMBERS_lstm                                                  \
    HOST(sequences) HOST(rows) HOST(steps) /* S, N, longest length */ \
    INT(dim)                               /* H */                    \
    HOST_INTS(active)                                                 \
    DROP

TASK(lstm_forward)
OUT(real, y) OUT(real, saved)
IN(real, gates) IN(real, weight)
IN(int, offsets) IN(int, order)
IN(int, places) /* with dropout */
FLAG(forgets)   /* no backward pass follows: saved is memory to work in, its content arbitrary */
CORE(lstm)
END(lstm_forward)

/*
 * dgates (optional) and dweight are written, or added to where the accumulate flag of each says
 * so. `saved` is used up: one forward pass serves one backward pass.
 */
TASK(lstm_backward)
OUT(real, dgates) OUT(real, dweight) OUT(real, saved)
IN(real, dy) IN(real, weight)
IN(int, offsets) IN(int, order)
FLAG(accumulate_gates) FLAG(accumulate_weight)
CORE(lstm)
END(lstm_backward)

    /* clang-format on */
