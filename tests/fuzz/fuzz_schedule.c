/* Loads the input as the schedule of a small network on a small platform.  An accepted schedule is
 * written and read again. */
#include <stdlib.h>
#include <string.h>

#include "mappers/schedule/schedule.h"
#include "tasks/files/files.h"
#include "tests/fuzz/input.h"

struct site {
  struct platform *p;
  struct hosts h;
  struct farm f;
  struct tasknet n;
};

static enum status open_site(struct site *s, struct err *e)
{
  const struct tasknet_units units = {1e9, 1e6};
  *s = (struct site){.p = NULL};
  if (platform_from_spec(&s->p, "star:3", NULL, e) != OK || hosts_make(&s->h, s->p, e) != OK)
    return FAIL;
  if (tasknet_open(&s->n, "random:tasks=6,seed=1", e) != OK)
    return FAIL;
  return farm_of(&s->f, s->p, &s->h, &units, e);
}

static void close_site(struct site *s)
{
  farm_clear(&s->f);
  tasknet_clear(&s->n);
  hosts_clear(&s->h);
  platform_free(s->p);
}

static void check_round_trip(const struct schedule *s, const struct site *x)
{
  char path[64];
  struct err e;
  struct schedule again;
  snprintf(path, sizeof path, "/tmp/haichi-fuzz.%ld", (long)getpid());
  if (schedule_save(s, &x->n, x->p, path, &e) != OK ||
      schedule_load(&again, &x->n, &x->f, x->p, path, &e) != OK)
    abort();
  if (memcmp(s->host, again.host, x->n.elements * sizeof *s->host) != 0)
    abort();
  schedule_clear(&again);
  unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[64];
  struct err e;
  struct site x;
  struct schedule s;
  if (open_site(&x, &e) != OK)
    abort();
  const int fd = input_file(path, sizeof path, data, size);
  if (schedule_load(&s, &x.n, &x.f, x.p, path, &e) == OK) {
    check_round_trip(&s, &x);
    schedule_clear(&s);
  }
  close(fd);
  close_site(&x);
  return 0;
}
