#include "platforms/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"

const char *const profile_kinds[] = {"speed", "bandwidth", "latency", NULL};

static const char BLANK[] = " \t\r\n";

void profile_clear(struct profile *p)
{
  free(p->after);
  free(p->value);
  p->after = p->value = NULL;
  p->events = p->after_room = p->value_room = 0;
}

enum status profile_add_event(struct profile *p, double after_s, double value, struct err *e)
{
  if (MEM_GROW(p->after, p->after_room, p->events + 1, e) != OK ||
      MEM_GROW(p->value, p->value_room, p->events + 1, e) != OK)
    return FAIL;
  p->after[p->events] = after_s;
  p->value[p->events++] = value;
  return OK;
}

/* State of the parser of one profile. */
struct reading {
  struct profile *p;
  double period; /* PERIODICITY in s; > 0 if given */
  double delay;  /* LOOPAFTER in s */
  bool loops;
  uint64_t loop_line; /* line that sets period or delay; 0: none */
  double last;        /* date of the last event */
  const char *path;
  uint64_t line;
  struct err *e;
};

static enum status fail(const struct reading *r, const char *what, double value)
{
  return err_at(r->e, r->path, r->line, "a profile: %s %g", what, value);
}

/* A speed is above 0: SimGrid ignores a speed of 0. */
static enum status add_event(struct reading *r, double date, double value)
{
  static const char *const NAME[] = {[PROFILE_SPEED] = "a speed of",
                                     [PROFILE_BANDWIDTH] = "a bandwidth of",
                                     [PROFILE_LATENCY] = "a latency of"};
  struct profile *p = r->p;
  if (date < r->last)
    return fail(r, "a date before the previous one:", date);
  if (value < 0 || (p->kind != PROFILE_LATENCY && value <= 0))
    return fail(r, NAME[p->kind], value);
  const double after = date - r->last;
  r->last = date;
  return profile_add_event(p, after, value, r->e);
}

static enum status number(const struct reading *r, const char *word, double *out)
{
  return num_double(word, 0, 1e300, out, r->e) == OK
             ? OK
             : err_at(r->e, r->path, r->line, "a profile: %s", r->e->text);
}

/* Parses a line from its first two words; @p second is NULL if there is only one. */
static enum status read_words(struct reading *r, const char *first, const char *second)
{
  double date, value;
  if (second == NULL)
    return err_at(r->e, r->path, r->line, "a profile: '%.40s' is not a date and a value", first);
  double *loop = strcmp(first, "PERIODICITY") == 0 ? &r->period
                 : strcmp(first, "LOOPAFTER") == 0 ? &r->delay
                                                   : NULL;
  if (loop != NULL) {
    r->loops = true;
    r->loop_line = r->line;
    return number(r, second, loop);
  }
  return number(r, first, &date) == OK && number(r, second, &value) == OK
             ? add_event(r, date, value)
             : FAIL;
}

static bool is_random(const char *line)
{
  static const char *const WORDS[] = {"STOCHASTIC", "DET", "NORM",        "NORMAL", "GAUSS",
                                      "GAUSSIAN",   "EXP", "EXPONENTIAL", "UNIF",   "UNIFORM"};
  const size_t n = strcspn(line, BLANK);
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
    if (strlen(WORDS[i]) == n && strncmp(WORDS[i], line, n) == 0)
      return true;
  return false;
}

static enum status read_lines(struct reading *r, char *text, bool *random)
{
  for (char *line; (line = strsep(&text, "\n")) != NULL; r->line++) {
    line += strspn(line, BLANK);
    if (*line == '\0' || *line == '#' || *line == '%')
      continue;
    if (is_random(line)) {
      *random = true;
      return OK;
    }
    char *save, *first = strtok_r(line, BLANK, &save), *second = strtok_r(NULL, BLANK, &save);
    if (read_words(r, first, second) != OK)
      return FAIL;
  }
  return OK;
}

/* Minimum length of a round: shorter rounds would take too many steps to simulate. */
#define SHORTEST_ROUND_S 1e-9

static enum status set_repeat(struct reading *r)
{
  r->p->repeat_s = -1;
  if (!r->loops || r->p->events == 0)
    return OK;
  if (r->loop_line > 0)
    r->line = r->loop_line;
  const double delay = r->period > 0 ? r->period - r->last : r->delay;
  if (delay < 0)
    return fail(r, "it restarts before its last event, at", r->last);
  if (delay + r->last < SHORTEST_ROUND_S)
    return fail(r, "it restarts too soon: a round lasts at least 1e-9 s, not", delay + r->last);
  r->p->repeat_s = delay;
  return OK;
}

enum status profile_parse(struct profile *p, const char *text, double period, const char *path,
                          uint64_t line, bool *random, struct err *e)
{
  struct reading r = {
      .p = p, .period = period, .loops = period > 0, .path = path, .line = line, .e = e};
  OWNED char *copy = mem_strdup(text, e);
  if (copy == NULL)
    return FAIL;
  *random = false;
  enum status s = read_lines(&r, copy, random);
  if (s == OK && !*random)
    s = set_repeat(&r);
  if (s != OK)
    profile_clear(p);
  return s;
}
