/*
 * agree.c: rank 0 describes its run in lines "name = value", and the others hold theirs against it.
 *
 * The values of all parameters are among what is compared. So random numbers, the checkpoint that
 * was found and what was learned from text are, too, whatever this file forgets to name.
 */
#include "train/ranks/agree.h"

#include <string.h>

#include "base/mem.h"
#include "base/option/settings_file.h"
#include "train/checkpoint/final_model.h"
#include "train/session.h"

static dgm_status add_line(struct dgm_session *session, struct dgm_buf *text, const char *name,
                           const char *value)
{
    return dgm_buf_add_format(session->env, text, "%s = %s\n", name, value);
}

static dgm_status add_number(struct dgm_session *session, struct dgm_buf *text, const char *name,
                             uint64_t value)
{
    return dgm_buf_add_format(session->env, text, "%s = %llu\n", name, (unsigned long long)value);
}

static dgm_status describe(struct dgm_session *session, struct dgm_buf *text)
{
    const struct dgm_train_state *state = &session->state;
    uint64_t values;

    DGM_TRY(dgm_final_model_checksum(session->env, session->params, &values));
    DGM_TRY(add_line(session, text, "version", dgm_version()));
    DGM_TRY(add_number(session, text, "bytes of a number", sizeof(dgm_real)));
    DGM_TRY(add_line(session, text, "devices", state->devices));
    DGM_TRY(dgm_buf_add_text(session->env, text, session->settings_text.data));
    DGM_TRY(add_number(session, text, "checksum of the training text", state->train_checksum));
    DGM_TRY(add_number(session, text, "bytes of a window of text", (uint64_t)state->window_bytes));
    DGM_TRY(
        add_number(session, text, "updates of --trace", (uint64_t)dgm_timeline_updates(session)));
    DGM_TRY(add_number(session, text, "bucket",
                       (uint64_t)dgm_settings_bytes(session->settings, "bucket")));
    DGM_TRY(add_number(session, text, "update", (uint64_t)state->updates));
    DGM_TRY(add_number(session, text, "elements", (uint64_t)session->params->total));
    return add_number(session, text, "checksum of the model", values);
}

/* Compares line by line: *line and *other are the first that differ, their ends cut off. */
static int finds_difference(char *text, char *other, const char **line, const char **other_line)
{
    while (*text != '\0' || *other != '\0') {
        const size_t length = strcspn(text, "\n"), other_length = strcspn(other, "\n");
        if (length != other_length || memcmp(text, other, length) != 0) {
            text[length] = other[other_length] = '\0';
            *line = text;
            *other_line = other;
            return 1;
        }
        text += length + (text[length] != '\0');
        other += length + (other[length] != '\0');
    }
    return 0;
}

static dgm_status compare(struct dgm_session *session, struct dgm_buf *own, char *lead)
{
    const char *line, *lead_line;

    if (!finds_difference(own->data, lead, &line, &lead_line))
        return DGM_OK;
    return dgm_fail(session->env, DGM_USAGE,
                    "this rank has \"%s\", rank 0 (%s) has \"%s\"; expected the same program, "
                    "processor, options and files on all",
                    line, session->hooks->ranks->places[0].host, lead_line);
}

static dgm_status compare_with_lead(struct dgm_session *session, struct dgm_buf *own)
{
    struct dgm_ranks *ranks = session->hooks->ranks;
    uint64_t size = own->size;
    char *lead;
    dgm_status status;

    DGM_TRY(dgm_ranks_broadcast(session->env, ranks, &size, sizeof size, 0));
    lead = dgm_alloc(session->env, (size_t)size + 1, 1);
    if (lead == NULL)
        return DGM_MEMORY;
    if (ranks->rank == 0)
        memcpy(lead, own->data, own->size);
    DGM_TRY_OUT(dgm_ranks_broadcast(session->env, ranks, lead, (size_t)size, 0));
    DGM_TRY_OUT(compare(session, own, lead));
    /* Nobody goes on before all have compared. */
    status = dgm_ranks_gather(session->env, ranks, session->crew.host, 1);
out:
    dgm_release(session->env, lead);
    return status;
}

dgm_status dgm_agree(struct dgm_session *session)
{
    struct dgm_ranks *ranks = session->hooks->ranks;
    const double patience = ranks != NULL ? ranks->patience : 0;
    struct dgm_buf text = { 0 };
    dgm_status status;

    if (ranks == NULL)
        return DGM_OK;
    ranks->patience = 0; /* some are still reading */
    status = describe(session, &text);
    if (status == DGM_OK)
        status = compare_with_lead(session, &text);
    dgm_buf_clear(session->env, &text);
    ranks->patience = patience;
    return status;
}
