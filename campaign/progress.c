#include "campaign/progress.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/mem.h"

struct group {
  size_t left, done;
  double wall_s; /* sum over the done runs */
};

struct progress {
  FILE *f;
  bool terminal;
  size_t groups;
  struct group *group;
};

enum status progress_new(struct progress **out, FILE *f, size_t groups, struct err *e)
{
  struct progress *p = mem_array(1, sizeof *p, e);
  if (p == NULL)
    return FAIL;
  *p = (struct progress){.f = f, .terminal = isatty(fileno(f)) != 0, .groups = groups};
  if ((p->group = mem_array(groups, sizeof *p->group, e)) == NULL) {
    free(p);
    return FAIL;
  }
  *out = p;
  return OK;
}

void progress_free(struct progress *p)
{
  if (p == NULL)
    return;
  if (p->terminal)
    fputs("\r\033[K", p->f);
  free(p->group);
  free(p);
}

void progress_add(struct progress *p, size_t group)
{
  p->group[group].left++;
}

void progress_done(struct progress *p, size_t group, double wall_s)
{
  p->group[group].left--;
  p->group[group].done++;
  p->group[group].wall_s += wall_s;
}

static double mean(double sum, size_t n)
{
  return sum / (double)n;
}

double progress_left_s(const struct progress *p, uint32_t jobs)
{
  struct group all = {0};
  for (size_t i = 0; i < p->groups; i++) {
    all.done += p->group[i].done;
    all.wall_s += p->group[i].wall_s;
  }
  if (all.done == 0)
    return -1;
  double left_s = 0;
  for (size_t i = 0; i < p->groups; i++) {
    const struct group *g = p->group[i].done == 0 ? &all : &p->group[i];
    left_s += (double)p->group[i].left * mean(g->wall_s, g->done);
  }
  return left_s / jobs;
}

void progress_draw(struct progress *p, const struct progress_counts *c)
{
  if (!p->terminal)
    return;
  const double left_s = progress_left_s(p, c->jobs);
  fprintf(p->f, "\r%zu of %zu runs done, %zu failed, %" PRIu32 " running", c->done, c->runs,
          c->failed, c->running);
  if (left_s >= 0) {
    const unsigned long s = (unsigned long)left_s;
    fprintf(p->f, ", %lu:%02lu:%02lu left", s / 3600, s / 60 % 60, s % 60);
  }
  fputs("\033[K", p->f);
  fflush(p->f);
}
