/** @file driver.h
 *  The seam between what decides and what takes time.  A driver is a number of actors, each on a
 *  host and each a state machine that says what it does next: compute, sleep, wait for transfers,
 *  end.  An engine (engine.h) advances simulated time and asks an actor for its next step when its
 *  last one is over.  Transfers go from actor to actor; which ones belong together is the driver's
 *  to decide, how long they take the engine's.
 *
 *  An engine knows no driver, and a driver no engine: MPI replay (replay/) is one driver.
 */
#ifndef SIM_DRIVER_H
#define SIM_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

enum side { SEND_SIDE, RECV_SIDE };

/** One transfer, as engines know it; the driver owns it and has it at the beginning of a struct of
 *  its own.  First what is read again and again. */
struct transfer {
  uint32_t src, dst; /**< actors; src may be unknown until the send is posted */
  bool posted[2];    /**< by side */
  bool awaited[2];   /**< that side's actor is blocked on it */
  bool detached;     /**< nobody waits for the end of the send */
  bool eager;        /**< starts when the send is posted; others start when both sides are */
  uint8_t state;     /**< the engine's; 0 at first */
  uint64_t bytes;    /**< payload; known once the send is posted */
  void *own;         /**< the engine's; NULL at first */
};

/** One side of a transfer that an actor waits for. */
struct await {
  struct transfer *transfer;
  enum side side;
  uint32_t mark; /**< the driver's own */
};

enum step_kind {
  STEP_EXEC,  /**< amount: flops on the actor's host */
  STEP_BUSY,  /**< amount: seconds of the host's full speed */
  STEP_SLEEP, /**< amount: seconds */
  STEP_WAIT,  /**< until one of await[] has ended: the engine writes its index to `completed` */
  STEP_YIELD, /**< no time: the other actors that can go on at this date go first */
  STEP_END,   /**< the actor has ended */
  STEP_STOP   /**< the run has failed, or is over for all: end it now */
};

struct step {
  enum step_kind kind;
  double amount;
  struct await *await; /**< sides that the actor has posted */
  uint32_t awaits;     /**< at least 1 */
  uint32_t completed;
};

/** What an engine does for a driver, beside taking the steps; to be called from within step(). */
struct services {
  void *engine;
  /** How many actors can go on at this date, besides the one that takes a step: a driver yields to
   *  them where SMPI calls SimGrid's kernel.  NULL: post() and ended() let them go first
   *  themselves. */
  const uint32_t *others;
  double (*now)(void *engine); /**< simulated seconds */
  /** A side has been posted; the transfer starts when both have, or with the send if it is
   *  eager. */
  void (*post)(void *engine, struct transfer *t, enum side side);
  /** Has the transfer of a posted side ended? */
  bool (*ended)(void *engine, struct transfer *t, enum side side);
  /** The driver is about to forget the transfer: both sides are over.  NULL: no need to say so. */
  void (*forget)(void *engine, struct transfer *t);
};

struct driver {
  void *state;
  const char *actor;    /**< what messages call an actor: "rank" */
  const uint32_t *host; /**< of each actor */
  uint32_t actors;
  bool eager; /**< some transfers may be eager */
  /** To be called before the first step; @p s outlives the last one. */
  void (*attach)(void *state, const struct services *s);
  /** The last step of @p actor (if any) is over: what next?  The step is the driver's, valid until
   *  the next call for the same actor. */
  struct step *(*step)(void *state, uint32_t actor);
};

#endif
