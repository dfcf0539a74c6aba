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
#include "platforms/part.h"
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

static enum status place(struct placed_job *j, const struct job_spec *s,
                         const struct job_defaults *d, const struct allocation_list *hosts,
                         const struct platform *p, struct err *e)
{
  const struct place all = {.mapping = s->mapping == NULL ? d->mapping : s->mapping,
                            .hosts = hosts,
                            .ranks_per_host = d->ranks_per_host,
                            .ranks = trace_ranks(j->job.trace),
                            .threads = 1,
                            .moved = &j->moved,
                            .trace = &j->trace,
                            .options = d->options};
  return place_ranks(&all, p, &j->mapping, e);
}

/* Places the job on its own hosts=, which '+' separates. */
static enum status place_there(struct placed_job *j, const struct job_spec *s,
                               const struct job_defaults *d, const struct platform *p,
                               struct err *e)
{
  struct allocation_list *list;
  const char *option = strchr(s->hosts, '=');
  if (option != NULL) { /* read as a host, because no option of a job has its name */
    const char *name = option;
    while (name > s->hosts && name[-1] != ',' && name[-1] != '+')
      name--;
    return err_set(e, "a job has no '%.*s='", (int)(option - name), name);
  }
  char *text = mem_strdup(s->hosts, e);
  if (text == NULL)
    return FAIL;
  for (char *plus = text; (plus = strchr(plus, '+')) != NULL;)
    *plus = ',';
  enum status status = allocation_list_read(&list, text, e);
  free(text);
  if (status != OK)
    return FAIL;
  status = place(j, s, d, list, p, e);
  allocation_list_free(list);
  return status;
}

/* The options with a value that a misspelt name may mean. */
#define MEANT(ROW) ROW(OPTIONS[1]) ROW(OPTIONS[2]) ROW(OPTIONS[3])

static const struct registry meant = REGISTRY("option of a job", MEANT);

/* An option with a misspelt name was read as part of the trace: adds the likely name to the
 * error. */
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
  if (input_trace_open(&out->trace, &out->job.trace, e) != OK)
    return explain_key(s->trace, e);
  return s->hosts == NULL ? place(out, s, d, d->hosts, p, e) : place_there(out, s, d, p, e);
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

/* Applies mapper xyz or random to the free slots. */
static enum status fill_room(const struct room *x, struct placed_job *j, bool random, uint64_t seed,
                             struct err *e)
{
  OWNED uint32_t *slot = NULL;
  size_t room = 0, n = 0;
  enum status s = OK;
  for (uint32_t h = 0; s == OK && h < platform_hosts(x->platform); h++)
    for (uint32_t k = x->used[h]; s == OK && k < x->each; k++)
      if ((s = MEM_GROW(slot, room, n + 1, e)) == OK)
        slot[n++] = h;
  if (s == OK && random) {
    struct rng rng = rng_new(seed, 0);
    rng_shuffle(&rng, slot, (uint32_t)n);
  }
  for (uint32_t r = 0; s == OK && r < j->mapping.ranks; r++)
    j->mapping.host[r] = slot[r];
  return s;
}

static enum status fit(const struct room *x, struct placed_job *j, const char *mapping,
                       struct err *e)
{
  uint64_t seed;
  uint32_t moved = 0;
  enum status s = OK;
  const bool fills = fills_hosts(mapping, &seed);
  if (overfills(x, &j->mapping))
    s = fills || platform_is_opaque(x->platform)
            ? fill_room(x, j, fills && mapping[0] == 'r', seed, e)
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

/* Counts the slots outside the list of hosts as used. */
static enum status restrict_room(struct room *x, const struct job_defaults *d, struct err *e)
{
  struct allocation a;
  if (d->hosts == NULL)
    return OK;
  if (allocation_new(&a, d->hosts, platform_nodes(x->platform), d->ranks_per_host, e) != OK)
    return FAIL;
  x->each = a.each;
  for (uint32_t h = 0; h < platform_hosts(x->platform); h++) {
    const uint32_t at = platform_part_host(a.part, h);
    x->used[h] = at == UINT32_MAX ? a.each : a.capacity == NULL ? 0 : a.each - a.capacity[at];
  }
  allocation_clear(&a);
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
  enum status status = restrict_room(&x, d, e);
  if (status == OK && first != NULL)
    use(&x, first);
  if (status == OK)
    status = separate(out, s, d, &x, shared, e);
  free(x.used);
  return status;
}

void placed_jobs_clear(struct placed_job *j, const struct job_specs *s)
{
  for (size_t i = 0; i < s->count; i++)
    placed_job_clear(&j[i]);
}
