/** @file backend.h
 *  Back ends, which run the tasks of a submission on other machines.  A back end is a struct with
 *  four functions.  It is given a script and a number of tasks, and knows nothing of campaigns.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/process/child.h"
#include "common/registry.h"

struct backend;

/** The value of --on. */
struct backend_spec {
  const struct backend *backend;
  char **option; /**< options of its program, each as "--partition=long"; owned */
  size_t options, room;
  char *command; /**< command of back end `command`; NULL for other back ends; owned */
};

/** Arguments of submit(), which runs the script once for each task 1..tasks.  The script takes the
 *  number of its task from its first argument or from the scheduler's environment. */
struct backend_call {
  const struct backend_spec *spec;
  const char *script; /**< absolute path */
  const char *log;    /**< file for the output of the back end's program, such as sbatch */
  const char *avoid;  /**< hosts not to use, as "a,b"; "": none */
  uint32_t tasks;
  uint32_t cores; /**< processors that a task uses */
  bool detach;    /**< the tasks continue when this process ends */
};

enum { BACKEND_ID_SIZE = 320, BACKEND_TEXT = 256 };

/** A job: the tasks of one submit(). */
struct backend_handle {
  char id[BACKEND_ID_SIZE]; /**< the back end's name of the job: letters, digits, and a few other
                               characters */
  struct child child;       /**< process of a back end that runs as a child, until it is reaped */
  bool is_child;
  uint32_t tasks;
  bool *failed; /**< entry N, of 1..tasks: set by poll() once task N has failed; NULL: not wanted */
};

/** Reasons for tasks that end without their results. */
enum backend_loss {
  BACKEND_LOST,      /**< a host failed, a task failed, or the reason is unknown */
  BACKEND_CANCELLED, /**< cancelled by a user or an administrator */
  BACKEND_TIME       /**< their time limit was reached */
};

struct backend_view {
  bool known; /**< the back end has answered; if not, only `reason` is valid */
  bool alive; /**< some tasks are running or waiting */
  uint32_t running, waiting;
  enum backend_loss loss;    /**< greatest value among the tasks that have ended */
  char reason[BACKEND_TEXT]; /**< reason why tasks wait, or why poll() got no answer; "": none */
  char avoid[BACKEND_TEXT];  /**< hosts where tasks failed while tasks on other hosts succeeded */
};

struct backend {
  const char *name;
  const char *title; /**< name in a sentence: "Slurm" */
  const char *help;
  /** Checks the options and that the program is installed. */
  enum status (*check)(const struct backend_spec *s, struct err *e);
  /** Submits the tasks.  The error names the program that refused them, and its reason. */
  enum status (*submit)(const struct backend_call *c, struct backend_handle *h, struct err *e);
  void (*poll)(struct backend_handle *h, struct backend_view *v);
  void (*cancel)(struct backend_handle *h);
};

/** Registry of struct backend. */
extern const struct registry backends;

/** Parses "slurm:partition=long,time=30".  On success, free *s with backend_spec_clear(). */
enum status backend_spec_parse(struct backend_spec *s, const char *text, struct err *e);

/** Accepts a zeroed struct. */
void backend_spec_clear(struct backend_spec *s);
