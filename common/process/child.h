/** @file child.h
 *  A child process that runs a function of this program or another program.  It inherits only the
 *  open files that its spec names.  It can end with its parent, and can have its own memory limit.
 *  The parent reads the standard output and standard error of the child.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/err.h"

struct child_spec {
  int (*run)(void *arg); /**< called in the child; returns the exit code */
  void *arg;
  int input;       /**< standard input of the child; -1: /dev/null */
  int keep;        /**< another descriptor to inherit, with an unchanged number; -1: none */
  bool keep_all;   /**< inherit every open descriptor */
  bool own_output; /**< standard output goes to /dev/null; the parent reads standard error only */
  bool own_group; /**< run in a new process group, so that child_kill() also reaches the children of
                     the child */
  int parent_signal; /**< signal sent to the child when the parent ends: SIGKILL, or a signal that
                        the child handles; 0: none, the child continues */
  uint64_t memory;   /**< limit of the address space in bytes; 0: no new limit */
};

/** Maximum bytes kept of one line of output, including the final NUL. */
enum { CHILD_LINE = 512 };

struct child {
  pid_t pid;
  int output; /**< read end of the output pipe: poll() reports output and its end */
  bool own_group;
  char first[CHILD_LINE]; /**< first line of output that is not blank */
  char last[CHILD_LINE];  /**< last line of output that is not blank */
  size_t length;          /**< bytes in line[] */
  bool first_done;
  char line[CHILD_LINE];
};

struct child_end {
  int signal; /**< signal that ended the child; 0: none */
  int code;   /**< exit code if no signal ended the child */
  double cpu_s;
  uint64_t max_rss_bytes;
};

/** Starts the child.  The caller ends it with child_wait() or child_reap(). */
enum status child_start(struct child *c, const struct child_spec *s, struct err *e);

/** Reads the available output without waiting.  Returns false at the end of the output: the child
 *  has ended or closed both streams. */
bool child_listen(struct child *c);

/** Sends @p signal to the child, and to its process group if it has its own. */
void child_kill(const struct child *c, int signal);

/** Waits without a time limit until the child ends, and closes the pipe. */
void child_reap(struct child *c, struct child_end *end);

/** Reads the output to its end and waits until the child ends, for at most @p seconds in total.
 *  After that time it sets *timeout and kills the child.  Calls child_reap(), also on failure. */
enum status child_wait(struct child *c, double seconds, struct child_end *end, bool *timeout,
                       struct err *e);
