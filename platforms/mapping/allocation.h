/** @file allocation.h
 *  The hosts of a platform that a program may use, and the number of ranks (slots) on each.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "platforms/platform.h"

/** Maximum number of slots of an allocation. */
enum { ALLOCATION_MOST_SLOTS = 1 << 26 };

/** A list of hosts as text, for any platform. */
struct allocation_list;

/** Reads a list of hosts.  @p text is one of
 *  - "slurm": the variables SLURM_JOB_NODELIST and SLURM_TASKS_PER_NODE of the environment;
 *  - the name of a file, or "-": standard input.  Blank lines and comments from '#' on are skipped.
 *    A line has words, between commas or blanks; "slots=N" gives the slots of the hosts before it
 *    on the line;
 *  - words between commas.
 *  A word is the name of a host, a list of names with brackets as Slurm writes it (hostlist.h), or
 *  a number or a range of numbers of hosts, such as 0-63; all may end in ":SLOTS".  A host that
 *  occurs several times has the sum of the slots.  On success the caller owns *out:
 *  allocation_list_free(). */
enum status allocation_list_read(struct allocation_list **out, const char *text, struct err *e);

/** Accepts NULL. */
void allocation_list_free(struct allocation_list *l);

/** Prints the words on one line: equal allocations print equal texts. */
void allocation_list_print(const struct allocation_list *l, FILE *f);

struct allocation {
  struct platform *part; /**< platform of the hosts (platforms/part.h); owned, as the arrays */
  uint32_t each;         /**< most slots of a host */
  uint32_t slots;        /**< of all hosts */
  uint32_t *order;       /**< by slot, in the order of the list: its host of the part */
  uint32_t *capacity;    /**< by host of the part: its slots; NULL: all have `each` */
};

/** Finds the hosts on @p p, which must outlive @p a, be whole and have no inside
 *  (platform_nodes()).  Each host has @p each slots, or, if @p each is 0, the slots of the list, or
 *  allocation_default_slots() if the list gives none.  Fails if a host does not exist.  The caller
 *  calls allocation_clear(). */
enum status allocation_new(struct allocation *a, const struct allocation_list *l,
                           const struct platform *p, uint32_t each, struct err *e);

/** Makes the allocation of @p n slots, slot i on host @p host[i] of @p p.  Requires the same of
 *  @p p as allocation_new().  The caller calls allocation_clear(). */
enum status allocation_of_slots(struct allocation *a, const struct platform *p,
                                const uint32_t *host, uint32_t n, struct err *e);

/** The default number of slots of a host: 1, or the cores of a node if @p p is a platform of nodes
 *  (platform_nodes()). */
uint32_t allocation_default_slots(const struct platform *p);

/** Accepts a zeroed struct. */
void allocation_clear(struct allocation *a);
