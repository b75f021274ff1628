/*
 * fork.c: the interface in forked children: handles that have not worked yet, have worked, or are
 * made there are used and freed in the child, with two threads and more, and give the same bytes
 * on both sides.
 */
#include <dragoman.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Seconds after which a child hangs that does the work of an instant. */
enum { GUARD = 300, LINES = 12, ROOM = 8000 };

static char folder[400];

static int says(const char *what, const dgm_context *context, dgm_status status)
{
    printf("%s: %s: %s\n", what, dgm_status_name(status),
           context != NULL ? dgm_context_error(context)->message : "no context");
    return 1;
}

static char *path_of(char path[500], const char *name)
{
    snprintf(path, 500, "%s/%s", folder, name);
    return path;
}

static dgm_status new_context(dgm_context **context, int threads)
{
    dgm_context_options options;

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.threads = threads;
    return dgm_context_new(&options, context);
}

/* ---- models ---------------------------------------------------------------------------------- */

/* Sentences of three to six words, the same words with other names, and trees that are chains. */
static int write_texts(void)
{
    static const char *const names[3] = { "text.src", "text.trg", "text.conllu" };
    FILE *files[3];
    char path[500];
    int line, word, k, is_good = 1;

    for (k = 0; k < 3; k++)
        if ((files[k] = fopen(path_of(path, names[k]), "w")) == NULL)
            return 0;
    for (line = 0; line < 40; line++) {
        for (word = 0; word < 3 + line % 4; word++) {
            const int number = (line * 7 + word * 3) % 9;

            fprintf(files[0], "%sw%d", word > 0 ? " " : "", number);
            fprintf(files[1], "%sv%d", word > 0 ? " " : "", number);
            fprintf(files[2], "%d\tw%d\t_\tX\t_\t_\t%d\t%s\t_\t_\n", word + 1, number, word,
                    word == 0 ? "root" : "next");
        }
        for (k = 0; k < 3; k++)
            fputs("\n", files[k]);
    }
    for (k = 0; k < 3; k++)
        is_good &= fclose(files[k]) == 0;
    return is_good;
}

static dgm_status train_model(dgm_context *context, const char *name)
{
    static const char *const names[] = {
        "train-sets",          "model",     "after",     "dim-emb",  "transformer-heads",
        "transformer-dim-ffn", "enc-depth", "dec-depth", "tokenize", "bpe-merges",
        "batch-tokens",        "lr",        "max-length"
    };
    const char *values[] = { NULL, NULL,   "6u", "16", "2",    "24", "1",
                             "1",  "none", "0",  "60", "0.01", "20" };
    char sets[1010], model[500], path[2][500];
    dgm_train_options options;

    snprintf(sets, sizeof sets, "%s %s", path_of(path[0], "text.src"),
             path_of(path[1], "text.trg"));
    values[0] = sets;
    values[1] = path_of(model, name);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.names = names;
    options.values = values;
    options.count = sizeof names / sizeof names[0];
    return dgm_train(context, &options);
}

static dgm_status train_parser(dgm_context *context)
{
    static const char *const names[] = { "train-sets",
                                         "model",
                                         "dim-emb",
                                         "transformer-heads",
                                         "transformer-dim-ffn",
                                         "enc-depth",
                                         "dim-piece",
                                         "dim-piece-lstm",
                                         "dim-lstm",
                                         "dim-arc",
                                         "dim-label",
                                         "dim-tag",
                                         "batch-tokens",
                                         "after",
                                         "lr" };
    const char *values[] = { NULL, NULL, "16", "2", "24", "1",  "8",   "8",
                             "12", "16", "8",  "8", "60", "4u", "0.01" };
    char trees[500], model[500];
    dgm_train_options options;

    values[0] = path_of(trees, "text.conllu");
    values[1] = path_of(model, "parser.gguf");
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.names = names;
    options.values = values;
    options.count = sizeof names / sizeof names[0];
    return dgm_train_parser(context, &options);
}

/* ---- handles and their work ------------------------------------------------------------------ */

/* One of each kind, by a context of its own; the translator uses the model. */
struct handles {
    dgm_context *context;
    dgm_model *model;
    dgm_translator *translator;
    dgm_rescorer *rescorer;
    dgm_annotator *annotator;
};

static dgm_status make_translator(struct handles *handles)
{
    dgm_translator_options options;

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.shared = &handles->model;
    options.shared_count = 1;
    return dgm_translator_new(handles->context, &options, &handles->translator);
}

static dgm_status make_rescorer(struct handles *handles)
{
    dgm_rescorer_options options;
    char path[500];
    const char *models[1];

    models[0] = path_of(path, "model.gguf");
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.models = models;
    options.model_count = 1;
    return dgm_rescorer_new(handles->context, &options, &handles->rescorer);
}

static dgm_status make_annotator(struct handles *handles)
{
    dgm_annotator_options options;
    char path[500];

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.model = path_of(path, "parser.gguf");
    options.input = "tokens";
    return dgm_annotator_new(handles->context, &options, &handles->annotator);
}

static int make_all(struct handles *handles, int threads)
{
    char path[500];
    dgm_status status;

    memset(handles, 0, sizeof *handles);
    status = new_context(&handles->context, threads);
    if (status == DGM_OK)
        status =
            dgm_model_open(handles->context, path_of(path, "model.gguf"), NULL, &handles->model);
    if (status == DGM_OK)
        status = make_translator(handles);
    if (status == DGM_OK)
        status = make_rescorer(handles);
    if (status == DGM_OK)
        status = make_annotator(handles);
    if (status != DGM_OK)
        says("handles", handles->context, status);
    return status == DGM_OK;
}

static void free_all(struct handles *handles)
{
    dgm_annotator_free(handles->annotator);
    dgm_rescorer_free(handles->rescorer);
    dgm_translator_free(handles->translator);
    dgm_model_free(handles->model);
    dgm_context_free(handles->context);
}

static dgm_status add(void *user, const char *text, size_t bytes)
{
    char *out = user;
    const size_t used = strlen(out);

    if (used + bytes >= ROOM)
        return DGM_FAILURE;
    memcpy(out + used, text, bytes);
    out[used + bytes] = '\0';
    return DGM_OK;
}

static dgm_status translate(dgm_translator *translator, char *out)
{
    size_t lines = 0, i, bytes;
    const char *text;
    char line[80];
    double score;
    dgm_status status = DGM_OK;

    for (i = 0; i < LINES && status == DGM_OK; i++) {
        snprintf(line, sizeof line, "w%d w%d w%d", (int)i % 9, (int)(i + 2) % 9, (int)(i * 5) % 9);
        status = dgm_translator_add(translator, line, strlen(line));
    }
    if (status == DGM_OK)
        status = dgm_translator_run(translator, &lines);
    for (i = 0; i < lines && status == DGM_OK; i++) {
        status = dgm_translator_result(translator, i, 0, &text, &bytes, &score, NULL);
        if (status == DGM_OK)
            status = add(out, text, bytes);
        snprintf(line, sizeof line, " %.17g\n", score);
        if (status == DGM_OK)
            status = add(out, line, strlen(line));
    }
    return status;
}

static dgm_status rescore(dgm_rescorer *rescorer, char *out)
{
    size_t pairs = 0, i;
    double score;
    char line[80];
    dgm_status status = DGM_OK;

    for (i = 0; i < LINES && status == DGM_OK; i++)
        status = dgm_rescorer_add(rescorer, "w1 w2 w3", 8, "v4 v8 v3 v1", i % 3 * 3 + 2);
    if (status == DGM_OK)
        status = dgm_rescorer_run(rescorer, &pairs);
    for (i = 0; i < pairs && status == DGM_OK; i++) {
        status = dgm_rescorer_result(rescorer, i, &score, NULL);
        snprintf(line, sizeof line, "%.17g\n", score);
        if (status == DGM_OK)
            status = add(out, line, strlen(line));
    }
    return status;
}

static int work(const struct handles *handles, char out[ROOM])
{
    char path[500];
    dgm_status status;

    out[0] = '\0';
    status = translate(handles->translator, out);
    if (status == DGM_OK)
        status = rescore(handles->rescorer, out);
    if (status == DGM_OK)
        status = dgm_annotator_file(handles->annotator, path_of(path, "text.src"), add, out);
    if (status != DGM_OK)
        says("work", handles->context, status);
    return status == DGM_OK;
}

/* ---- children -------------------------------------------------------------------------------- */

static char want[ROOM]; /* what a single thread gives */

/* What becomes of the handles before the fork, in the child, and in the parent after it. */
struct course {
    int works_before, works_in_child, makes_in_child, works_after;
};

static int works_well(const struct handles *handles)
{
    static char out[ROOM];

    return work(handles, out) && strcmp(out, want) == 0;
}

static int be_child(struct handles handles[2], const struct course *course)
{
    struct handles made;
    int k, i, bad = 0;

    alarm(GUARD);
    for (i = 0; i < course->works_in_child; i++)
        for (k = 0; k < 2; k++)
            bad |= !works_well(&handles[k]);
    if (course->makes_in_child) {
        bad |= !make_all(&made, 2) || !works_well(&made);
        free_all(&made);
    }
    bad |= course->works_in_child && train_model(handles[0].context, "child.gguf") != DGM_OK;
    for (k = 0; k < 2; k++)
        free_all(&handles[k]);
    return bad;
}

static int follow(const struct course *course)
{
    struct handles handles[2];
    const struct timespec moment = { 0, 20000000 };
    int k, i, state = -1, bad;
    pid_t child;

    bad = !make_all(&handles[0], 2) || !make_all(&handles[1], 3);
    for (i = 0; i < course->works_before && !bad; i++)
        bad = !works_well(&handles[0]) || !works_well(&handles[1]);
    nanosleep(&moment, NULL); /* so that threads have come to rest; it holds in any case */
    fflush(stdout);
    child = bad ? -1 : fork();
    if (child == 0)
        _exit(be_child(handles, course));
    for (i = 0; i < course->works_after && !bad; i++)
        bad = !works_well(&handles[0]) || !works_well(&handles[1]);
    bad |= child < 0 || waitpid(child, &state, 0) != child || state != 0;
    for (k = 0; k < 2; k++)
        free_all(&handles[k]);
    if (bad)
        printf("work before: %d, in the child: %d, made there: %d, after: %d: state %d\n",
               course->works_before, course->works_in_child, course->makes_in_child,
               course->works_after, state);
    return bad;
}

static int check_children(void)
{
    static const struct course courses[] = {
        { 0, 0, 0, 0 }, { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 2, 1, 0, 1 },
        { 0, 2, 0, 1 }, { 1, 0, 1, 1 }, { 0, 0, 0, 1 }, { 1, 2, 1, 2 },
    };
    size_t i;
    int bad = 0;

    for (i = 0; i < sizeof courses / sizeof courses[0]; i++)
        bad |= follow(&courses[i]);
    return bad;
}

/* The models, and what a single thread gives. */
static int prepare(void)
{
    struct handles alone;
    dgm_context *context;
    dgm_status status = new_context(&context, 2);
    int bad;

    if (status == DGM_OK)
        status = train_model(context, "model.gguf");
    if (status == DGM_OK)
        status = train_parser(context);
    if (status != DGM_OK)
        says("training", context, status);
    dgm_context_free(context);
    if (status != DGM_OK)
        return 1;
    bad = !make_all(&alone, 1) || !work(&alone, want);
    free_all(&alone);
    return bad;
}

/* The folder and what a run leaves there. */
static void remove_all(void)
{
    char command[500];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        perror(folder);
}

int main(void)
{
    const char *place = getenv("TMPDIR");
    int bad;

    snprintf(folder, sizeof folder, "%s/dragoman-fork-XXXXXX",
             place != NULL && place[0] != '\0' ? place : "/tmp");
    if (mkdtemp(folder) == NULL || !write_texts()) {
        perror(folder);
        return 1;
    }
    bad = prepare() || check_children();
    remove_all();
    puts(bad ? "bad" : "good");
    return bad;
}
