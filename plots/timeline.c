/* A Gantt chart of `--timeline`'s CSV, one row a rank, or a host that runs tasks.  Time is cut into
 * slots too narrow to be seen, and each slot shows the state that takes most of it: the picture's
 * size does not grow with the number of intervals. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/table.h"
#include "common/mem.h"
#include "plots/gnuplot.h"
#include "plots/plot.h"

#define MOST_RANKS  4096
#define MOST_STATES 32
#define MOST_KINDS  9       /* states of hosts that have a colour each */
#define MOST_SLOTS  4000    /* of a row */
#define MOST_BOXES  400000u /* of all rows, about */

struct interval {
  uint32_t rank, state;
  double start, end;
};

struct chart {
  struct interval *interval; /* by rank, then start; owned */
  size_t intervals, room;
  char *state[MOST_STATES];
  uint32_t states, ranks;
  double end;
  bool hosts;  /* rows are hosts, whose states are kinds of tasks and "wait" */
  bool folded; /* these are too many: there are "tasks" and "wait" */
};

static bool is_wait(const char *state)
{
  return strcmp(state, "wait") == 0;
}

/* Makes one state of all kinds of tasks. */
static enum status fold(struct chart *c, struct err *e)
{
  char *tasks = mem_strdup("tasks", e), *wait = mem_strdup("wait", e);
  if (tasks == NULL || wait == NULL) {
    free(tasks);
    free(wait);
    return FAIL;
  }
  for (size_t i = 0; i < c->intervals; i++)
    c->interval[i].state = is_wait(c->state[c->interval[i].state]);
  for (uint32_t i = 0; i < c->states; i++)
    free(c->state[i]);
  c->state[0] = tasks;
  c->state[1] = wait;
  c->states = 2;
  c->folded = true;
  return OK;
}

static enum status find_state(struct chart *c, const struct table *t, const char *name,
                              uint32_t *out, struct err *e)
{
  uint32_t i = 0;
  while (i < c->states && strcmp(c->state[i], name) != 0)
    i++;
  if (c->hosts && i == MOST_KINDS && fold(c, e) != OK)
    return FAIL;
  if (c->folded)
    i = is_wait(name);
  *out = i;
  if (i < c->states)
    return OK;
  if (i == MOST_STATES)
    return err_at(e, t->path, t->line, "more than %d states", MOST_STATES);
  c->state[i] = mem_strdup(name, e);
  c->states += c->state[i] != NULL;
  return c->state[i] == NULL ? FAIL : OK;
}

static enum status read_interval(void *chart, const struct table *t, const size_t *column,
                                 struct err *e)
{
  struct chart *c = chart;
  struct interval one;
  uint64_t rank;
  if (table_u64(t, column[0], MOST_RANKS - 1, &rank, e) != OK ||
      table_double(t, column[1], 0, DBL_MAX, &one.start, e) != OK ||
      table_double(t, column[2], one.start, DBL_MAX, &one.end, e) != OK ||
      find_state(c, t, t->field[column[3]], &one.state, e) != OK)
    return FAIL;
  if (MEM_GROW(c->interval, c->room, c->intervals + 1, e) != OK)
    return FAIL;
  one.rank = (uint32_t)rank;
  c->interval[c->intervals++] = one;
  c->ranks = one.rank >= c->ranks ? one.rank + 1 : c->ranks;
  c->end = one.end > c->end ? one.end : c->end;
  return OK;
}

static enum status read_intervals(struct chart *c, struct table *t, struct err *e)
{
  size_t host;
  struct err no_hosts;
  c->hosts = table_column(t, "host", &host, &no_hosts) == OK;
  const char *const name[] = {c->hosts ? "host" : "rank", "start_s", "end_s", "state", NULL};
  if (table_rows(t, name, read_interval, c, e) != OK)
    return FAIL;
  return c->end > 0 ? OK : err_set(e, "%s: nothing that takes time", t->path);
}

static int by_rank_and_time(const void *a, const void *b)
{
  const struct interval *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return (x->start > y->start) - (x->start < y->start);
}

/* Writer of boxes, "rank start end state" with start and end in slots. */
struct slots {
  FILE *f;
  double width;              /* of a slot, in s */
  double share[MOST_STATES]; /* of the current slot, in s, by state */
  uint32_t slots, states;
  uint32_t rank, slot;  /* the current one */
  uint32_t from, state; /* the box that has begun; state == states: none */
};

static void end_box(struct slots *s)
{
  if (s->state < s->states)
    fprintf(s->f, "%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", s->rank, s->from, s->slot,
            s->state + 1);
  s->state = s->states;
}

/* The current slot is over: its state goes on, or a new box begins. */
static void end_slot(struct slots *s)
{
  uint32_t most = s->states;
  for (uint32_t i = 0; i < s->states; i++) {
    if (s->share[i] > 0 && (most == s->states || s->share[i] > s->share[most]))
      most = i;
  }
  if (most != s->state) {
    end_box(s);
    s->from = s->slot;
    s->state = most;
  }
  memset(s->share, 0, sizeof s->share);
  s->slot++;
}

static void begin_row(struct slots *s, uint32_t rank)
{
  s->rank = rank;
  s->slot = 0;
  s->state = s->states;
}

static void end_row(struct slots *s)
{
  end_slot(s);
  end_box(s);
}

/* End of the current slot in s; the last is open, so that rounding loses no time. */
static double slot_end(const struct slots *s)
{
  return s->slot + 1 < s->slots ? (s->slot + 1) * s->width : INFINITY;
}

static void add_interval(struct slots *s, const struct interval *one)
{
  double at = one->start;
  while (at >= slot_end(s))
    end_slot(s);
  while (one->end > slot_end(s)) {
    s->share[one->state] += slot_end(s) - at;
    at = slot_end(s);
    end_slot(s);
  }
  s->share[one->state] += one->end - at;
}

static void write_boxes(struct chart *c, uint32_t slots, FILE *f)
{
  struct slots s = {
      .f = f, .width = c->end / slots, .slots = slots, .states = c->states, .state = c->states};
  qsort(c->interval, c->intervals, sizeof *c->interval, by_rank_and_time);
  fputs("$boxes << EOD\n", f);
  for (size_t i = 0; i < c->intervals; i++) {
    if (i == 0 || c->interval[i].rank != s.rank) {
      if (i > 0)
        end_row(&s);
      begin_row(&s, c->interval[i].rank);
    }
    add_interval(&s, &c->interval[i]);
  }
  end_row(&s);
  fputs("EOD\n", f);
}

static void write_unit(double seconds, FILE *f)
{
  static const struct {
    double least;
    const char *name;
  } UNITS[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {0, "ns"}};
  size_t i = 0;
  while (seconds < UNITS[i].least)
    i++;
  gnuplot_text(f, "unit", UNITS[i].name);
  fprintf(f, "unit_s = %g\n", UNITS[i].least > 0 ? UNITS[i].least : 1e-9);
}

/* Number of a state's colour, from 1, the same in every picture; the most usual states come first.
 * Unlisted states share the last number. */
static size_t series_of(const char *state)
{
  static const char *const STATES[] = {
      "recv",     "send",          "wait",    "waitall",   "allreduce",   "alltoall",
      "bcast",    "barrier",       "reduce",  "alltoallv", "sendrecv",    "allgather",
      "gather",   "scatter",       "waitany", "test",      "allgatherv",  "gatherv",
      "scatterv", "reducescatter", "scan",    "exscan",    "end of trace"};
  size_t i = 0;
  while (i < sizeof STATES / sizeof *STATES && strcmp(STATES[i], state) != 0)
    i++;
  return i + 1;
}

static void write_chart(struct chart *c, FILE *f)
{
  uint32_t slots = MOST_BOXES / c->ranks;
  struct gnuplot_key key = {.f = f};
  slots = slots > MOST_SLOTS ? MOST_SLOTS : slots;
  fprintf(f, "states = %" PRIu32 "\nranks = %" PRIu32 "\n", c->states, c->ranks);
  fprintf(f, "end_s = %.12g\nslot_s = %.12g\n", c->end, c->end / slots);
  write_unit(c->end, f);
  gnuplot_text(f, "y_title", c->hosts ? "host" : "rank");
  fprintf(f, "hosts = %d\n", c->hosts);
  for (uint32_t i = 0; i < c->states; i++) {
    char label[GNUPLOT_LABEL_SIZE];
    gnuplot_label(label, c->state[i]);
    gnuplot_key_add(&key, label, c->hosts ? i + 1 : series_of(c->state[i]));
  }
  gnuplot_key_end(&key);
  write_boxes(c, slots, f);
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  struct chart c = {0};
  struct table t;
  if (table_open(&t, p->input[0], ',', e) != OK)
    return FAIL;
  const enum status s = read_intervals(&c, &t, e);
  table_close(&t);
  if (s == OK)
    write_chart(&c, f);
  for (uint32_t i = 0; i < c.states; i++)
    free(c.state[i]);
  free(c.interval);
  return s;
}

const struct plot_kind plot_timeline = {
    .name = "timeline",
    .inputs = "TIMELINE.csv",
    .help = "what each rank did when (haichi sim --timeline)",
    .most = 1,
    .write = write,
};
