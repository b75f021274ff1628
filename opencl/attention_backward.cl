/*
 * attention_backward.cl: attention's backward pass with every term that a variant of attention may
 * have, and the sum of what its groups found for tables.
 */
#define PLAIN 0
#include "attention_backward.clh"

/* y[i] += sum over g < count of parts[g stride + i], i < size. */
kernel void add_parts(OPERAND(real, y), OPERAND(const real, parts), const int size,
                      const int stride, const int count)
{
    OPEN(real, y);
    OPEN(const real, parts);
    const int i = (int)get_global_id(0);
    real sum = 0;

    if (i >= size)
        return;
    for (int g = 0; g < count; g++)
        sum += parts[(long)g * stride + i];
    y[i] += sum;
}
