#define _DEFAULT_SOURCE
#include "campaign/jobs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/place.h"
#include "common/mem.h"
#include "common/num.h"
#include "common/report.h"
#include "common/rng.h"

/* --- specs ------------------------------------------------------------------------------------ */

static const char *const KEYS[] = {",mapping=", ",hosts=", ",start=", ",repeat"};
enum { MAPPING, HOSTS, START, REPEAT, KEYS_COUNT };

/* Is there a part of the spec at a comma?  Traces and mappers have commas of their own. */
static int key_at(const char *text)
{
  for (int k = 0; k < KEYS_COUNT; k++) {
    const size_t n = strlen(KEYS[k]);
    if (strncmp(text, KEYS[k], n) == 0 && (k != REPEAT || text[n] == '\0' || text[n] == ','))
      return k;
  }
  return KEYS_COUNT;
}

/* Cuts the text before the next part, whose value *rest is then; returns its key. */
static int cut(char *text, char **rest)
{
  for (char *p = strchr(text, ','); p != NULL; p = strchr(p + 1, ',')) {
    const int key = key_at(p);
    if (key == KEYS_COUNT)
      continue;
    *p = '\0';
    *rest = p + strlen(KEYS[key]);
    return key;
  }
  return KEYS_COUNT;
}

static enum status set(struct job_spec *s, int key, const char *value, struct err *e)
{
  struct err why;
  switch (key) {
  case MAPPING:
    s->mapping = value;
    return OK;
  case HOSTS:
    s->hosts = value;
    return OK;
  case START:
    return num_quantity(value, NUM_TIME, &s->start_s, &why) == OK
               ? OK
               : err_set(e, "start: %s", why.text);
  default:
    s->repeat = true;
    return OK;
  }
}

enum status job_specs_add(struct job_specs *s, char *text, struct err *e)
{
  bool given[KEYS_COUNT] = {false};
  char *next = NULL;
  if (s->count == JOBS_MOST)
    return err_set(e, "more than %d jobs", JOBS_MOST);
  struct job_spec *x = &s->job[s->count];
  *x = (struct job_spec){.trace = text};
  for (int key = cut(text, &next); key != KEYS_COUNT;) {
    char *value = next;
    const int following = cut(value, &next);
    if (given[key])
      return err_set(e, "'%s' is given twice", KEYS[key] + 1);
    if (key != REPEAT && *value == '\0')
      return err_set(e, "'%s' has no value", KEYS[key] + 1);
    if (set(x, key, value, e) != OK)
      return FAIL;
    given[key] = true;
    key = following;
  }
  if (*x->trace == '\0')
    return err_set(e, "no trace");
  s->count++;
  return OK;
}

void job_spec_print(const struct job_spec *s, FILE *f)
{
  fputs(s->trace, f);
  if (s->mapping != NULL)
    fprintf(f, ",mapping=%s", s->mapping);
  if (s->hosts != NULL)
    fprintf(f, ",hosts=%s", s->hosts);
  if (s->start_s > 0) {
    fputs(",start=", f);
    report_number(f, s->start_s);
  }
  if (s->repeat)
    fputs(",repeat", f);
}

/* --- hosts ------------------------------------------------------------------------------------ */

struct host_list {
  uint32_t *host;
  size_t room;
  uint32_t count;
};

static enum status add_host(struct host_list *l, uint32_t host, struct err *e)
{
  if (MEM_GROW(l->host, l->room, (size_t)l->count + 1, e) != OK)
    return FAIL;
  l->host[l->count++] = host;
  return OK;
}

/* "NAME", "K" or "K-K" */
static enum status add_hosts(struct host_list *l, char *word, const struct platform *p,
                             struct err *e)
{
  uint32_t host;
  uint64_t first, last;
  char *dash = strchr(word, '-');
  if (platform_find_host(p, word, &host))
    return add_host(l, host, e);
  if (strspn(word, "0123456789-") != strlen(word))
    return err_set(e, "no host '%.80s' on the platform", word);
  if (dash != NULL)
    *dash++ = '\0';
  if (num_u64(word, platform_hosts(p) - 1, &first, e) != OK ||
      num_u64(dash == NULL ? word : dash, platform_hosts(p) - 1, &last, e) != OK)
    return FAIL;
  if (last < first)
    return err_set(e, "a range that ends before it begins");
  for (uint64_t h = first; h <= last; h++)
    if (add_host(l, (uint32_t)h, e) != OK)
      return FAIL;
  return OK;
}

static enum status list_hosts(struct host_list *l, const char *text, const struct platform *p,
                              struct err *e)
{
  char *copy = mem_strdup(text, e), *rest = copy;
  struct err why;
  enum status s = copy == NULL ? FAIL : OK;
  for (char *word; s == OK && (word = strsep(&rest, "+")) != NULL;)
    if (add_hosts(l, word, p, &why) != OK)
      s = err_set(e, "hosts=%.80s: %s", text, why.text);
  free(copy);
  return s;
}

/* --- placing ---------------------------------------------------------------------------------- */

/* In order, or at random by the seed of mapper random. */
static enum status fill_hosts(struct placed_job *j, const char *mapping, struct host_list *l,
                              uint32_t each, struct err *e)
{
  const uint32_t ranks = trace_ranks(j->job.trace);
  uint64_t seed = 1;
  if (strcmp(mapping, "xyz") != 0 && strcmp(mapping, "random") != 0 &&
      (strncmp(mapping, "random:seed=", 12) != 0 ||
       num_u64(mapping + 12, UINT64_MAX, &seed, e) != OK))
    return err_set(e, "hosts= goes with mapping=xyz or random, not '%.80s'", mapping);
  if (ranks > (uint64_t)l->count * each)
    return err_set(e, "%" PRIu32 " ranks do not fit on %" PRIu32 " hosts, %" PRIu32 " a host",
                   ranks, l->count, each);
  if (mapping_new(&j->mapping, ranks, e) != OK)
    return FAIL;
  if (mapping[0] == 'r') {
    struct rng rng = rng_new(seed, 0);
    rng_shuffle(&rng, l->host, l->count);
  }
  for (uint32_t r = 0; r < ranks; r++)
    j->mapping.host[r] = l->host[r / each];
  return OK;
}

static enum status place(struct placed_job *j, const struct job_spec *s,
                         const struct job_defaults *d, const struct platform *p, struct err *e)
{
  const char *mapping = s->mapping == NULL ? d->mapping : s->mapping;
  const struct place all = {.mapping = mapping,
                            .ranks_per_host = d->ranks_per_host,
                            .ranks = trace_ranks(j->job.trace),
                            .threads = 1,
                            .moved = &j->moved,
                            .trace = &j->trace,
                            .options = d->options};
  struct host_list l = {0};
  if (s->hosts == NULL)
    return place_ranks(&all, p, &j->mapping, e);
  enum status status = list_hosts(&l, s->hosts, p, e);
  if (status == OK)
    status = fill_hosts(j, mapping, &l, d->ranks_per_host == 0 ? 1 : d->ranks_per_host, e);
  free(l.host);
  return status;
}

enum status job_place(struct placed_job *out, const struct job_spec *s,
                      const struct job_defaults *d, const struct platform *p, struct err *e)
{
  *out = (struct placed_job){.trace = {.name = s->trace, .reading = d->reading},
                             .job = {.collectives = &d->reading->collectives,
                                     .mapping = &out->mapping,
                                     .start_s = s->start_s,
                                     .repeat = s->repeat}};
  return input_trace_open(&out->trace, &out->job.trace, e) == OK ? place(out, s, d, p, e) : FAIL;
}

void placed_job_clear(struct placed_job *j)
{
  mapping_clear(&j->mapping);
  input_trace_clear(&j->trace);
}
