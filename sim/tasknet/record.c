#include "sim/tasknet/record.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/mem.h"
#include "common/numeric/rising.h"

void record_clear(struct record *t)
{
  free(t->order);
  free(t->first);
  *t = (struct record){0};
}

static int by_start(const void *a, const void *b, void *record)
{
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  const struct record *t = record;
  const struct abstract_run *r = t->run;
  /* Of elements that start together, those without duration ran first. */
  return RISING(r->host[x], r->host[y])     ?: RISING(r->start[x], r->start[y])
         ?: RISING(r->end[x], r->end[y]) ?: RISING(t->place[x], t->place[y]) ?: RISING(x, y);
}

enum status record_new(struct record *t, const struct tasknet *n, const struct platform *p,
                       const struct abstract_run *run, const uint32_t *place, struct err *e)
{
  const uint32_t hosts = platform_hosts(p);
  struct record made = {.net = n, .platform = p, .run = run, .place = place};
  if ((made.order = mem_array(n->elements, sizeof *made.order, e)) == NULL ||
      (made.first = mem_array((size_t)hosts + 1, sizeof *made.first, e)) == NULL) {
    record_clear(&made);
    return FAIL;
  }
  for (uint32_t i = 0; i < n->elements; i++) {
    made.order[i] = i;
    made.first[run->host[i] + 1]++;
  }
  for (uint32_t h = 0; h < hosts; h++)
    made.first[h + 1] += made.first[h];
  qsort_r(made.order, n->elements, sizeof *made.order, by_start, &made);
  *t = made;
  return OK;
}

/* Time in s when host h ended the element before order[i]. */
static double free_at(const struct record *t, uint32_t h, uint32_t i)
{
  return i > t->first[h] ? t->run->end[t->order[i - 1]] : 0;
}

static double wait_of(const struct record *t, uint32_t h, uint32_t i)
{
  return fmax(t->run->start[t->order[i]] - free_at(t, h, i), 0);
}

/* --- tables ----------------------------------------------------------------------------------- */

/* @p at is the element's index in t->order. */
static void print_task(const struct record *t, uint32_t element, uint32_t at, FILE *f)
{
  const uint32_t h = t->run->host[element];
  char name[PLATFORM_NAME_SIZE];
  tasknet_print_element(t->net, element, f);
  fprintf(f, "\t%s\t%" PRIu32 "\t%.12g\t%.12g\t%.12g\n",
          platform_host_name(t->platform, h, name, sizeof name), at - t->first[h],
          t->run->start[element], t->run->end[element], wait_of(t, h, at));
}

enum status record_print_tasks(const struct record *t, FILE *f, struct err *e)
{
  OWNED uint32_t *at = mem_array(t->net->elements, sizeof *at, e);
  if (at == NULL)
    return FAIL;
  for (uint32_t i = 0; i < t->net->elements; i++)
    at[t->order[i]] = i;
  fputs("task\thost\torder\tstart_s\tend_s\twait_s\n", f);
  for (uint32_t i = 0; i < t->net->elements; i++)
    print_task(t, i, at[i], f);
  return OK;
}

void record_print_hosts(const struct record *t, FILE *f)
{
  fputs("host\ttasks\tbusy_s\twait_s\tend_s\tuse\n", f);
  for (uint32_t h = 0; h < platform_hosts(t->platform); h++) {
    const uint32_t from = t->first[h], to = t->first[h + 1];
    double busy = 0, wait = 0;
    char name[PLATFORM_NAME_SIZE];
    for (uint32_t i = from; i < to; i++) {
      busy += t->run->end[t->order[i]] - t->run->start[t->order[i]];
      wait += wait_of(t, h, i);
    }
    fprintf(f, "%s\t%" PRIu32 "\t%.12g\t%.12g\t%.12g\t%.12g\n",
            platform_host_name(t->platform, h, name, sizeof name), to - from, busy, wait,
            free_at(t, h, to), t->run->makespan_s > 0 ? busy / t->run->makespan_s : 0);
  }
}

/* --- timeline --------------------------------------------------------------------------------- */

/* State of a host until its next change: the number of an array, or one of these. */
enum { WAITING = UINT32_MAX - 1, ENDED = UINT32_MAX };

struct change {
  double at;
  uint32_t host, state;
};

/* Lists the changes of all hosts, host by host, in order of time, without elements of no
 * duration. */
static uint32_t list_changes(const struct record *t, struct change *c)
{
  uint32_t n = 0;
  for (uint32_t h = 0; h < platform_hosts(t->platform); h++) {
    double now = 0;
    for (uint32_t i = t->first[h]; i < t->first[h + 1]; i++) {
      const uint32_t element = t->order[i];
      if (t->run->end[element] <= t->run->start[element])
        continue;
      if (t->run->start[element] > now)
        c[n++] = (struct change){now, h, WAITING};
      c[n++] = (struct change){t->run->start[element], h, t->net->array_of[element]};
      now = t->run->end[element];
    }
    if (now > 0)
      c[n++] = (struct change){now, h, ENDED};
  }
  return n;
}

/* The changes of one host have different dates. */
static int by_date(const void *a, const void *b)
{
  const struct change *x = a, *y = b;
  return RISING(x->at, y->at) ?: RISING(x->host, y->host);
}

/* State of writing a timeline. */
struct drawing {
  const struct tasknet *net;
  char *names;        /* names of the arrays, then of the hosts */
  const char **host;  /* by host */
  const char **name;  /* by array; the last one is for WAITING */
  uint32_t *number;   /* by array and for WAITING: number in order of first appearance, plus 1 */
  uint32_t states;    /* states that have appeared */
  struct change *now; /* by host: its last change */
  struct change *change;
};

/* Copies a name with '_' for each character that some format has to quote.  Returns the end of the
 * copy. */
static char *plain(char *to, const char *name)
{
  for (; *name != '\0'; name++)
    *to++ = (char)(strchr("\"\\,", *name) != NULL ? '_' : *name);
  *to++ = '\0';
  return to;
}

static size_t size_of_names(const struct tasknet *n, const struct platform *p)
{
  char name[PLATFORM_NAME_SIZE];
  size_t size = 1;
  for (uint32_t a = 0; a < n->arrays; a++)
    size += strlen(tasknet_name(n, a)) + 1;
  for (uint32_t h = 0; h < platform_hosts(p); h++)
    size += strlen(platform_host_name(p, h, name, sizeof name)) + 1;
  return size;
}

static void copy_names(struct drawing *d, const struct platform *p)
{
  char name[PLATFORM_NAME_SIZE];
  char *at = d->names;
  for (uint32_t a = 0; a < d->net->arrays; a++) {
    d->name[a] = at;
    at = plain(at, tasknet_name(d->net, a));
  }
  d->name[d->net->arrays] = "wait";
  for (uint32_t h = 0; h < platform_hosts(p); h++) {
    d->host[h] = at;
    at = plain(at, platform_host_name(p, h, name, sizeof name));
  }
}

static enum status drawing_new(struct drawing *d, const struct tasknet *n, const struct platform *p,
                               struct arena *mem)
{
  const size_t states = (size_t)n->arrays + 1;
  const uint32_t hosts = platform_hosts(p);
  *d = (struct drawing){.net = n,
                        .names = arena_array(mem, size_of_names(n, p), 1),
                        .host = arena_array(mem, hosts, sizeof *d->host),
                        .name = arena_array(mem, states, sizeof *d->name),
                        .number = arena_array(mem, states, sizeof *d->number),
                        .now = arena_array(mem, hosts, sizeof *d->now),
                        .change =
                            arena_array(mem, (size_t)n->elements * 2 + hosts, sizeof *d->change)};
  if (arena_status(mem) != OK)
    return FAIL;
  copy_names(d, p);
  for (uint32_t h = 0; h < hosts; h++)
    d->now[h].state = ENDED; /* no change yet */
  return OK;
}

static void draw(struct drawing *d, const struct change *c, const struct timeline_format *format,
                 FILE *f)
{
  const struct change *last = &d->now[c->host];
  const uint32_t from = last->state == WAITING ? d->net->arrays : last->state;
  const uint32_t to = c->state == WAITING ? d->net->arrays : c->state;
  struct timeline_change x = {
      .rank = c->host, .name = d->host[c->host], .since = last->at, .at = c->at};
  x.from = last->state == ENDED ? NULL : d->name[from];
  if (c->state != ENDED) {
    x.to = d->name[to];
    x.fresh = d->number[to] == 0;
    if (x.fresh)
      d->number[to] = ++d->states;
    x.state = d->number[to] - 1;
  }
  format->change(f, &x);
  d->now[c->host] = *c;
}

enum status record_print_timeline(const struct record *t, const struct timeline_format *format,
                                  FILE *f, struct err *e)
{
  const uint32_t hosts = platform_hosts(t->platform);
  struct drawing d;
  ARENA(mem, e);
  if (drawing_new(&d, t->net, t->platform, &mem) != OK)
    return FAIL;
  const uint32_t n = list_changes(t, d.change);
  qsort(d.change, n, sizeof *d.change, by_date);
  format->begin(f, &(struct timeline_rows){"host", hosts, d.host});
  for (uint32_t i = 0; i < n; i++)
    draw(&d, &d.change[i], format, f);
  format->end(f);
  return OK;
}
