/* test_sent.c: what the log says of bytes that were sent: means of an update. */
#include "train/step/exchange/sent.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

static char heard[300];

static void hear(void *user, dgm_level level, const char *text)
{
    (void)user;
    (void)level;
    snprintf(heard, sizeof heard, "%s", text);
}

/* Whole where each update has sent the same. */
TEST(sent_bytes_of_an_update_are_whole_or_have_a_decimal)
{
    struct dgm_sent sent = { .kinds = { { 4, 2 }, { 5, 2 }, { 0, 1 }, { 7, 3 } }, .updates = 2 };
    struct dgm_env env;

    dgm_env_init(&env);
    env.log = hear;
    env.log_level = DGM_LOG_NOTE;
    dgm_sent_log(&env, &sent);
    CHECK_STR(heard, "ranks: bytes that rank 0 has sent in an update: 2 of gradients, 2.5 of "
                     "values, 0 of control, in 2.5 messages; between updates 7");
}
