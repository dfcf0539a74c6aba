/** @file driver.h
 *  The interface between a driver, which decides what happens, and an engine (engine.h), which
 *  decides how long it takes.  A driver is a set of actors, each on a host and each a state machine
 *  with a next step: compute, sleep, wait for transfers, yield or end.  An engine advances
 *  simulated time and asks an actor for its next step when its current step has ended.  Transfers
 * go from actor to actor: the driver matches sends and receives, the engine computes when transfers
 * end.
 *
 *  Engines and drivers know only this interface.  MPI replay (replay/) and background load
 *  (load/) are drivers; crew.h combines several drivers into one.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum side { SEND_SIDE, RECV_SIDE };

/** One transfer, as engines see it.  The driver owns it and embeds it as the first member of a
 *  struct of its own.  The fields read most often come first. */
struct transfer {
  uint32_t src, dst; /**< actors of the driver; src may be unknown until the send is posted */
  uint32_t first;    /**< copy of services.first, set once a side is posted */
  bool posted[2];    /**< by side */
  bool awaited[2];   /**< the actor of that side is blocked on it */
  bool detached;     /**< the sender does not wait for the end of the send */
  bool eager;        /**< starts when the send is posted.  false: when both sides are posted */
  bool one_sided;    /**< starts when any actor of the driver posts the send.  The driver posts no
                     receive and no actor waits; the engine calls driver.arrived() at the end */
  uint8_t state;     /**< private to the engine; 0 at first */
  uint64_t bytes;    /**< payload; known once the send is posted */
  uint64_t extra;    /**< bytes on the network beyond the payload; they cost time like payload */
  void *own;         /**< private to the engine; NULL at first */
  void *outer; /**< private to a driver that wraps the driver of this transfer; NULL at first */
};

/** One side of a transfer that an actor waits for. */
struct await {
  struct transfer *transfer;
  enum side side;
  uint32_t mark; /**< private to the driver */
};

enum step_kind {
  STEP_EXEC,  /**< amount: flops on the actor's host */
  STEP_BUSY,  /**< amount: seconds of computation at the host's full speed */
  STEP_SLEEP, /**< amount: seconds */
  STEP_WAIT,  /**< until one of await[] has ended: the engine writes its index to `completed` */
  STEP_PARK,  /**< until services.wake(); amount above 0: for that many seconds at most */
  STEP_YIELD, /**< no time: the other actors ready at this simulated time go first */
  STEP_END,   /**< the actor has ended */
  STEP_STOP   /**< the run ends now, for all actors */
};

struct step {
  enum step_kind kind;
  double amount;
  double traffic;      /**< STEP_EXEC: bytes of memory traffic per flop (effects/effects.h) */
  struct await *await; /**< sides that the actor has posted */
  uint32_t awaits;     /**< at least 1 */
  uint32_t completed;
  bool watched; /**< STEP_EXEC: the driver may call services.left() */
};

/** Functions of an engine for its driver, which calls them from within step() only. */
struct services {
  void *engine;
  uint32_t first; /**< the engine's number of the driver's actor 0 */
  /** Number of other actors that are ready at this simulated time.  A driver yields to them where
   *  SMPI calls SimGrid's kernel.  NULL: post() and ended() yield by themselves. */
  const uint32_t *others;
  double (*now)(void *engine); /**< simulated seconds */
  /** Notifies the engine that @p side is posted.  An eager transfer starts with its send, any other
   *  once both sides are posted. */
  void (*post)(void *engine, struct transfer *t, enum side side);
  /** True if the transfer of a posted side has ended. */
  bool (*ended)(void *engine, struct transfer *t, enum side side);
  /** Wakes an actor of this engine from STEP_PARK.  An actor that is not parked skips its next
   *  STEP_PARK.  At most one call before the actor resumes. */
  void (*wake)(void *engine, uint32_t actor);
  /** Flops left of the STEP_EXEC that an actor of this engine executes; the step must be
   *  `watched`. */
  double (*left)(void *engine, uint32_t actor);
  /** Called before the driver reuses a transfer whose sides have both ended; NULL: not needed. */
  void (*forget)(void *engine, struct transfer *t);
};

/** The position of an actor in its program, for explanations of a run. */
struct driver_where {
  uint32_t job, rank; /**< UINT32_MAX: not a rank of a program */
  const char *action; /**< the trace's action, or a name for the work of other actors; NULL:
                           unknown */
  const char *file;   /**< of the trace, owned by the program; NULL: unknown */
  uint64_t line;      /**< in that file; 0: unknown */
  uint64_t iteration; /**< of the main loop, from 1; 0: unknown */
  bool poll;          /**< the step is the time of a test or probe */
};

struct driver {
  void *state;
  const char *actor;    /**< name of an actor in messages: "rank" */
  const uint32_t *host; /**< by actor */
  uint32_t actors;
  bool eager; /**< some transfers may be eager */
  /** Called once before the first step; @p s stays valid until the last one. */
  void (*attach)(void *state, const struct services *s);
  /** Returns the next step of @p actor, whose previous step, if any, has ended.  The step belongs
   * to the driver and is valid until the next call for the same actor. */
  struct step *(*step)(void *state, uint32_t actor);
  /** Called when a transfer marked `one_sided` has ended and the engine has dropped it, outside of
   * the steps of the receiving actor.  It may call now() and wake() only.  NULL: no transfer is
   * marked `one_sided`. */
  void (*arrived)(void *state, struct transfer *t);
  /** Describes the step that @p actor has taken last; called only while causes are recorded
   *  (engine_config.causes).  Leaves unknown fields of *out as the caller set them.  NULL: the
   *  actors are not ranks of a program. */
  void (*where)(void *state, uint32_t actor, struct driver_where *out);
};
