/* test_trace.c: events of a trace: their text, those that are not over, those without room. */
#include <string.h>

#include "base/trace/trace.h"
#include "test.h"

static void print(struct dgm_trace *trace, double now, struct dgm_buf *out)
{
    CHECK_STATUS(dgm_trace_print(test_env(), trace, 3, "rank 3", "a \"b\n", now, out), DGM_OK);
}

/* Times in microseconds from the origin; an event that is not over ends now. */
TEST(trace_prints_complete_events)
{
    static const char expected[] =
        "{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 3, \"tid\": 0, "
        "\"args\": {\"name\": \"rank 3 (a ?b?)\", \"clock\": 1.000000000}},\n"
        "{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 3, \"tid\": 0, "
        "\"args\": {\"name\": \"work\"}},\n"
        "{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 3, \"tid\": 1, "
        "\"args\": {\"name\": \"link\"}},\n"
        "{\"name\": \"update\", \"ph\": \"X\", \"pid\": 3, \"tid\": 0, \"ts\": 500000.000, "
        "\"dur\": 1500000.000},\n"
        "{\"name\": \"transfer\", \"ph\": \"X\", \"pid\": 3, \"tid\": 1, \"ts\": 1000000.000, "
        "\"dur\": 250000.000, \"args\": {\"bytes\": 4096}}";
    struct dgm_trace trace = { 0 };
    struct dgm_buf out = { 0 };

    test_env()->trace = &trace;
    trace.origin = 1;
    dgm_trace_begin(test_env(), "update");
    dgm_trace_add(test_env(), DGM_TRACE_LINK, "transfer", "bytes", 4096, 2, 2.25);
    trace.events[0].started = 1.5;
    trace.events[0].ended = 0;
    print(&trace, 3, &out);
    CHECK_STR(out.data, expected);
    test_env()->trace = NULL;
    dgm_buf_clear(test_env(), &out);
    dgm_trace_clear(test_env(), &trace);
}

TEST(trace_events_nest)
{
    struct dgm_trace trace = { 0 };
    int i;

    test_env()->trace = &trace;
    dgm_trace_begin_at(test_env(), "outer", "update", 7);
    dgm_trace_begin(test_env(), "inner");
    dgm_trace_end(test_env());
    dgm_trace_end(test_env());
    dgm_trace_end(test_env()); /* one too many */
    CHECK_INT(trace.count, 2);
    CHECK_INT(trace.events[0].number, 7);
    CHECK(trace.events[0].started <= trace.events[1].started);
    CHECK(trace.events[1].started <= trace.events[1].ended);
    CHECK(trace.events[1].ended <= trace.events[0].ended);
    for (i = 0; i < DGM_TRACE_DEPTH + 4; i++) /* deeper than it keeps: those stay open */
        dgm_trace_begin(test_env(), "deep");
    for (i = 0; i < DGM_TRACE_DEPTH + 4; i++)
        dgm_trace_end(test_env());
    CHECK_INT(trace.depth, 0);
    CHECK(trace.events[2].ended >= trace.events[2].started);
    test_env()->trace = NULL;
    dgm_trace_clear(test_env(), &trace);
}

static void *none(void *user, void *memory, size_t size)
{
    (void)user;
    (void)memory;
    (void)size;
    return NULL;
}

/* Without memory events are lost, and nothing fails. */
TEST(trace_without_memory_loses_events)
{
    struct dgm_trace trace = { 0 };
    struct dgm_env env = dgm_env_quiet(test_env());

    env.trace = &trace;
    env.memory.resize = none;
    dgm_trace_begin(&env, "update");
    dgm_trace_end(&env);
    CHECK_INT(trace.lost, 1);
    CHECK_INT(trace.count, 0);
    CHECK_STATUS(env.error.status, DGM_OK);
}

TEST(trace_that_is_off_notes_nothing)
{
    CHECK(test_env()->trace == NULL);
    dgm_trace_begin(test_env(), "update");
    dgm_trace_end(test_env());
    dgm_trace_add(test_env(), DGM_TRACE_LINK, "transfer", NULL, 0, 0, 1);
}
