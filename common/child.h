/** @file child.h
 *  A child process that runs a function of the program or another program.  It has limits of
 *  its own, inherits no open file unless asked to, and ends when its parent ends, unless asked not
 * to. The parent reads what it writes on standard output and standard error.
 */
#ifndef COMMON_CHILD_H
#define COMMON_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/err.h"

struct child_spec {
  int (*run)(void *arg); /**< called in the child; returns its exit code */
  void *arg;
  int input;         /**< its standard input; -1: /dev/null */
  int keep;          /**< the one other descriptor it inherits, under the same number; -1: none */
  bool keep_all;     /**< it inherits every open descriptor */
  bool own_output;   /**< standard output goes to /dev/null; the parent reads standard error only */
  bool own_group;    /**< a process group of its own: child_kill() reaches its children too */
  int parent_signal; /**< sent to it when the parent ends: SIGKILL, or a signal that it handles;
                          0: none, it goes on */
  uint64_t memory;   /**< bytes of address space; 0: no limit of its own */
};

/** Bytes kept of a line of output, the final NUL included; the rest of the line is dropped. */
enum { CHILD_SAYS = 512 };

struct child {
  pid_t pid;
  int says; /**< read end of its output; readable when output or its end is there */
  bool own_group;
  char first[CHILD_SAYS]; /**< first line of output that is not blank */
  char last[CHILD_SAYS];  /**< last line of output that is not blank */
  size_t length;          /**< bytes in line[], the unfinished line */
  bool first_done;
  char line[CHILD_SAYS];
};

struct child_end {
  int signal; /**< the signal that ended it; 0: none */
  int code;   /**< its exit code if no signal ended it */
  double cpu_s;
  uint64_t max_rss_bytes;
};

/** Starts the child.  The caller ends it with child_wait() or child_reap(). */
enum status child_start(struct child *c, const struct child_spec *s, struct err *e);

/** Reads available output without waiting; false at its end, which comes when the child ends or
 *  closes both streams. */
bool child_listen(struct child *c);

/** Sends @p signal to the child, and to its process group if it has its own. */
void child_kill(const struct child *c, int signal);

/** Waits for the end of the child, without a limit.  Ends @p c. */
void child_reap(struct child *c, struct child_end *end);

/** Reads output until its end and waits for the end of the child, for at most @p seconds in all;
 *  after that *timeout is set and the child killed.  Reaps the child; ends @p c, also on failure.
 */
enum status child_wait(struct child *c, double seconds, struct child_end *end, bool *timeout,
                       struct err *e);

#endif
