#define _DEFAULT_SOURCE
#include "setup/jobs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/numeric/rng.h"
#include "common/registry.h"
#include "common/report.h"
#include "common/spec.h"
#include "mappers/mapper.h"
#include "mappers/peers/repair.h"
#include "setup/place.h"

/* --- specs ------------------------------------------------------------------------------------ */

#define AT(FIELD) offsetof(struct job_spec, FIELD)

static const struct spec_option OPTIONS[] = {
    {"trace", SPEC_INNER, AT(trace), NULL, .help = "trace or spec of a trace", .ends = ','},
    {"mapping", SPEC_INNER, AT(mapping), "", .help = "mapper or file"},
    {"hosts", SPEC_INNER, AT(hosts), "", .help = "names, numbers and ranges, with + between them"},
    {"start", SPEC_TIME, AT(start_s), "", .help = "simulated time at which the job begins"},
    {"repeat", SPEC_FLAG, AT(repeat), NULL, .help = "the job begins again when it ends"},
    {.name = NULL},
};

enum status job_specs_add(struct job_specs *s, char *text, struct err *e)
{
  struct spec given;
  if (s->count == JOBS_MOST)
    return err_set(e, "more than %d jobs", JOBS_MOST);
  struct job_spec *x = &s->job[s->count];
  if (spec_split(&given, OPTIONS, text, ",", x, e) != OK)
    return FAIL;
  if (*x->mapping == '\0')
    x->mapping = NULL;
  if (*x->hosts == '\0')
    x->hosts = NULL;
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
    fputc('s', f);
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

/* True for mapper xyz, which fills hosts in order, and for random; sets *seed to its seed. */
static bool fills_hosts(const char *mapping, uint64_t *seed)
{
  struct err unused;
  *seed = 1;
  return strcmp(mapping, "xyz") == 0 || strcmp(mapping, "random") == 0 ||
         (strncmp(mapping, "random:seed=", 12) == 0 &&
          num_u64(mapping + 12, UINT64_MAX, seed, &unused) == OK);
}

/* Puts the ranks on the listed hosts, in order or, for mapper random, shuffled by its seed. */
static enum status fill_hosts(struct placed_job *j, const char *mapping, struct host_list *l,
                              uint32_t each, struct err *e)
{
  const uint32_t ranks = trace_ranks(j->job.trace);
  uint64_t seed;
  if (!fills_hosts(mapping, &seed))
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

/* The options with a value that a misspelt name may mean. */
#define MEANT(ROW) ROW(OPTIONS[1]) ROW(OPTIONS[2]) ROW(OPTIONS[3])

static const struct registry meant = REGISTRY("option of a job", MEANT);

/* A key with a misspelt name was taken as part of the trace: adds the likely name to the error. */
static enum status explain_key(const char *trace, struct err *e)
{
  struct err why = *e;
  for (const char *at = strchr(trace, ','); at != NULL; at = strchr(at + 1, ',')) {
    const size_t n = strcspn(at + 1, "=,");
    const char *nearest = at[1 + n] == '=' ? registry_nearest(&meant, at + 1, n) : NULL;
    if (nearest != NULL)
      return err_set(e, "%.700s; a job has no '%.*s=', perhaps '%s='", why.text, (int)n, at + 1,
                     nearest);
  }
  return FAIL;
}

enum status job_place(struct placed_job *out, const struct job_spec *s,
                      const struct job_defaults *d, const struct platform *p, struct err *e)
{
  *out = (struct placed_job){.trace = {.name = s->trace, .reading = d->reading},
                             .job = {.collectives = &d->reading->collectives,
                                     .mapping = &out->mapping,
                                     .start_s = s->start_s,
                                     .repeat = s->repeat}};
  return input_trace_open(&out->trace, &out->job.trace, e) == OK ? place(out, s, d, p, e)
                                                                 : explain_key(s->trace, e);
}

void placed_job_clear(struct placed_job *j)
{
  mapping_clear(&j->mapping);
  input_trace_clear(&j->trace);
}

/* --- several jobs ----------------------------------------------------------------------------- */

/* Slots of the hosts when several jobs are placed. */
struct room {
  const struct platform *platform;
  uint32_t each;  /* maximum ranks on a host */
  uint32_t *used; /* ranks placed, by host */
};

static const char *mapping_of(const struct job_spec *s, const struct job_defaults *d)
{
  return s->mapping == NULL ? d->mapping : s->mapping;
}

static bool is_fixed(const struct job_spec *s, const struct job_defaults *d)
{
  return s->hosts != NULL || !mapper_is_spec(mapping_of(s, d));
}

static void use(const struct room *x, const struct mapping *m)
{
  for (uint32_t r = 0; r < m->ranks; r++)
    x->used[m->host[r]]++;
}

static uint64_t count_free(const struct room *x)
{
  uint64_t n = 0;
  for (uint32_t h = 0; h < platform_hosts(x->platform); h++)
    n += x->used[h] < x->each ? x->each - x->used[h] : 0;
  return n;
}

/* True if this mapping would put too many ranks on a host. */
static bool overfills(const struct room *x, const struct mapping *m)
{
  bool full = false;
  use(x, m);
  for (uint32_t r = 0; r < m->ranks; r++)
    full |= x->used[m->host[r]] > x->each;
  for (uint32_t r = 0; r < m->ranks; r++)
    x->used[m->host[r]]--;
  return full;
}

/* Applies mapper xyz or random to the free slots: each host is listed once per free slot. */
static enum status fill_room(const struct room *x, struct placed_job *j, const char *mapping,
                             struct err *e)
{
  struct host_list l = {0};
  enum status s = OK;
  for (uint32_t h = 0; s == OK && h < platform_hosts(x->platform); h++)
    for (uint32_t k = x->used[h]; s == OK && k < x->each; k++)
      s = add_host(&l, h, e);
  mapping_clear(&j->mapping);
  if (s == OK)
    s = fill_hosts(j, mapping, &l, 1, e);
  free(l.host);
  return s;
}

static enum status fit(const struct room *x, struct placed_job *j, const char *mapping,
                       struct err *e)
{
  uint64_t unused;
  uint32_t moved = 0;
  enum status s = OK;
  if (overfills(x, &j->mapping))
    s = fills_hosts(mapping, &unused) || platform_is_opaque(x->platform)
            ? fill_room(x, j, fills_hosts(mapping, &unused) ? mapping : "xyz", e)
            : repair_around(&j->mapping, x->platform, x->each, x->used, &moved, e);
  if (s == OK)
    use(x, &j->mapping);
  return s;
}

static enum status separate(struct placed_job *j, const struct job_specs *s,
                            const struct job_defaults *d, const struct room *x, bool *shared,
                            struct err *e)
{
  uint64_t need = 0;
  for (size_t i = 0; i < s->count; i++)
    if (is_fixed(&s->job[i], d))
      use(x, &j[i].mapping);
    else
      need += j[i].mapping.ranks;
  *shared = need > count_free(x);
  for (size_t i = 0; i < s->count && !*shared; i++)
    if (!is_fixed(&s->job[i], d) && fit(x, &j[i], mapping_of(&s->job[i], d), e) != OK)
      return FAIL;
  return OK;
}

enum status jobs_place(struct placed_job *out, const struct job_specs *s,
                       const struct mapping *first, const struct job_defaults *d,
                       const struct platform *p, bool *shared, struct err *e)
{
  struct room x = {.platform = p, .each = d->ranks_per_host == 0 ? 1 : d->ranks_per_host};
  *shared = false;
  memset(out, 0, s->count * sizeof *out);
  for (size_t i = 0; i < s->count; i++)
    if (job_place(&out[i], &s->job[i], d, p, e) != OK)
      return FAIL;
  if (s->count + (first != NULL) < 2)
    return OK;
  if ((x.used = mem_array(platform_hosts(p), sizeof *x.used, e)) == NULL)
    return FAIL;
  if (first != NULL)
    use(&x, first);
  const enum status status = separate(out, s, d, &x, shared, e);
  free(x.used);
  return status;
}

void placed_jobs_clear(struct placed_job *j, const struct job_specs *s)
{
  for (size_t i = 0; i < s->count; i++)
    placed_job_clear(&j[i]);
}
