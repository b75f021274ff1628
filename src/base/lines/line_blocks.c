/* line_blocks.c: lines worked on by several threads, block by block. */
#include "base/lines/line_blocks.h"

#include <string.h>

#include "base/mem.h"
#include "base/system/pool.h"

/* Text in a block: work for about a millisecond. Blocks in a window: for each thread so many that
 * it is seldom idle at the end, and no more than this in all. */
enum { BLOCK_BYTES = 32 << 10, BLOCK_LINES = 512, BLOCKS_EACH = 16, MOST_BLOCKS = 512 };

enum { MOST_KEPT = 1 << 20 }; /* bytes of a buffer that serves again */

struct window {
    struct dgm_line_block *blocks;
    size_t count; /* with lines */
    size_t bytes; /* of text */
};

struct run {
    struct dgm_env *env;
    const struct dgm_line_work *work;
    struct dgm_env *envs;  /* of the workers */
    struct dgm_pool *pool; /* NULL until there are several blocks to work on */
    struct window windows[2];
    struct window *current, *ahead;
    size_t size;       /* blocks of a window */
    int has_looked;    /* ahead, while the current window is worked on */
    int more;          /* lines may follow */
    long lines;        /* read so far */
    dgm_status status; /* of reading, and why: env is free for the lines before */
    dgm_error error;
};

/* ---- blocks ------------------------------------------------------------------------------- */

const char *dgm_line_block_at(const struct dgm_line_block *block, size_t i, size_t file,
                              size_t *bytes)
{
    size_t at = i * block->files + file, start = at > 0 ? block->ends[at - 1] : 0;

    *bytes = block->ends[at] - start;
    return block->text.data + start;
}

static int is_full(const struct dgm_line_block *block)
{
    return block->text.size >= BLOCK_BYTES || block->count >= BLOCK_LINES;
}

/* The lines that the files hold. */
static dgm_status add_lines(struct run *run, struct dgm_line_block *block)
{
    const struct dgm_line_work *work = run->work;
    size_t at = block->count * work->file_count;

    DGM_TRY(dgm_reserve(run->env, &block->ends, &block->capacity, at + work->file_count,
                        sizeof *block->ends));
    for (size_t f = 0; f < work->file_count; f++) {
        const struct dgm_buf *line = &work->files[f].line;

        DGM_TRY(dgm_buf_add(run->env, &block->text, line->data, line->size));
        block->ends[at + f] = block->text.size;
    }
    block->count++;
    return DGM_OK;
}

/* Lines of many megabytes leave no memory behind. */
static void reset(struct dgm_env *env, struct dgm_buf *buf)
{
    if (buf->capacity > MOST_KEPT)
        dgm_buf_clear(env, buf);
    else
        dgm_buf_reset(buf);
}

/* The block of a window that the next line goes to; NULL: the window is full. */
static struct dgm_line_block *next_block(struct run *run, struct window *window)
{
    struct dgm_line_block *block = window->blocks + window->count;

    if (window->count > 0 && !is_full(block - 1))
        return block - 1;
    if (window->count == run->size)
        return NULL;
    window->count++;
    reset(run->env, &block->text);
    reset(run->env, &block->out);
    block->count = 0;
    block->files = run->work->file_count;
    block->first = run->lines + 1;
    return block;
}

/* ---- reading ------------------------------------------------------------------------------ */

static int is_ready(struct dgm_env *env, const struct dgm_line_work *work)
{
    for (size_t f = 0; f < work->file_count; f++)
        if (!dgm_lines_ready(env, &work->files[f]))
            return 0;
    return 1;
}

static dgm_status read_line(struct run *run, struct window *window)
{
    struct dgm_line_block *block;
    size_t before;

    DGM_TRY(run->work->next(run->env, run->work->user, &run->more));
    if (!run->more)
        return DGM_OK;
    block = next_block(run, window);
    before = block->text.size;
    DGM_TRY(add_lines(run, block));
    window->bytes += block->text.size - before;
    run->lines++;
    return DGM_OK;
}

static int has_room(const struct run *run, const struct window *window)
{
    return window->bytes < run->size * BLOCK_BYTES &&
           (window->count < run->size || !is_full(&window->blocks[run->size - 1]));
}

/* Fills a window with lines that are there; waits for the first one, if `waits`. A failure is that
 * of the line after those in the window. */
static void fill(struct run *run, struct window *window, int waits)
{
    while (run->more && has_room(run, window) &&
           ((waits && window->count == 0) || is_ready(run->env, run->work))) {
        run->status = read_line(run, window);
        if (run->status == DGM_OK)
            continue;
        run->more = 0;
        run->error = run->env->error;
        dgm_env_clear_error(run->env);
    }
}

/* ---- working ------------------------------------------------------------------------------ */

static void work_on(struct run *run, struct dgm_line_block *block, int worker)
{
    struct dgm_env *env = &run->envs[worker];

    dgm_env_clear_error(env);
    dgm_buf_reset(&block->out);
    block->status = DGM_OK;
    for (size_t i = 0; i < block->count && block->status == DGM_OK; i++)
        block->status = run->work->line(env, run->work->user, worker, block, i);
    block->error = env->error;
}

static void look_ahead(struct run *run)
{
    if (run->has_looked)
        return;
    run->has_looked = 1;
    fill(run, run->ahead, 0);
}

/* The caller's thread reads first, while others begin. */
static void work_chunk(void *shared, int64_t chunk, int worker)
{
    struct run *run = shared;

    if (worker == 0)
        look_ahead(run);
    work_on(run, &run->current->blocks[chunk], worker);
}

static dgm_status work_on_window(struct run *run)
{
    struct window *window = run->current;

    if (run->pool == NULL && window->count > 1 && run->work->workers > 1)
        DGM_TRY(dgm_pool_new(run->env, &run->pool, run->work->workers));
    run->has_looked = run->pool == NULL; /* alone, it would gain nothing */
    if (run->pool != NULL)
        dgm_pool_run(run->pool, work_chunk, run, (int64_t)window->count);
    for (size_t b = 0; b < window->count && run->pool == NULL; b++)
        work_on(run, &window->blocks[b], 0);
    look_ahead(run);
    return DGM_OK;
}

/* Results in their order. The first failure in the order of lines counts: that of reading is behind
 * them all. */
static dgm_status take(struct run *run)
{
    for (size_t b = 0; b < run->current->count; b++) {
        const struct dgm_line_block *block = &run->current->blocks[b];
        dgm_status status = run->work->take(run->env, run->work->user, block);

        if (status == DGM_OK && block->status == DGM_OK)
            continue;
        if (status == DGM_OK)
            run->env->error = block->error;
        return status != DGM_OK ? status : block->status;
    }
    run->current->count = 0;
    run->current->bytes = 0;
    return DGM_OK;
}

static dgm_status run_all(struct run *run)
{
    for (;;) {
        struct window *done = run->current;

        fill(run, run->current, 1);
        if (run->current->count == 0) {
            if (run->status != DGM_OK)
                run->env->error = run->error;
            return run->status;
        }
        DGM_TRY(work_on_window(run));
        DGM_TRY(take(run));
        run->current = run->ahead;
        run->ahead = done;
    }
}

/* ---- the whole ---------------------------------------------------------------------------- */

static dgm_status make(struct run *run)
{
    DGM_TRY(dgm_new(run->env, &run->envs, (size_t)run->work->workers, sizeof *run->envs));
    for (int i = 0; i < run->work->workers; i++) {
        run->envs[i] = dgm_env_quiet(run->env);
        run->envs[i].poll = NULL; /* the caller's thread asks, whenever it reads */
    }
    for (int w = 0; w < 2; w++) {
        DGM_TRY(
            dgm_new(run->env, &run->windows[w].blocks, run->size, sizeof *run->windows[w].blocks));
    }
    return DGM_OK;
}

static void clear(struct run *run)
{
    for (int w = 0; w < 2; w++) {
        struct dgm_line_block *blocks = run->windows[w].blocks;

        for (size_t b = 0; b < run->size && blocks != NULL; b++) {
            dgm_buf_clear(run->env, &blocks[b].text);
            dgm_buf_clear(run->env, &blocks[b].out);
            dgm_release(run->env, blocks[b].ends);
        }
        dgm_release(run->env, blocks);
    }
    dgm_pool_free(run->env, run->pool);
    dgm_release(run->env, run->envs);
}

dgm_status dgm_line_blocks_run(struct dgm_env *env, const struct dgm_line_work *work)
{
    struct run run = { .env = env, .work = work, .more = 1 };
    dgm_status status;

    run.size = work->workers > 1 ? (size_t)work->workers * BLOCKS_EACH : 1;
    run.size = run.size < MOST_BLOCKS ? run.size : MOST_BLOCKS;
    run.current = &run.windows[0];
    run.ahead = &run.windows[1];
    status = make(&run);
    if (status == DGM_OK)
        status = run_all(&run);
    clear(&run);
    return status;
}
