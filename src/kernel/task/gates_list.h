/*
 * gates_list.h: gates that blend two inputs: context gates, highways, and the unit of a decoder
 * that remembers a mean of what it has read.
 */

/* clang-format off */

/*
 * Context gates, specification 3.8. Per row and head, with x' = scale x:
 *
 *   l = sigmoid(x_gate . x' + x_bias + c_gate . c + c_bias)     y = (1 - l) x' + l c
 *
 * Head h has columns h width .. of x (rows ldx apart) and of y (N, heads width), and columns
 * h c_step .. of c (rows ldc apart), `width` of them; c_step >= width. Gates (1,width), biases
 * (1,1). l (N,H) is kept for the backward pass.
 */
#define NUMBERS_gated_mix            \
    INT(rows) INT(heads) INT(width)  \
    LONG(c_step) LONG(ldx) LONG(ldc) \
    REAL(scale)

TASK(gated_mix_forward)
OUT(real, y) OUT(real, l)
IN(real, x) IN(real, c)
IN(real, x_gate) IN(real, x_bias) IN(real, c_gate) IN(real, c_bias)
CORE(gated_mix)
END(gated_mix_forward)

/*
 * With g = l (1 - l) dy . (c - x'): dx = scale ((1 - l) dy + g x_gate), dc = l dy + g c_gate,
 * written over the columns of x and c (their strides), or added to where the accumulate flag of
 * each says so. dx_gate += sum of g x', dc_gate += sum of g c, both biases += sum of g, in fixed
 * blocks of rows. Each output is optional.
 */
TASK(gated_mix_backward)
OUT(real, dx) OUT(real, dc)
OUT(real, dx_gate) OUT(real, dx_bias) OUT(real, dc_gate) OUT(real, dc_bias)
IN(real, dy) IN(real, l)
IN(real, x) IN(real, c)
IN(real, x_gate) IN(real, c_gate)
CORE(gated_mix)
FLAG(accumulate_x) FLAG(accumulate_c)
END(gated_mix_backward)

/* y (N,W) = relu(h) s + c (1 - s), s = sigmoid(t); ht (N,2W) = [h | t], c (N,W). 3.9. */
TASK(highway_forward)
OUT(real, y)
IN(real, ht) IN(real, c)
INT(rows) INT(width)
END(highway_forward)

/*
 * dh = dy s where h > 0, else 0; dt = dy (relu(h) - c) s (1 - s); dc = dy (1 - s). dht = [dh | dt]
 * and dc are written, or added to where the accumulate flag says so; each is optional.
 */
TASK(highway_backward)
OUT(real, dht) OUT(real, dc)
IN(real, dy) IN(real, ht) IN(real, c)
INT(rows) INT(width)
FLAG(accumulate_ht) FLAG(accumulate_c)
END(highway_backward)

/*
 * A Simpler Simple Recurrent Unit (Kim et al., "From Research to Production and Back: Ludicrously
 * Fast Neural Machine Translation", WNGT 2019) over packed sentences, s of which has rows
 * offsets[s] .. offsets[s+1]-1:
 *
 *   c_t = f_t c_{t-1} + (1 - f_t) x_t     f = sigmoid(g)     c_0 = start, or zeros
 *
 * c, x, g (N,W), start (S,W).
 */
TASK(ssru_forward)
OUT(real, c)
IN(real, x) IN(real, g)
IN(real, start) /* optional */
IN(int, offsets)
INT(sentences) INT(width)
END(ssru_forward)

/*
 * With d_t = dc_t + f_{t+1} d_{t+1}: dx_t = d_t (1 - f_t), dg_t = d_t (c_{t-1} - x_t) f_t
 * (1 - f_t), dstart = f_1 d_1. Each is written, or added to where its accumulate flag says so;
 * each is optional.
 */
TASK(ssru_backward)
OUT(real, dx) OUT(real, dg) OUT(real, dstart)
IN(real, dc) IN(real, c) IN(real, x) IN(real, g)
IN(real, start)
IN(int, offsets)
INT(sentences) INT(width)
FLAG(accumulate_x) FLAG(accumulate_g) FLAG(accumulate_start)
END(ssru_backward)

    /* clang-format on */
