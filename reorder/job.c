#define _GNU_SOURCE
#include "reorder/job.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reorder/map.h"
#include "reorder/report.h"

/* A job and the thread that runs it.  The caller waits until the time limit.  Caller and thread
 * share the task; the last of them frees it. */
struct task {
  pthread_mutex_t lock;
  pthread_cond_t done;
  bool ended, abandoned;
  struct job job;
  struct result result;
};

static void task_free(struct task *t)
{
  free(t->job.location);
  free(t->job.edges.edge);
  free(t->result.process);
  pthread_cond_destroy(&t->done);
  pthread_mutex_destroy(&t->lock);
  free(t);
}

static void *work(void *data)
{
  struct task *t = data;
  map_ranks(&t->job, &t->result);
  pthread_mutex_lock(&t->lock);
  t->ended = true;
  const bool abandoned = t->abandoned;
  pthread_cond_signal(&t->done);
  pthread_mutex_unlock(&t->lock);
  if (abandoned)
    task_free(t);
  return NULL;
}

/* The thread gets no signals of the program. */
static int start(struct task *t)
{
  enum { STACK = 64 << 20 };
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t all, before;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, STACK);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int error = pthread_create(&thread, &attributes, work, t);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return error;
}

/* Waits for the end of the thread.  False if the time limit comes first. */
static bool wait_for(struct task *t)
{
  const double seconds = t->job.settings.seconds;
  const time_t whole = (time_t)seconds;
  struct timespec end;
  int error = 0;
  clock_gettime(CLOCK_REALTIME, &end);
  const long ns = end.tv_nsec + (long)((seconds - (double)whole) * 1e9);
  end.tv_sec += whole + ns / 1000000000;
  end.tv_nsec = ns % 1000000000;
  pthread_mutex_lock(&t->lock);
  while (!t->ended && error != ETIMEDOUT)
    error = pthread_cond_timedwait(&t->done, &t->lock, &end);
  const bool ended = t->ended;
  t->abandoned = !ended;
  pthread_mutex_unlock(&t->lock);
  return ended;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct task *task_new(struct job *j)
{
  struct task *t = calloc(1, sizeof *t);
  if (t == NULL)
    return NULL;
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->done, NULL);
  t->job = *j;
  j->location = NULL;
  j->edges = (struct edges){0};
  return t;
}

static void out_of_time(const struct job *j, struct result *out)
{
  out->ok = false;
  snprintf(out->why, sizeof out->why, "mapping takes longer than %g s (HAICHI_TIME)",
           j->settings.seconds);
}

/* Runs the job in a thread of its own.  *out gets the result, or the reason for the failure. */
static void run(struct job *j, struct result *out)
{
  struct task *t = task_new(j);
  if (t == NULL) {
    snprintf(out->why, sizeof out->why, "no memory");
    return;
  }
  const int error = start(t);
  if (error != 0) {
    snprintf(out->why, sizeof out->why, "no thread: %s", strerror(error));
    task_free(t);
  } else if (wait_for(t)) {
    *out = t->result;
    t->result.process = NULL;
    task_free(t);
  } else
    out_of_time(j, out);
}

bool job_run(struct job *j, struct order *out, char *why)
{
  const double begin = now();
  struct result r = {.ok = false};
  struct subject of = {&j->settings, j->what, j->n, j->edges.count, 0};
  if (j->settings.invalid != NULL)
    snprintf(r.why, sizeof r.why, "%s", j->settings.invalid);
  else
    run(j, &r);
  of.seconds = now() - begin;
  if (r.ok && of.seconds > j->settings.seconds)
    out_of_time(j, &r);
  if (j->settings.report != NULL)
    report_write(&of, &r);
  *out = (struct order){r.ok && r.reordering.moved, r.process};
  snprintf(why, REORDER_TEXT, "%s", r.why);
  free(j->location);
  free(j->edges.edge);
  return r.ok;
}
