/*
 * threads.c: the interface from several threads at a time: each has a context, and they translate
 * with one model file, or with one model in memory; a training that another thread stops; training
 * and translation with two threads of their own. Under ThreadSanitizer (.ci/threads) it says what
 * two threads share.
 */
#include <dragoman.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORKERS = 4, LINES = 12 };

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

/* ---- training -------------------------------------------------------------------------------- */

/* Sentences of three to six words, and the same words with other names. */
static int write_texts(void)
{
    char path[2][500];
    FILE *source = fopen(path_of(path[0], "text.src"), "w");
    FILE *target = fopen(path_of(path[1], "text.trg"), "w");
    int line, word;

    for (line = 0; source != NULL && target != NULL && line < 40; line++) {
        for (word = 0; word < 3 + line % 4; word++) {
            fprintf(source, "%sw%d", word > 0 ? " " : "", (line * 7 + word * 3) % 9);
            fprintf(target, "%sv%d", word > 0 ? " " : "", (line * 7 + word * 3) % 9);
        }
        fputs("\n", source);
        fputs("\n", target);
    }
    if (source != NULL)
        fclose(source);
    if (target != NULL)
        fclose(target);
    return source != NULL && target != NULL;
}

static dgm_status train(dgm_context *context, const char *name, const char *updates,
                        dgm_progress_fn progress, void *user)
{
    static const char *const names[] = { "train-sets",
                                         "valid-sets",
                                         "model",
                                         "after",
                                         "dim-emb",
                                         "transformer-heads",
                                         "transformer-dim-ffn",
                                         "enc-depth",
                                         "dec-depth",
                                         "tokenize",
                                         "bpe-merges",
                                         "batch-tokens",
                                         "valid-freq",
                                         "valid-metrics",
                                         "save-freq",
                                         "lr",
                                         "max-length" };
    const char *values[] = { NULL,   NULL, NULL, updates, "16",   "2",  "24",   "1", "1",
                             "none", "0",  "60", "5u",    "bleu", "5u", "0.01", "20" };
    char sets[1010], model[500], path[2][500];
    dgm_train_options options;

    snprintf(sets, sizeof sets, "%s %s", path_of(path[0], "text.src"),
             path_of(path[1], "text.trg"));
    values[0] = values[1] = sets;
    values[2] = path_of(model, name);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.names = names;
    options.values = values;
    options.count = sizeof names / sizeof names[0];
    options.progress = progress;
    options.progress_user = user;
    return dgm_train(context, &options);
}

/* A training without end in a thread, and what the main thread waits for. */
struct long_run {
    dgm_context *context;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    int updates;
    dgm_status status;
};

static void count(void *user, int64_t done, int64_t total, const char *text)
{
    struct long_run *run = user;

    (void)done;
    (void)total;
    (void)text;
    pthread_mutex_lock(&run->lock);
    run->updates++;
    pthread_cond_signal(&run->moved);
    pthread_mutex_unlock(&run->lock);
}

static void *train_on(void *user)
{
    struct long_run *run = user;

    run->status = train(run->context, "long.gguf", "1000000u", count, run);
    return NULL;
}

static int check_stop(void)
{
    struct long_run run;
    pthread_t thread;
    dgm_status status;

    memset(&run, 0, sizeof run);
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.moved, NULL);
    status = new_context(&run.context, 2);
    if (status != DGM_OK || pthread_create(&thread, NULL, train_on, &run) != 0)
        return says("stop", run.context, status);
    pthread_mutex_lock(&run.lock);
    while (run.updates < 7)
        pthread_cond_wait(&run.moved, &run.lock);
    pthread_mutex_unlock(&run.lock);
    dgm_context_stop(run.context);
    pthread_join(thread, NULL);
    status = run.status;
    if (status != DGM_INTERRUPTED)
        says("a stopped training", run.context, status);
    dgm_context_free(run.context);
    return status != DGM_INTERRUPTED;
}

/* ---- translating ----------------------------------------------------------------------------- */

struct worker {
    pthread_t thread;
    int threads;
    dgm_model *model; /* NULL: it loads the file */
    char out[LINES][400];
    dgm_status status;
};

static dgm_status translate_lines(dgm_translator *translator, char out[LINES][400])
{
    size_t lines = 0, i, bytes;
    const char *text;
    char line[40];
    dgm_status status = DGM_OK;

    for (i = 0; i < LINES && status == DGM_OK; i++) {
        snprintf(line, sizeof line, "w%d w%d w%d", (int)i % 9, (int)(i + 2) % 9, (int)(i * 5) % 9);
        status = dgm_translator_add(translator, line, strlen(line));
    }
    if (status == DGM_OK)
        status = dgm_translator_run(translator, &lines);
    for (i = 0; i < lines && status == DGM_OK; i++) {
        status = dgm_translator_result(translator, i, 0, &text, &bytes, NULL, NULL);
        if (status == DGM_OK)
            snprintf(out[i], 400, "%s", text);
    }
    return status;
}

static void *work(void *user)
{
    struct worker *worker = user;
    dgm_translator_options options;
    dgm_translator *translator = NULL;
    dgm_context *context;
    const char *models[1], *text;
    char path[500];
    size_t bytes;
    dgm_tokenizer *tokenizer = NULL;

    worker->status = new_context(&context, worker->threads);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    models[0] = path_of(path, "short.gguf");
    options.models = models;
    options.model_count = worker->model == NULL;
    options.shared = &worker->model;
    options.shared_count = worker->model != NULL;
    if (worker->status == DGM_OK)
        worker->status = dgm_tokenizer_new(context, NULL, &tokenizer);
    if (worker->status == DGM_OK)
        worker->status = dgm_tokenizer_apply(tokenizer, "One, two.", 9, &text, &bytes);
    if (worker->status == DGM_OK)
        worker->status = dgm_translator_new(context, &options, &translator);
    if (worker->status == DGM_OK)
        worker->status = translate_lines(translator, worker->out);
    if (worker->status != DGM_OK)
        says("a worker", context, worker->status);
    dgm_translator_free(translator);
    dgm_tokenizer_free(tokenizer);
    dgm_context_free(context);
    return NULL;
}

/* All at the same time; each must give what one alone gives. Half of them share a model. */
static int check_workers(dgm_model *model)
{
    static struct worker alone, workers[WORKERS];
    int i, bad = 0;

    alone.threads = 1;
    work(&alone);
    for (i = 0; i < WORKERS; i++) {
        workers[i].threads = 1 + i % 2;
        workers[i].model = i < WORKERS / 2 ? model : NULL;
        bad |= pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0;
    }
    for (i = 0; i < WORKERS && !bad; i++)
        pthread_join(workers[i].thread, NULL);
    for (i = 0; i < WORKERS && !bad; i++)
        bad =
            workers[i].status != DGM_OK || memcmp(workers[i].out, alone.out, sizeof alone.out) != 0;
    return bad || alone.status != DGM_OK || alone.out[0][0] == '\0';
}

static int check_sharing(void)
{
    dgm_model *model = NULL;
    dgm_context *context;
    char path[500];
    dgm_status status = new_context(&context, 1);
    int bad;

    if (status == DGM_OK)
        status = dgm_model_open(context, path_of(path, "short.gguf"), NULL, &model);
    if (status != DGM_OK)
        says("a shared model", context, status);
    bad = status != DGM_OK || check_workers(model);
    dgm_model_free(model);
    dgm_context_free(context);
    return bad;
}

static int check_training(void)
{
    dgm_context *context;
    dgm_status status = new_context(&context, 2);

    if (status == DGM_OK)
        status = train(context, "short.gguf", "12u", NULL, NULL);
    if (status != DGM_OK)
        says("training", context, status);
    dgm_context_free(context);
    return status != DGM_OK;
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

    snprintf(folder, sizeof folder, "%s/dragoman-threads-XXXXXX",
             place != NULL && place[0] != '\0' ? place : "/tmp");
    if (mkdtemp(folder) == NULL || !write_texts()) {
        perror(folder);
        return 1;
    }
    bad = check_training() || check_sharing() || check_stop();
    remove_all();
    puts(bad ? "bad" : "good");
    return bad;
}
