/** @file driver.h
 *  The interface between a driver, which decides what happens, and an engine (engine.h), which
 *  decides how long it takes.  A driver is a set of actors, each on a host and each a state machine
 *  with a next step: compute, sleep, wait for transfers, yield or end.  An engine advances
 *  simulated time and asks an actor for its next step when its last one is over.  Transfers go from
 *  actor to actor: the driver matches sends and receives, the engine computes when transfers end.
 *
 *  Engines and drivers know only this interface.  MPI replay (replay/) is one driver, background
 *  load (load/) another, several at once a third (crew.h).
 */
#ifndef SIM_DRIVER_H
#define SIM_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

enum side { SEND_SIDE, RECV_SIDE };

/** One transfer, as engines see it.  The driver owns it and embeds it as the first member of a
 *  struct of its own.  The fields read most often come first. */
struct transfer {
  uint32_t src, dst; /**< the driver's actors; src may be unknown until the send is posted */
  uint32_t first;    /**< services.first, once a side is posted */
  bool posted[2];    /**< by side */
  bool awaited[2];   /**< that side's actor is blocked on it */
  bool detached;     /**< nobody waits for the end of the send */
  bool eager;        /**< starts when the send is posted; others start when both sides are */
  bool told;         /**< starts when its send is posted, by any actor of the driver; the receiving
                          side is never posted, nor is a side awaited: driver.arrived() is told */
  uint8_t state;     /**< private to the engine; 0 at first */
  uint64_t bytes;    /**< payload; known once the send is posted */
  uint64_t extra;    /**< bytes that it carries besides, like the payload */
  void *own;         /**< private to the engine; NULL at first */
  void *carriage;    /**< private to an overlay (overlay/); NULL at first */
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
  struct await *await; /**< sides that the actor has posted */
  uint32_t awaits;     /**< at least 1 */
  uint32_t completed;
  bool watched; /**< STEP_EXEC: the driver may call services.left() */
};

/** What an engine offers a driver besides taking its steps; called from within step() only. */
struct services {
  void *engine;
  uint32_t first; /**< the engine's number of the driver's actor 0 */
  /** Number of actors ready at this simulated time, besides the one that takes a step: a driver
   *  yields to them where SMPI calls SimGrid's kernel.  NULL: post() and ended() yield by
   *  themselves. */
  const uint32_t *others;
  double (*now)(void *engine); /**< simulated seconds */
  /** Tells that @p side is posted.  A transfer starts once both sides are, an eager one with its
   *  send. */
  void (*post)(void *engine, struct transfer *t, enum side side);
  /** Has the transfer of a posted side ended? */
  bool (*ended)(void *engine, struct transfer *t, enum side side);
  /** Lets an actor of this engine go on whose step is, or is about to be, STEP_PARK; one that does
   *  not park now does not park the next time.  At most once before it goes on. */
  void (*wake)(void *engine, uint32_t actor);
  /** Flops that are left of the STEP_EXEC that an actor of this engine has taken, watched. */
  double (*left)(void *engine, uint32_t actor);
  /** Called before the driver reuses a transfer whose sides are both over; NULL: not needed. */
  void (*forget)(void *engine, struct transfer *t);
};

struct driver {
  void *state;
  const char *actor;    /**< what messages call an actor: "rank" */
  const uint32_t *host; /**< by actor */
  uint32_t actors;
  bool eager; /**< some transfers may be eager */
  /** Called once before the first step; @p s stays valid until the last one. */
  void (*attach)(void *state, const struct services *s);
  /** Returns the next step of @p actor, whose last one (if any) is over.  The step is the driver's,
   *  valid until the next call for the same actor. */
  struct step *(*step)(void *state, uint32_t actor);
  /** A transfer that is `told` has ended.  The engine has forgotten it; called outside of the
   *  steps of the actor that it goes to, it may call now() and wake() only.  NULL: there are none.
   */
  void (*arrived)(void *state, struct transfer *t);
};

#endif
