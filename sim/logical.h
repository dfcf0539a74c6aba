/** @file logical.h
 *  Runs a driver in logical time, without a network (after Lamport, "Time, clocks, and the ordering
 *  of events in a distributed system", 1978).  Computation takes no time and a transfer takes one
 *  unit.  Each actor has a clock.  The depth of a transfer is the latest clock of the actors whose
 *  posts start it.  An actor that has waited for a transfer of depth d has a clock of at least
 *  d + 1.  So transfers of one depth do not depend on each other.
 */
#pragma once

#include "common/err.h"
#include "sim/driver.h"

/** Receives the events of a run, in the order in which they happen.  Transfers are numbered from 0
 *  in the order of their first posts.  A call that fails ends the run. */
struct logical_log {
  void *state;
  /** An actor posts a side of a transfer that has not started. */
  enum status (*posted)(void *state, uint32_t actor, uint64_t number);
  /** A transfer starts, at the last of its posts. */
  enum status (*transfer)(void *state, const struct transfer *t, uint64_t number, uint64_t depth);
  /** An actor has waited for the end of a transfer. */
  enum status (*waited)(void *state, uint32_t actor, uint64_t number);
  /** An actor executes a computation. */
  void (*computed)(void *state, uint32_t actor, double flops);
};

/** Runs until all actors have ended or are blocked.  Refuses drivers whose actors park.  The clock
 *  of an actor that yields or sleeps passes the lowest clock of the ready actors.  O(steps * log
 *  actors). */
enum status logical_run(const struct driver *d, const struct logical_log *log, struct err *e);
