/* random_tree.c: trees that know nothing of the sentence. */
#include "syntax/tree/random_tree.h"

/* Any word but this one. */
static int32_t another(struct dgm_random *random, int32_t word, int32_t count)
{
    int32_t drawn = (int32_t)dgm_random_below(random, (uint32_t)count - 1);

    return drawn + (drawn >= word);
}

/* Words that are not in the tree have head[w] = -1 - (where the walk last went from w). */
static int32_t walked_to(const int32_t *head, int32_t word)
{
    return -1 - head[word];
}

void dgm_tree_random(int32_t *head, struct dgm_random *random, int32_t count)
{
    int32_t root = count > 0 ? (int32_t)dgm_random_below(random, (uint32_t)count) : 0;

    for (int32_t i = 0; i < count; i++)
        head[i] = i == root ? root : -1;
    for (int32_t i = 0; i < count; i++) {
        int32_t word, next;

        /* A walk that comes back to a word forgets the loop: only its last way out counts. */
        for (word = i; head[word] < 0; word = next) {
            next = another(random, word, count);
            head[word] = -1 - next;
        }
        for (word = i; head[word] < 0; word = next) {
            next = walked_to(head, word);
            head[word] = next;
        }
    }
}
