/** @file overlay_internal.h
 *  Private to overlay.c, messages.c and agents.c: the state of an overlay.
 *
 *  A message that cannot go straight to the engine becomes a struct message, sent over one or more
 *  hops.  A long message that is relayed is cut into parts; any other is one part.  On the last hop
 *  the last part is the program's own transfer, so that its receiver waits for it as usual; all
 *  other parts are transfers of the overlay.  Three kinds of actors, all on the hosts of the
 *  processes, serve them:
 *
 *  - the progress thread of a process posts the sides of transfers there, in no time;
 *  - the reader of a connection, in one direction, takes parts in the order in which they were
 *    sent, spends processor time on a part if its process passes it on, and forwards it.  Parts
 *    sent at one simulated time are taken by rank and number, whatever the engine's order of
 *    actors;
 *  - the clock opens connections when they are due.
 *
 *  Under SimGrid a post() or wake() runs other actors before it returns: all state must be
 *  consistent before each call.
 */
#pragma once

#include "sim/overlay/congestion.h"
#include "sim/overlay/connections.h"
#include "sim/overlay/overlay.h"

struct message;

/** A transfer of the overlay. */
struct part {
  struct transfer transfer;
  struct message *of;
  uint32_t hop;
  uint32_t number;                   /**< index of the part in its message */
  double since;                      /**< time in s when its receive was posted */
  struct part *before, *next;        /**< neighbours in the queue of a reader */
  struct part *previous, *following; /**< neighbours in the list of all parts */
};

/** One hop of a message. */
struct hop {
  struct connection_waiter waiter; /**< first member; waits for the connection or to settle */
  struct message *of;
  uint32_t from;    /**< sending process */
  uint32_t have;    /**< parts available to send */
  uint32_t sent;    /**< parts that have been sent */
  uint32_t arrived; /**< parts that have arrived */
  bool open;        /**< the connection is open */
  bool counted;     /**< counted on wide-area links, from before the first part is sent until the
                         last has arrived */
  double again;     /**< bytes sent again per byte */
  bool waiting;     /**< for the connection, or to settle */
};

struct message {
  struct transfer *transfer; /**< the program's */
  struct part *notification; /**< the transfer for which the sender waits instead, on
                          `notification_side`; NULL: it does not wait */
  enum side notification_side;
  uint32_t src;          /**< sending rank */
  uint64_t number;       /**< index among the struct messages that its rank sends */
  uint64_t bytes, extra; /**< of the message */
  uint32_t parts;
  uint32_t users;  /**< parts in transit, and the program until it forgets the message */
  bool matched;    /**< the receive is posted */
  bool delivering; /**< a progress thread posts the send of the program's transfer, or has posted it
                    */
  struct message *previous, *next; /**< neighbours in the list of all messages */
  uint32_t hops;
  struct hop hop[]; /**< by hop */
};

/** A side of a transfer, to be posted by a progress thread. */
struct posting {
  struct transfer *transfer;
  enum side side;
  struct part *part; /**< to be queued at its reader once its receive is posted; NULL: none */
};

struct progress_thread {
  struct posting *queue; /**< entries from `first` on are not posted; owned */
  size_t first, count, room;
};

enum reading {
  READ_NEXT,    /**< idle */
  READ_SETTLES, /**< sleeps until all parts sent at this simulated time are queued */
  READ_WAITS,   /**< waits for `at` */
  READ_PAYS     /**< spends processor time on `at` */
};

struct reader {
  enum reading doing;
  struct part *at;           /**< the part that it takes; no longer in the queue */
  struct part *first, *last; /**< queue */
  struct await await;
};

/** State of an actor of the overlay. */
struct agent {
  struct step step;
  bool parked;
};

/** A wait of a rank, as the engine sees it. */
struct rank_wait {
  struct step *inner; /**< the program's step, if the wait was translated; NULL: the engine has the
                           original */
  struct step *own;   /**< the program's wait, translated or not; NULL: none */
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
    double date; /**< time in s when they resume */
  } settling;    /**< hops that wait until all messages sent at this simulated time are counted */
  const struct mapping *mapping;
  struct links *links;
  struct err *err;
  struct driver inner;
  const struct services *to; /**< services of the engine */
  struct services services;  /**< services offered to the program */
  uint32_t ranks, live;      /**< all ranks; ranks that have not ended */
  uint32_t window;           /**< most parts of a message in transit on one hop */
  struct rank_wait *wait;    /**< by rank */
  struct overlay_rank *of_rank;
  uint32_t agents; /**< progress threads by rank, the clock, readers; 0: none needed */
  struct agent *agent;
  uint32_t *host;                   /**< by actor */
  struct progress_thread *progress; /**< by rank */
  struct reader *reader;
  struct pairs edge; /**< numbers the readers by sending and receiving process */
  struct message
      *messages; /**< list of all messages; `parts` lists all their parts and notifications */
  struct part *parts;
  uint64_t *numbers; /**< by rank: struct messages sent so far */
  uint64_t relayed_messages;
  struct step stop, end;
  bool failed, over; /**< over: all ranks have ended */
};

static inline double overlay_now(const struct overlay *o)
{
  return o->to->now(o->to->engine);
}

/* messages.c */

/** Posts the send of a message that cannot go straight to the engine.  @p number is the connection
 *  of its first hop (connections_need()). */
void message_send(struct overlay *o, struct transfer *t, uint32_t number);

/** The receive of the message has been posted. */
void message_matched(struct overlay *o, struct message *c);

/** A part has arrived at its process.  A relay has already spent the processor time to pass it
 *  on. */
void message_arrived(struct overlay *o, struct part *p);

/** The connection of a hop is open, or the hop has settled: continues sending. */
void message_resume(struct overlay *o, struct hop *h);

/** The receiver's wait for the message is over: no part is in transit any more. */
void message_received(struct overlay *o, struct message *c);

/** The program forgets the message. */
void message_forget(struct overlay *o, struct message *c);

/** Frees all messages and parts, whatever their state. */
void message_clear_all(struct overlay *o);

/* agents.c */

/** Creates the agents that the network needs: actors @p o->ranks and up. */
enum status agents_make(struct overlay *o, struct err *e);
void agents_clear(struct overlay *o);

struct step *agents_step(struct overlay *o, uint32_t agent);

/** Lets the progress thread of @p process post a side. */
void agents_post(struct overlay *o, uint32_t process, struct posting posting);

/** The actor that reads data sent by @p from to @p to. */
uint32_t agents_reader(const struct overlay *o, uint32_t from, uint32_t to);

/** The actor that posts sides for a process. */
static inline uint32_t agents_progress(const struct overlay *o, uint32_t process)
{
  return o->ranks + process;
}

/** Events closer than this happen at one simulated time; shorter than any message takes. */
#define OVERLAY_SAME_TIME_S 1e-9

/** Wakes the clock after a connection set-up has begun or a hop has begun to settle. */
void agents_set_clock(struct overlay *o);

/** Ends the agents after all ranks have ended. */
void agents_end(struct overlay *o);
