/** @file backend.h
 *  Back ends, which run the tasks of a submission on other machines.  A back end is a struct with
 *  four functions; it knows a script and the number of tasks, and nothing of campaigns.
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

/** Arguments of submit(): the back end is to run `sh SCRIPT N` for each N of 1..tasks. */
struct backend_call {
  const struct backend_spec *spec;
  const char *script; /**< path, absolute */
  const char *log;    /**< file for the output of the back end's own program */
  const char *avoid;  /**< hosts not to use, "a,b"; "": none */
  uint32_t tasks;
  uint32_t cores; /**< processors that a task uses */
  bool detach;    /**< the tasks continue when this process ends */
};

enum { BACKEND_ID_SIZE = 320, BACKEND_SAYS = 256 };

/** A job: the tasks that were handed over. */
struct backend_handle {
  char id[BACKEND_ID_SIZE]; /**< the back end's name of the job: letters, digits, and a few other
                               characters */
  struct child child;       /**< process of a back end that runs as a child, until it is reaped */
  bool is_child;
  uint32_t tasks;
  bool *failed; /**< by task, from 1: it has ended and failed; NULL: not wanted */
};

/** Reasons why tasks end without their results. */
enum backend_loss {
  BACKEND_LOST,      /**< a host failed, a task failed, or the reason is unknown */
  BACKEND_CANCELLED, /**< cancelled by a user or an administrator */
  BACKEND_TIME       /**< their time limit was reached */
};

struct backend_view {
  bool known; /**< the back end has answered; if not, only `says` is valid */
  bool alive; /**< tasks run or wait */
  uint32_t running, waiting;
  enum backend_loss loss;   /**< highest reason among the tasks that have ended */
  char says[BACKEND_SAYS];  /**< why tasks wait, or why there is no answer; "": nothing */
  char avoid[BACKEND_SAYS]; /**< hosts where tasks failed while tasks on other hosts succeeded */
};

struct backend {
  const char *name;
  const char *title; /**< name in a sentence: "Slurm" */
  const char *help;
  /** Checks the options and that the program is installed. */
  enum status (*check)(const struct backend_spec *s, struct err *e);
  /** Hands the tasks over.  The error says which program refused them, and why. */
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
