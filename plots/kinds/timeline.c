/* A Gantt chart of `--timeline`'s CSV, with one row per rank, per host that runs tasks, or per
 * link.  A small number of tasks is drawn with one bar each.  For more, time is cut into slots too
 * narrow to be seen, and each slot shows the state that takes most of it, so that the picture's
 * size does not grow with the number of intervals. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/names.h"
#include "common/files/table.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "common/text_list.h"
#include "plots/gnuplot.h"
#include "plots/plot.h"

#define MOST_RANKS  4096
#define MOST_STATES 32
#define MOST_KINDS  9       /* states of hosts with their own colours */
#define MOST_SLOTS  4000    /* slots of a row */
#define MOST_BOXES  400000u /* boxes of all rows, approximately */
#define MOST_BARS   160     /* bars of a host if each task has one */
#define MOST_NAMES  32      /* names of hosts beside the rows */
#define MOST_NAME   250     /* gnuplot_width() of a name; the picture has names in a smaller font */

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
  bool hosts; /* rows have names: hosts, with kinds of tasks and "wait" as states, or links */
  bool links; /* states are steps of their use */
  bool given; /* `host` contains the hosts of the platform */
  struct names host;
  bool folded; /* too many kinds of tasks: the states are "tasks" and "wait" */
};

static bool is_wait(const char *state)
{
  return strcmp(state, "wait") == 0;
}

/* Merges all kinds of tasks into one state. */
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

/* Adds the hosts of a platform, in its order, with the names that sim/tasknet/record.c writes. */
static enum status give_hosts(struct chart *c, const struct platform *p, struct err *e)
{
  char composed[PLATFORM_NAME_SIZE], name[PLATFORM_NAME_SIZE];
  uint32_t unused;
  c->given = p != NULL && platform_hosts(p) <= MOST_RANKS;
  for (uint32_t h = 0; c->given && h < platform_hosts(p); h++) {
    snprintf(name, sizeof name, "%s", platform_host_name(p, h, composed, sizeof composed));
    for (char *at = name; *at != '\0'; at++)
      *at = (char)(strchr("\"\\,", *at) != NULL ? '_' : *at);
    if (names_add(&c->host, name, &unused, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status find_row(struct chart *c, const struct table *t, size_t column, uint32_t *row,
                            struct err *e)
{
  uint64_t rank = 0;
  const char *name = t->field[column];
  if (!c->hosts) {
    if (table_u64(t, column, UINT32_MAX, &rank, e) != OK)
      return FAIL;
    if (rank >= MOST_RANKS)
      return err_at(e, t->path, t->line, "rank %" PRIu64 ": a picture has at most %d ranks", rank,
                    MOST_RANKS);
    *row = (uint32_t)rank;
    return OK;
  }
  *row = names_find(&c->host, name);
  if (*row != NAMES_NONE)
    return OK;
  if (c->given)
    return err_at(e, t->path, t->line, "the platform has no host '%.200s'", name);
  if (c->host.count == MOST_RANKS)
    return err_at(e, t->path, t->line, "more than %d %ss", MOST_RANKS, c->links ? "link" : "host");
  return names_add(&c->host, name, row, e);
}

static enum status read_interval(void *chart, const struct table *t, const size_t *column,
                                 struct err *e)
{
  struct chart *c = chart;
  struct interval one;
  if (find_row(c, t, column[0], &one.rank, e) != OK ||
      table_double(t, column[1], 0, DBL_MAX, &one.start, e) != OK ||
      table_double(t, column[2], one.start, DBL_MAX, &one.end, e) != OK ||
      find_state(c, t, t->field[column[3]], &one.state, e) != OK)
    return FAIL;
  if (MEM_GROW(c->interval, c->room, c->intervals + 1, e) != OK)
    return FAIL;
  c->interval[c->intervals++] = one;
  c->ranks = one.rank >= c->ranks ? one.rank + 1 : c->ranks;
  c->end = one.end > c->end ? one.end : c->end;
  return OK;
}

/* Without a platform, orders the hosts by name. */
static enum status sort_hosts(struct chart *c, struct err *e)
{
  const uint32_t n = c->host.count;
  OWNED uint32_t *order = NULL, *row = mem_array(n, sizeof *row, e);
  OWNED char **name = row == NULL ? NULL : mem_array(n, sizeof *name, e);
  if (name == NULL || names_order(&order, c->host.name, n, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n; i++) {
    row[order[i]] = i;
    name[i] = c->host.name[order[i]];
  }
  memcpy(c->host.name, name, n * sizeof *name);
  for (size_t i = 0; i < c->intervals; i++)
    c->interval[i].rank = row[c->interval[i].rank];
  return OK;
}

/* The steps of a link's use, in this order in each legend; their colours are in the template. */
static enum status give_steps(struct chart *c, const struct table *t, struct err *e)
{
  static const char *const STEP[] = {"below 25 %", "25-50 %", "50-75 %", "above 75 %"};
  uint32_t unused;
  for (size_t i = 0; c->links && i < sizeof STEP / sizeof *STEP; i++)
    if (find_state(c, t, STEP[i], &unused, e) != OK)
      return FAIL;
  return OK;
}

static enum status read_intervals(struct chart *c, struct table *t, const struct platform *p,
                                  struct err *e)
{
  c->links = table_find(t, "link") != TABLE_NONE;
  c->hosts = c->links || table_find(t, "host") != TABLE_NONE;
  const char *const what = c->links ? "link" : c->hosts ? "host" : "rank";
  const char *const name[] = {what, "start_s", "end_s", "state", NULL};
  if ((c->hosts && !c->links && give_hosts(c, p, e) != OK) || give_steps(c, t, e) != OK ||
      table_rows(t, name, read_interval, c, e) != OK)
    return FAIL;
  if (c->end <= 0)
    return err_set(e, "%s: no interval takes time", t->path);
  if (!c->hosts)
    return OK;
  c->ranks = c->host.count;
  return c->given ? OK : sort_hosts(c, e);
}

static int by_rank_and_time(const void *a, const void *b)
{
  const struct interval *x = a, *y = b;
  return RISING(x->rank, y->rank) ?: RISING(x->start, y->start);
}

/* Writer of boxes "rank start end state"; start and end are in slots. */
struct slots {
  FILE *f;
  double width;              /* of a slot, in s */
  double share[MOST_STATES]; /* time in s of each state in the current slot */
  uint32_t slots, states;
  uint32_t rank, slot;  /* current position */
  uint32_t from, state; /* the open box; state == states: none */
};

static void end_box(struct slots *s)
{
  if (s->state < s->states)
    fprintf(s->f, "%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", s->rank, s->from, s->slot,
            s->state + 1);
  s->state = s->states;
}

/* Ends the current slot: extends the open box, or ends it and begins a new one. */
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

/* End of the current slot in s.  The last slot has no end, so that rounding loses no time. */
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

static bool has_bars(const struct chart *c)
{
  size_t from = 0;
  for (size_t i = 0; c->hosts && i < c->intervals; i++) {
    if (c->interval[i].rank != c->interval[from].rank)
      from = i;
    if (i - from >= MOST_BARS)
      return false;
  }
  return c->hosts;
}

static void write_bars(const struct chart *c, double slot, FILE *f)
{
  fputs("$boxes << EOD\n", f);
  for (size_t i = 0; i < c->intervals; i++) {
    const struct interval *one = &c->interval[i];
    fprintf(f, "%" PRIu32 " %.9g %.9g %" PRIu32 "\n", one->rank, one->start / slot, one->end / slot,
            one->state + 1);
  }
  fputs("EOD\n", f);
}

static void write_boxes(struct chart *c, uint32_t slots, FILE *f)
{
  struct slots s = {
      .f = f, .width = c->end / slots, .slots = slots, .states = c->states, .state = c->states};
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

/* Number of the colour of a cause on a critical path; 0: no cause. */
static size_t cause_of(const char *state)
{
  static const char *const CAUSES[] = {"contention",   "transfer",         "latency",
                                       "crowded_host", "tests_and_probes", "overlay"};
  const size_t n = sizeof CAUSES / sizeof *CAUSES, i = text_list_find(CAUSES, n, state);
  return i < n ? i + 1 : 0;
}

/* Number of a state's colour, from 1, the same in every picture; the most frequent states come
 * first.  Unlisted states share the last number. */
static size_t series_of(const char *state)
{
  static const char *const STATES[] = {
      "recv",     "send",          "wait",    "waitall",   "allreduce",   "alltoall",
      "bcast",    "barrier",       "reduce",  "alltoallv", "sendrecv",    "allgather",
      "gather",   "scatter",       "waitany", "test",      "allgatherv",  "gatherv",
      "scatterv", "reducescatter", "scan",    "exscan",    "end of trace"};
  const size_t cause = cause_of(state);
  return cause > 0 ? cause : text_list_find(STATES, sizeof STATES / sizeof *STATES, state) + 1;
}

static bool is_wide(const char *name)
{
  return strlen(name) >= GNUPLOT_LABEL_SIZE || gnuplot_width(name) > MOST_NAME;
}

/* If a name is too wide, sets the lengths of the common beginning and end of all names; if not, 0.
 * The beginning ends with a '-', '.' or '_', and the end begins with one. */
static void find_common(const struct chart *c, size_t *head, size_t *tail)
{
  static const char MARKS[] = "-._";
  const char *one = c->host.name[0];
  const size_t n = strlen(one);
  bool wide = is_wide(one);
  *head = *tail = n;
  for (uint32_t i = 1; i < c->host.count; i++) {
    const char *name = c->host.name[i];
    const size_t m = strlen(name);
    size_t same = 0;
    wide = wide || is_wide(name);
    while (same < *head && name[same] == one[same])
      same++;
    *head = same;
    for (same = 0; same < *tail && same < m && name[m - same - 1] == one[n - same - 1];)
      same++;
    *tail = same;
  }
  if (!wide || c->host.count == 1)
    *head = *tail = 0;
  while (*head > 0 && strchr(MARKS, one[*head - 1]) == NULL)
    --*head;
  while (*tail > 0 && strchr(MARKS, one[n - *tail]) == NULL)
    --*tail;
}

/* Writes the names of the rows; if there are many, every second, third, ... */
static void write_names(const struct chart *c, FILE *f)
{
  char label[GNUPLOT_LABEL_SIZE];
  size_t widest = 0, head, tail;
  const uint32_t step = (c->host.count - 1) / MOST_NAMES + 1;
  find_common(c, &head, &tail);
  fputs("set ytics (", f);
  for (uint32_t i = 0; i < c->host.count; i += step) {
    const char *name = c->host.name[i] + head;
    gnuplot_label_part(label, name, strlen(name) - tail);
    gnuplot_fit(label, MOST_NAME);
    widest = gnuplot_width(label) > widest ? gnuplot_width(label) : widest;
    gnuplot_tick(f, label);
    fprintf(f, " %" PRIu32 "%s", i, i + step < c->host.count ? ", " : "");
  }
  fprintf(f, ")\nwidest = %zu\n", widest);
}

static void write_chart(struct chart *c, FILE *f)
{
  uint32_t slots = MOST_BOXES / c->ranks;
  struct gnuplot_key key = {.f = f};
  slots = slots > MOST_SLOTS ? MOST_SLOTS : slots;
  fprintf(f, "states = %" PRIu32 "\nranks = %" PRIu32 "\n", c->states, c->ranks);
  fprintf(f, "end_s = %.12g\nslot_s = %.12g\n", c->end, c->end / slots);
  write_unit(c->end, f);
  gnuplot_text(f, "y_title", c->links ? "link" : c->hosts ? "host" : "rank");
  qsort(c->interval, c->intervals, sizeof *c->interval, by_rank_and_time);
  fprintf(f, "hosts = %d\nbars = %d\nmost_names = %d\n", c->hosts, has_bars(c), MOST_NAMES);
  if (c->hosts)
    write_names(c, f);
  for (uint32_t i = 0; i < c->states; i++)
    gnuplot_key_add(&key, c->state[i], c->hosts && !c->links ? i + 1 : series_of(c->state[i]));
  gnuplot_key_end(&key);
  if (has_bars(c))
    write_bars(c, c->end / slots, f);
  else
    write_boxes(c, slots, f);
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  struct chart c = {0};
  struct table t;
  if (table_open(&t, p->input[0], ',', e) != OK)
    return FAIL;
  const enum status s = read_intervals(&c, &t, p->platform, e);
  table_close(&t);
  if (s == OK)
    write_chart(&c, f);
  for (uint32_t i = 0; i < c.states; i++)
    free(c.state[i]);
  names_clear(&c.host);
  free(c.interval);
  return s;
}

const struct plot_kind plot_timeline = {
    .name = "timeline",
    .inputs = "TIMELINE.csv",
    .help = "what each rank did when (haichi sim --timeline), or each host of --platform (haichi "
            "schedule)",
    .most = 1,
    .takes_platform = true,
    .write = write,
};
