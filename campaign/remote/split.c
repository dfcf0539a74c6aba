#include "campaign/remote/split.h"

void split_by_count(size_t n, uint32_t chunk, uint32_t *task)
{
  for (size_t i = 0; i < n; i++)
    task[i] = (uint32_t)(i / chunk) + 1;
}

/* Returns the number of tasks. */
static uint32_t divide(size_t n, const double *seconds, double target_s, uint32_t *task)
{
  double sum = 0;
  uint32_t tasks = n > 0;
  for (size_t i = 0; i < n; i++) {
    if (sum > 0 && sum + seconds[i] > target_s) {
      tasks++;
      sum = 0;
    }
    sum += seconds[i];
    task[i] = tasks;
  }
  return tasks;
}

void split_by_time(size_t n, const double *seconds, double target_s, uint32_t *task)
{
  while (divide(n, seconds, target_s, task) > SPLIT_MOST_TASKS)
    target_s *= 1.5;
}
