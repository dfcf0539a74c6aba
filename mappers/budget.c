#include "mappers/budget.h"

#include <time.h>

enum { STRIDE = 200000 };

static double thread_seconds(void)
{
  struct timespec t = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct budget budget_start(double seconds, uint64_t work)
{
  return (struct budget){.seconds = seconds,
                         .work = work,
                         .stride = STRIDE,
                         .start = seconds > 0 ? thread_seconds() : 0};
}

bool budget_spend(struct budget *b, uint64_t work)
{
  b->spent += work;
  if (b->seconds <= 0)
    b->share = b->spent >= b->work ? 1 : (double)b->spent / (double)b->work;
  else if (b->spent >= b->next_look) {
    b->next_look = b->spent + b->stride;
    b->share = (thread_seconds() - b->start) / b->seconds;
  }
  return b->share < 1;
}

double budget_share(const struct budget *b)
{
  return b->share < 1 ? b->share : 1;
}
