#define _GNU_SOURCE
#include "record/counter.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/record.h"

/* The counter of a thread. */
struct counter {
  bool open;
  int fd;
  uint64_t last; /* count at the end of the last call of MPI */
};

static __thread struct counter counter __attribute__((tls_model("initial-exec")));

static struct perf_event_attr event;
static pthread_key_t ended; /* closes the counters of threads that end */

static void close_counter(void *of)
{
  close(((struct counter *)of)->fd);
}

_Noreturn static void refuse(int why)
{
  if (why == EACCES || why == EPERM)
    record_refuse("--counter",
                  "kernel.perf_event_paranoid or a container forbids to count this event");
  if (why == ENOENT || why == ENODEV || why == EOPNOTSUPP)
    record_refuse("--counter", "the processor or the virtual machine does not count this event");
  record_refuse("--counter", strerror(why));
}

static void open_counter(void)
{
  const long fd = syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0)
    refuse(errno);
  counter.fd = (int)fd;
  counter.open = true;
  pthread_setspecific(ended, &counter);
}

static uint64_t events(void)
{
  uint64_t count;
  if (read(counter.fd, &count, sizeof count) == sizeof count)
    return count;
  record_refuse("--counter", "other programs use all counters of the processor for this event");
}

bool counter_begin(void)
{
  const char *text = getenv("HAICHI_RECORD_COUNTER");
  char *end;
  if (text == NULL)
    return false;
  event = (struct perf_event_attr){
      .size = sizeof event, .pinned = 1, .exclude_kernel = 1, .exclude_hv = 1};
  event.type = (uint32_t)strtoul(text, &end, 16);
  if (*end != ':')
    return false;
  event.config = strtoull(end + 1, &end, 16);
  event.config1 = strtoull(end + (*end == ':'), &end, 16);
  event.config2 = strtoull(end + (*end == ':'), &end, 16);
  const int why = pthread_key_create(&ended, close_counter);
  if (why != 0)
    refuse(why);
  open_counter();
  events(); /* refuses now if the counter is not running */
  return true;
}

uint64_t counter_enter(void)
{
  return counter.open ? events() - counter.last : 0;
}

void counter_leave(void)
{
  if (!counter.open)
    open_counter();
  counter.last = events();
}
