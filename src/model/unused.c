/*
 * unused.c: options that somebody wrote, and that neither the encoder nor the decoder of the model has.
 *
 * Each kind lists the options that shape it. What no kind lists is about something else; what another
 * kind lists would be taken, stored, and change nothing. Settings of a file or of a caller may serve
 * several encoders, so only what was typed is refused, and only where it asks for something: a value
 * that is not the default.
 */
#include <stdio.h>
#include <string.h>

#include "model/decoder.h"
#include "model/model.h"

/* Whether `name` is one of the words. */
static int lists(const char *words, const char *name)
{
    size_t length = strlen(name);

    for (; *words != '\0'; words += strspn(words, " ")) {
        size_t size = strcspn(words, " ");

        if (size == length && memcmp(words, name, size) == 0)
            return 1;
        words += size;
    }
    return 0;
}

/* Adds a kind to "--encoder a or b", as far as there is room. */
static void add_kind(char *text, size_t size, const char *side, const char *name, int is_first)
{
    size_t used = strlen(text);

    if (is_first)
        snprintf(text + used, size - used, "%s--%s %s", used > 0 ? ", or " : "", side, name);
    else
        snprintf(text + used, size - used, " or %s", name);
}

/* The kinds that have the option, into `text`: their number. */
static int name_owners(const char *option, char *text, size_t size)
{
    int encoders = 0, decoders = 0, i;

    text[0] = '\0';
    for (i = 0; i < dgm_encoder_count(); i++)
        if (lists(dgm_encoder_entry(i)->options, option))
            add_kind(text, size, "encoder", dgm_encoder_entry(i)->name, encoders++ == 0);
    for (i = 0; i < dgm_decoder_count(); i++)
        if (lists(dgm_decoder_entry(i)->options, option))
            add_kind(text, size, "decoder", dgm_decoder_entry(i)->name, decoders++ == 0);
    return encoders + decoders;
}

static dgm_status check_option(struct dgm_env *env, const struct dgm_settings *settings,
                               const struct dgm_net *net, const struct dgm_opt *opt)
{
    const char *value = dgm_settings_text(settings, opt->name);
    char owners[160];

    if (!dgm_settings_is_typed(settings, opt->name) || value == NULL ||
        strcmp(value, opt->fallback != NULL ? opt->fallback : "") == 0 ||
        lists(net->encoder->options, opt->name) || lists(net->decoder->options, opt->name) ||
        name_owners(opt->name, owners, sizeof owners) == 0)
        return DGM_OK;
    return dgm_fail(env, DGM_USAGE,
                    "--%s %s with --encoder %s and --decoder %s, which have no such "
                    "option; expected it with %s",
                    opt->name, value, net->encoder->name, net->decoder->name, owners);
}

dgm_status dgm_model_check_typed(struct dgm_env *env, const struct dgm_settings *settings,
                                 const struct dgm_net *net)
{
    for (size_t t = 0; dgm_model_tables[t] != NULL; t++)
        for (const struct dgm_opt *opt = dgm_model_tables[t]; opt->name != NULL; opt++)
            DGM_TRY(check_option(env, settings, net, opt));
    return DGM_OK;
}
