/** @file backend.h
 *  Back ends: what can run the tasks of a submission on other machines.  A back end is a row with
 *  four functions; it knows a script and the number of tasks, and nothing of campaigns.
 */
#ifndef CAMPAIGN_REMOTE_BACKEND_H
#define CAMPAIGN_REMOTE_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/child.h"
#include "common/err.h"
#include "common/registry.h"

struct backend;

/** The value of --on. */
struct backend_spec {
  const struct backend *backend;
  char **option; /**< of its program, each as "--partition=long"; owned, as what follows */
  size_t options, room;
  char *command; /**< of `command`; NULL: none */
};

/** What is to be run: `sh SCRIPT N` for each N of 1..tasks. */
struct backend_call {
  const struct backend_spec *spec;
  const char *script; /**< path, absolute */
  const char *log;    /**< file for what the back end's own program says */
  const char *avoid;  /**< hosts not to use, "a,b"; "": none */
  uint32_t tasks;
  uint32_t cores; /**< that a task uses */
  bool detach;    /**< goes on when this process ends */
};

enum { BACKEND_ID_SIZE = 320, BACKEND_SAYS = 256 };

/** What was handed over. */
struct backend_handle {
  char id[BACKEND_ID_SIZE]; /**< what the back end calls it: letters, digits, and a few others */
  struct child child;       /**< of a back end that runs as a child, until it is reaped */
  bool is_child;
  uint32_t tasks;
  bool *failed; /**< by task, from 1: it is over and has failed; NULL: need not be told */
};

/** Why tasks end without their results. */
enum backend_loss {
  BACKEND_LOST,      /**< a host failed, a task failed, or nothing is known */
  BACKEND_CANCELLED, /**< by somebody */
  BACKEND_TIME       /**< their time was over */
};

struct backend_view {
  bool known; /**< the back end has answered, and the rest holds */
  bool alive; /**< tasks run or wait */
  uint32_t running, waiting;
  enum backend_loss loss;   /**< of those that have ended; the last row counts most */
  char says[BACKEND_SAYS];  /**< why tasks wait, or why there is no answer; "": nothing */
  char avoid[BACKEND_SAYS]; /**< hosts where tasks failed while others succeeded elsewhere */
};

struct backend {
  const char *name;
  const char *title; /**< as in a sentence: "Slurm" */
  const char *help;
  /** Checks the options and that the program is installed. */
  enum status (*check)(const struct backend_spec *s, struct err *e);
  /** Fails with a sentence that says who refused what. */
  enum status (*submit)(const struct backend_call *c, struct backend_handle *h, struct err *e);
  void (*poll)(struct backend_handle *h, struct backend_view *v);
  void (*cancel)(struct backend_handle *h);
};

/** Of struct backend. */
extern const struct registry backends;

/** Reads "slurm:partition=long,time=30".  On success *s is the caller's: backend_spec_clear(). */
enum status backend_spec_parse(struct backend_spec *s, const char *text, struct err *e);

/** Accepts a zeroed spec. */
void backend_spec_clear(struct backend_spec *s);

#endif
