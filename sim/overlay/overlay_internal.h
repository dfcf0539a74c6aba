/** @file overlay_internal.h
 *  Private to overlay.c, carriage.c and agents.c: the state of an overlay.
 *
 *  A message that cannot go straight to the engine has a carriage, which takes it in one part, or
 *  if it is relayed and long in several, over one or more hops.  On the last hop the last part is
 *  the program's own transfer, so that its receiver waits for nothing else; all others are parts,
 *  transfers of the overlay.  Three kinds of actors serve them, all on the hosts of the processes:
 *
 *  - the courier of a process posts the sides of transfers there, which needs no time;
 *  - the reader of a connection, in one direction, takes what arrives in the order in which it was
 *    sent, pays for it if its process is to pass it on, and lets it go on.  What was sent at one
 *    simulated time it takes by rank and number, whatever the engine's order of actors;
 *  - the clock opens connections when they are due.
 *
 *  Under SimGrid a post() or wake() runs other actors before it returns: all state is in order
 *  before each.
 */
#ifndef SIM_OVERLAY_OVERLAY_INTERNAL_H
#define SIM_OVERLAY_OVERLAY_INTERNAL_H

#include "sim/overlay/congestion.h"
#include "sim/overlay/connections.h"
#include "sim/overlay/overlay.h"

struct carriage;

/** A transfer of the overlay. */
struct part {
  struct transfer transfer;
  struct carriage *of;
  uint32_t hop;
  uint32_t number;                   /**< of the part in its message */
  double since;                      /**< when its receive was posted, in s */
  struct part *before, *next;        /**< in the queue of a reader */
  struct part *previous, *following; /**< of all */
};

/** One hop of a message. */
struct hop {
  struct connection_waiter waiter; /**< first member: the hop waits for its connection */
  struct carriage *of;
  uint32_t from;    /**< process that sends */
  uint32_t have;    /**< parts that are there to be sent */
  uint32_t sent;    /**< parts that have been sent */
  uint32_t arrived; /**< parts that have arrived */
  bool open;        /**< the connection is */
  bool counted;     /**< with what is on wide-area links, from before the first part is sent */
  double again;     /**< bytes sent again for each one */
  bool waiting;     /**< for it, or to settle */
};

struct carriage {
  struct transfer *message; /**< the program's */
  struct part *note; /**< what the sender waits for in its stead, on `note_side`; NULL: nothing */
  enum side note_side;
  uint32_t src;          /**< rank that sends it */
  uint64_t number;       /**< of this rank's carriages */
  uint64_t bytes, extra; /**< of the message */
  uint32_t parts;
  uint32_t users;  /**< parts on their way, and the program until it forgets the message */
  bool matched;    /**< the receive is posted */
  bool delivering; /**< a courier posts the send of the program's transfer, or has done so */
  struct carriage *previous, *next; /**< of all */
  uint32_t hops;
  struct hop hop[]; /**< by hop */
};

/** A side of a transfer that a courier is to post. */
struct order {
  struct transfer *transfer;
  enum side side;
  struct part *part; /**< that a reader is to take, once its receive is posted; NULL: none */
};

struct courier {
  struct order *queue; /**< from `first` on; owned */
  size_t first, count, room;
};

enum reading {
  READ_NEXT,    /**< nothing */
  READ_SETTLES, /**< what else is sent at this simulated time comes in */
  READ_WAITS,   /**< for `at` */
  READ_PAYS     /**< likewise */
};

struct reader {
  enum reading doing;
  struct part *at;           /**< not in the queue any more */
  struct part *first, *last; /**< queue */
  struct await await;
};

/** What the actors of an overlay besides the ranks have. */
struct agent {
  struct step step;
  bool parked;
};

/** A wait of a rank, as the engine sees it. */
struct rank_wait {
  struct step *inner; /**< the program's step; NULL: the engine has that itself */
  struct step *own;   /**< a wait of the program's, translated or not; NULL: none */
  struct step step;
  struct await *await; /**< owned */
  size_t room;
};

struct overlay {
  struct overlay_spec spec;
  struct overlay_network network;
  struct connections connections;
  struct congestion congestion;
  struct {
    struct connection_waiter *first, *last;
    double date; /**< when they go on, in s */
  } settling;    /**< hops: what else is sent at this simulated time is counted first */
  const struct mapping *mapping;
  struct links *links;
  struct err *err;
  struct driver inner;
  const struct services *to; /**< the engine */
  struct services services;  /**< for the program */
  uint32_t ranks, live;      /**< those that have not ended */
  uint32_t window;           /**< parts of a message on their way on one hop */
  struct rank_wait *wait;    /**< by rank */
  struct overlay_rank *of_rank;
  uint32_t agents; /**< couriers by rank, the clock, readers; 0: none is needed */
  struct agent *agent;
  uint32_t *host;          /**< by actor */
  struct courier *courier; /**< by rank */
  struct reader *reader;
  struct pairs edge;          /**< numbers the readers by sending and receiving process */
  struct carriage *carriages; /**< all, and all their parts and notes */
  struct part *parts;
  uint64_t *carried; /**< by rank: number of carriages so far */
  uint64_t relayed_messages;
  struct step stop, end;
  bool failed, over; /**< over: all ranks have ended */
};

static inline double overlay_now(const struct overlay *o)
{
  return o->to->now(o->to->engine);
}

/* carriage.c */

/** Posts the send of a message that cannot go straight to the engine.  The connection of its first
 *  hop has the number @p number (connections_need()). */
void carriage_send(struct overlay *o, struct transfer *t, uint32_t number);

/** The receive of a message that has a carriage has been posted. */
void carriage_matched(struct overlay *o, struct carriage *c);

/** A part has arrived at its process, which has paid for it if it passes it on. */
void carriage_arrived(struct overlay *o, struct part *p);

/** What a hop waited for is open. */
void carriage_go_on(struct overlay *o, struct hop *h);

/** The receiver has waited for the message: nothing of it is on its way any more. */
void carriage_received(struct overlay *o, struct carriage *c);

/** The program forgets its message. */
void carriage_forget(struct overlay *o, struct carriage *c);

/** Frees all, whatever became of them. */
void carriages_clear(struct overlay *o);

/* agents.c */

/** Makes the agents that the network needs; actors @p o->ranks and up. */
enum status agents_make(struct overlay *o, struct err *e);
void agents_clear(struct overlay *o);

struct step *agents_step(struct overlay *o, uint32_t agent);

/** Has the courier of @p process post a side. */
void agents_order(struct overlay *o, uint32_t process, struct order order);

/** The actor that reads what @p from sends to @p to. */
uint32_t agents_reader(const struct overlay *o, uint32_t from, uint32_t to);

/** The actor that posts for a process. */
static inline uint32_t agents_courier(const struct overlay *o, uint32_t process)
{
  return o->ranks + process;
}

/** What is this close happens at one simulated time: shorter than any message takes. */
#define OVERLAY_SAME_TIME_S 1e-9

/** A connection is being set up, or a hop settles. */
void agents_set_clock(struct overlay *o);

/** All ranks have ended: so do the agents. */
void agents_end(struct overlay *o);

#endif
