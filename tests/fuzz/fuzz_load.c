/* Reads the first line as the spec of a background load, of a job, and of an effect, and the rest
 * as the file of a load that has one.  An accepted load is placed on a small platform. */
#include <string.h>

#include "setup/jobs.h"
#include "sim/effects/effects.h"
#include "sim/load/load.h"
#include "tests/fuzz/input.h"

enum { LONGEST = 200, MOST_ACTORS = 1 << 16 };

static const uint32_t HOSTS[] = {0, 1, 1, 5};

/* Accepted profiles have events and name existing targets.  Prints them as a platform in XML. */
static void check_profiles(const char *path, const struct platform *p)
{
  struct profiles s = {0};
  struct err e;
  if (profiles_read(&s, p, path, &e) == OK)
    for (uint32_t i = 0; i < s.count; i++)
      if (s.profile[i].events == 0 || s.profile[i].target >= platform_link_ids(p))
        abort();
  if (s.count > 0 && s.events < 1000) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (profiles_print(&s, p, f, &e) != OK)
      abort();
    fclose(f);
    free(text);
  }
  profiles_clear(&s);
}

static void check_load(const char *spec, const char *path, const struct platform *p)
{
  char text[LONGEST + 80];
  struct load_specs s = {.count = 0};
  struct crew_member member[LOADS_MOST];
  struct loads *l;
  struct err e;
  const char *file = strncmp(spec, "flows:", 6) == 0 ? ",pairs=" : "";
  if (strcmp(spec, "profile:") == 0)
    check_profiles(path, p);
  snprintf(text, sizeof text, "%s%s%s", spec, file, *file == '\0' ? "" : path);
  if (load_specs_add(&s, "tasks:3", &e) != OK || load_specs_add(&s, text, &e) != OK)
    return;
  const struct load_site site = {.platform = p, .host = HOSTS, .ranks = 4};
  if (loads_new(&l, &s, &site, &e) != OK)
    return;
  const size_t n = loads_members(l, member);
  for (size_t i = 0; i < n; i++)
    for (uint32_t a = 0; a < member[i].driver.actors && a < MOST_ACTORS; a++)
      if (member[i].driver.host[a] >= platform_hosts(p))
        abort();
  if (loads_slow_messages(l) && loads_extra_bytes(l, 0, 3, 1000, 7) > 1000 * 100)
    abort();
  loads_free(l);
}

/* An accepted effect has rising curves, and noise above 0. */
static void check_effect(const char *spec)
{
  struct effects x = {.count = 0};
  struct err e;
  if (effects_add(&x, spec, &e) != OK)
    return;
  for (uint32_t i = 1; i < x.incast.count; i++)
    if (x.incast.point[i].at <= x.incast.point[i - 1].at)
      abort();
  if (effects_noise(&x.noise, 1, 2, 3, 4) <= 0 || effects_least(&x) < 0)
    abort();
}

/* A parsed job, printed and parsed again, must print the same. */
static void check_job(const char *spec)
{
  char text[LONGEST + 1], *printed = NULL, *again = NULL;
  struct job_specs s = {.count = 0};
  struct err e;
  size_t size;
  snprintf(text, sizeof text, "%s", spec);
  if (job_specs_add(&s, text, &e) != OK)
    return;
  FILE *f = open_memstream(&printed, &size);
  job_spec_print(&s.job[0], f);
  fclose(f);
  char *copy = strdup(printed);
  if (copy == NULL || job_specs_add(&s, copy, &e) != OK)
    abort();
  f = open_memstream(&again, &size);
  job_spec_print(&s.job[1], f);
  fclose(f);
  if (strcmp(printed, again) != 0)
    abort();
  free(copy);
  free(printed);
  free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char spec[LONGEST + 1] = "", path[64];
  struct platform *p;
  struct err e;
  const uint8_t *end = memchr(data, '\n', size);
  const size_t length = end == NULL ? size : (size_t)(end - data);
  if (length > LONGEST || memchr(data, '\0', length) != NULL ||
      platform_from_spec(&p, "star:8", NULL, &e) != OK)
    return 0;
  memcpy(spec, data, length);
  const size_t rest = end == NULL ? 0 : size - length - 1;
  const int fd = input_file(path, sizeof path, end == NULL ? data : end + 1, rest);
  check_load(spec, path, p);
  check_effect(spec);
  check_job(spec);
  close(fd);
  platform_free(p);
  return 0;
}
