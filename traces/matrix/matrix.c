#include "traces/matrix/matrix.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/containers/index.h"
#include "common/containers/search.h"
#include "common/err.h"
#include "common/files/outfile.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "common/numeric/rng.h"

/* Counts messages and bytes by pair of ranks.  Each source rank has its own hash table, so that
 * reading rank by rank stays in the cache. */

struct counter_row;

/** Pairs and their counts; call counter_init() first. */
struct counter {
  struct counter_row *row; /**< by source; owned */
  uint32_t ranks;
  size_t pairs;
  size_t cells; /**< number allocated, in all rows */
};

struct cell {
  uint32_t dst;
  uint64_t messages, bytes;
};

struct counter_row {
  struct cell *cell;
  size_t room;
  uint32_t used;
  struct index by_dst;
};

/* Makes a counter without pairs.  Free with counter_clear(). */
static enum status counter_init(struct counter *c, uint32_t ranks, struct err *e)
{
  struct counter_row *row = mem_array(ranks, sizeof *row, e);
  if (row == NULL)
    return FAIL;
  *c = (struct counter){.row = row, .ranks = ranks};
  return OK;
}

/* Frees the counts; accepts a zeroed counter. */
static void counter_clear(struct counter *c)
{
  for (uint32_t r = 0; r < c->ranks; r++) {
    free(c->row[r].cell);
    index_clear(&c->row[r].by_dst);
  }
  free(c->row);
  *c = (struct counter){.row = NULL};
}

static bool same(const void *cells, uint32_t number, const void *dst)
{
  return ((const struct cell *)cells)[number].dst == *(const uint32_t *)dst;
}

static uint64_t hash(const void *cells, uint32_t number)
{
  return index_mix(((const struct cell *)cells)[number].dst);
}

static enum status add_cell(struct counter *c, struct counter_row *row, uint32_t dst, struct err *e)
{
  const size_t room = row->room;
  if (c->pairs == MATRIX_PAIRS_MAX)
    return err_set(e, "more than %" PRIu64 " pairs of ranks exchange messages", MATRIX_PAIRS_MAX);
  /* Requires twice the size of a cell: the matrix made of the cells takes the same memory again. */
  if (row->used == room && mem_fits(c->cells + 2 * room + 8, 2 * sizeof *row->cell, e) != OK)
    return FAIL;
  if (MEM_GROW(row->cell, row->room, (size_t)row->used + 1, e) != OK ||
      index_reserve(&row->by_dst, row->used, hash, row->cell, e) != OK)
    return FAIL;
  c->cells += row->room - room;
  row->cell[row->used] = (struct cell){.dst = dst};
  index_add(&row->by_dst, index_mix(dst), row->used++);
  c->pairs++;
  return OK;
}

/* Adds x->messages (> 0) and x->bytes to the pair (x->src, x->dst).  Fails for more than
 * MATRIX_PAIRS_MAX pairs, and if memory runs out.  O(1). */
static enum status counter_add(struct counter *c, const struct matrix_entry *x, struct err *e)
{
  struct counter_row *row = &c->row[x->src];
  uint32_t at = index_find(&row->by_dst, index_mix(x->dst), same, row->cell, &x->dst);
  if (at == INDEX_NONE) {
    if (add_cell(c, row, x->dst, e) != OK)
      return FAIL;
    at = row->used - 1;
  }
  row->cell[at].messages += x->messages;
  row->cell[at].bytes += x->bytes;
  return OK;
}

int matrix_compare(const void *a, const void *b)
{
  const struct matrix_entry *x = a, *y = b;
  return RISING(x->src, y->src) ?: RISING(x->dst, y->dst);
}

/* Makes a matrix of the counts, which do not change.  Free with matrix_clear(). */
static enum status counter_matrix(const struct counter *c, struct matrix *m, struct err *e)
{
  struct matrix_entry *entry = mem_array(c->pairs, sizeof *entry, e);
  if (entry == NULL)
    return FAIL;
  size_t n = 0;
  for (uint32_t src = 0; src < c->ranks; src++) {
    const struct counter_row *row = &c->row[src];
    for (uint32_t i = 0; i < row->used; i++)
      entry[n++] =
          (struct matrix_entry){src, row->cell[i].dst, row->cell[i].messages, row->cell[i].bytes};
    qsort(entry + n - row->used, row->used, sizeof *entry, matrix_compare);
  }
  *m = (struct matrix){.ranks = c->ranks, .count = n, .entry = entry};
  return OK;
}

/* Reads a program without simulating it. */
struct reader {
  struct program *program;
  struct counter p2p, collective; /* zeroed: ignores its messages */
  bool together;                  /* p2p also counts messages of collectives */
  uint64_t bytes; /* of all messages, at most INT64_MAX, so that no entry overflows */
  bool *ended;    /* by rank */
  uint32_t left;  /* number of ranks that have not ended */
};

/* Sets an error at the rank's current action. */
static enum status refuse(const struct reader *r, uint32_t rank, const char *why, struct err *e)
{
  const char *file, *action;
  uint64_t line;
  program_where(r->program, rank, &file, &line, &action);
  return err_at(e, file, line, "%s: %s", action, why);
}

static enum status too_many_bytes(const struct reader *r, uint32_t rank, struct err *e)
{
  struct err why;
  err_set(&why, "the messages' bytes exceed %" PRId64 " in all", INT64_MAX);
  return refuse(r, rank, why.text, e);
}

static enum status count_send(struct reader *r, uint32_t rank, const struct op *op, struct err *e)
{
  struct counter *c = op->tag < 0 && !r->together ? &r->collective : &r->p2p;
  const uint64_t times = program_weight(r->program, rank);
  if (c->ranks == 0)
    return OK;
  if (op->bytes > ((uint64_t)INT64_MAX - r->bytes) / times)
    return too_many_bytes(r, rank, e);
  r->bytes += times * op->bytes;
  const struct matrix_entry x = {rank, op->peer, times, times * op->bytes};
  struct err why;
  return counter_add(c, &x, &why) == OK ? OK : refuse(r, rank, why.text, e);
}

static enum status take(struct reader *r, uint32_t rank, const struct op *op, struct err *e)
{
  if (op->kind == OP_SEND)
    return count_send(r, rank, op, e);
  /* Without simulated time every request is complete: a test succeeds, waitany returns the
   * first. */
  if (op->kind == OP_TEST || op->kind == OP_PROBE)
    program_completed(r->program, rank, op->request);
  if (op->kind == OP_WAITANY && op->nrequests > 0)
    program_completed(r->program, rank, op->requests[0]);
  return OK;
}

/* Reads until the rank has entered collective number @p collectives (from 1) or has ended. */
static enum status read_rank(struct reader *r, uint32_t rank, uint64_t collectives, struct err *e)
{
  while (program_collectives(r->program, rank) < collectives) {
    struct op op;
    bool more;
    if (program_next(r->program, rank, &op, &more, e) != OK)
      return FAIL;
    if (!more) {
      r->ended[rank] = true;
      r->left--;
      return OK;
    }
    if (take(r, rank, &op, e) != OK)
      return FAIL;
  }
  return OK;
}

/* Stops all ranks at each collective, see program_collectives(). */
static enum status read_ranks(struct reader *r, struct err *e)
{
  const uint32_t ranks = program_ranks(r->program);
  program_single_iteration(r->program);
  r->left = ranks;
  for (uint64_t step = 1; r->left > 0; step++)
    for (uint32_t rank = 0; rank < ranks; rank++)
      if (!r->ended[rank] && read_rank(r, rank, step, e) != OK)
        return FAIL;
  return program_finish(r->program, e);
}

static enum status read_program(struct reader *r, struct err *e)
{
  r->ended = mem_array(program_ranks(r->program), sizeof *r->ended, e);
  const enum status s = r->ended == NULL ? FAIL : read_ranks(r, e);
  free(r->ended);
  return s;
}

/* Fails for too many pairs before minutes of counting. */
static enum status check_pairs(const struct program *p, struct err *e)
{
  const uint64_t pairs = trace_pairs(program_trace(p));
  if (pairs <= MATRIX_PAIRS_MAX)
    return OK;
  return err_set(e, "%s: %" PRIu64 " pairs of ranks are more than a matrix keeps, %" PRIu64,
                 trace_name(program_trace(p)), pairs, MATRIX_PAIRS_MAX);
}

/* Counts the program's messages into @p p2p and, if it is not NULL, @p collective. */
static enum status count(struct reader *r, struct matrix *p2p, struct matrix *collective,
                         struct err *e)
{
  const uint32_t ranks = program_ranks(r->program);
  struct matrix first, second;
  enum status s = check_pairs(r->program, e);
  if (s == OK)
    s = counter_init(&r->p2p, ranks, e);
  if (s == OK && collective != NULL)
    s = counter_init(&r->collective, ranks, e);
  if (s == OK)
    s = read_program(r, e);
  if (s == OK)
    s = counter_matrix(&r->p2p, &first, e);
  if (s == OK && collective != NULL && counter_matrix(&r->collective, &second, e) != OK) {
    matrix_clear(&first);
    s = FAIL;
  }
  counter_clear(&r->p2p);
  counter_clear(&r->collective);
  if (s != OK)
    return FAIL;
  *p2p = first;
  if (collective != NULL)
    *collective = second;
  return OK;
}

enum status matrix_from_program(struct matrix *m, struct program *p, bool p2p_only, struct err *e)
{
  struct reader r = {.program = p, .together = !p2p_only};
  return count(&r, m, NULL, e);
}

enum status matrix_split_program(struct matrix *p2p, struct matrix *collective, struct program *p,
                                 struct err *e)
{
  struct reader r = {.program = p};
  return count(&r, p2p, collective, e);
}

void matrix_sort(struct matrix *m)
{
  size_t n = 0;
  if (m->count > 0)
    qsort(m->entry, m->count, sizeof *m->entry, matrix_compare);
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry x = m->entry[i];
    if (n > 0 && matrix_compare(&m->entry[n - 1], &x) == 0) {
      m->entry[n - 1].messages += x.messages;
      m->entry[n - 1].bytes += x.bytes;
    } else {
      m->entry[n++] = x;
    }
  }
  m->count = n;
}

enum status matrix_contract(struct matrix *out, const struct matrix *m, const uint32_t *group,
                            uint32_t groups, struct err *e)
{
  struct matrix c = {.ranks = groups, .entry = mem_array(m->count, sizeof *c.entry, e)};
  if (c.entry == NULL)
    return FAIL;
  for (size_t i = 0; i < m->count; i++) {
    struct matrix_entry x = matrix_at(m, i);
    x.src = group[x.src];
    x.dst = group[x.dst];
    if (x.src != x.dst)
      c.entry[c.count++] = x;
  }
  matrix_sort(&c);
  *out = c;
  return OK;
}

enum status matrix_shuffle(struct matrix *m, uint64_t seed, struct err *e)
{
  assert(m->dense == NULL);
  OWNED uint32_t *number = mem_array(m->ranks, sizeof *number, e);
  if (number == NULL)
    return FAIL;
  for (uint32_t r = 0; r < m->ranks; r++)
    number[r] = r;
  struct rng rng = rng_new(seed, 0);
  rng_shuffle(&rng, number, m->ranks);
  for (size_t i = 0; i < m->count; i++) {
    m->entry[i].src = number[m->entry[i].src];
    m->entry[i].dst = number[m->entry[i].dst];
  }
  matrix_sort(m);
  return OK;
}

void matrix_print(const struct matrix *m, FILE *f)
{
  fputs(MATRIX_HEADER "\n", f);
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry x = matrix_at(m, i);
    fprintf(f, "%" PRIu32 "\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\n", x.src, x.dst, x.messages,
            x.bytes);
  }
}

enum status matrix_save(const struct matrix *m, const char *path, struct err *e)
{
  struct outfile o;
  if (outfile_open(&o, path, e) != OK)
    return FAIL;
  matrix_print(m, o.f);
  return outfile_commit(&o, e);
}

struct wanted {
  const struct matrix_entry *entry;
  uint32_t src, dst;
};

static bool is_below(const void *key, size_t i)
{
  const struct wanted *w = key;
  const struct matrix_entry *x = &w->entry[i];
  return x->src < w->src || (x->src == w->src && x->dst < w->dst);
}

size_t matrix_search(const struct matrix_entry *entry, size_t low, size_t high, uint32_t src,
                     uint32_t dst)
{
  return search(low, high, is_below, &(struct wanted){entry, src, dst});
}

void matrix_clear(struct matrix *m)
{
  free(m->entry);
  free(m->dense);
  *m = (struct matrix){0};
}
