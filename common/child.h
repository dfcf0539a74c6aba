/** @file child.h
 *  A child process that runs a function of ours, or another program, and cannot outlast us: it has
 *  limits of its own, holds no file of ours open unless asked to, and ends when we do.  What it
 * writes on standard output and standard error is ours to read.
 */
#ifndef COMMON_CHILD_H
#define COMMON_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/err.h"

struct child_spec {
  int (*run)(void *arg); /**< in the child; returns its exit code */
  void *arg;
  int input;         /**< what it has as standard input; -1: nothing */
  int keep;          /**< the one descriptor that it keeps, under the same number; -1: none */
  bool keep_all;     /**< it keeps all that are open: it goes on with our data */
  bool own_output;   /**< only standard error comes to us; standard output goes nowhere */
  bool own_group;    /**< a process group of its own: child_kill() reaches its children too */
  int parent_signal; /**< what it gets when we end: SIGKILL, or a signal that it handles */
  uint64_t memory;   /**< bytes of address space; 0: no limit of its own */
};

/** Room for what a child says, as far as we keep it. */
enum { CHILD_SAYS = 512 };

struct child {
  pid_t pid;
  int says; /**< becomes readable when it says something, or ends */
  bool own_group;
  char first[CHILD_SAYS]; /**< the first line that it wrote, as far as there is room */
  char last[CHILD_SAYS];  /**< the last one that is not blank */
  size_t length;          /**< of the line at hand */
  bool first_done;
  char line[CHILD_SAYS];
};

struct child_end {
  int signal; /**< that ended it; 0: none */
  int code;   /**< its exit code, if none did */
  double cpu_s;
  uint64_t max_rss_bytes;
};

/** Starts it; the child is the caller's: child_reap(). */
enum status child_start(struct child *c, const struct child_spec *s, struct err *e);

/** Takes what the child says, without waiting; false when it has ended. */
bool child_listen(struct child *c);

/** Sends a signal to it, and to its group if that is its own. */
void child_kill(const struct child *c, int signal);

/** Waits for its end. */
void child_reap(struct child *c, struct child_end *end);

/** Waits until the child ends, at most @p seconds; *timeout is set, and the child killed, when it
 *  has not ended by then.  Ends @p c. */
enum status child_wait(struct child *c, double seconds, struct child_end *end, bool *timeout,
                       struct err *e);

#endif
