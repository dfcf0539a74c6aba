/** @file cubes.h
 *  Tasks in 2^m cubes of 2^k hosts each, and the stage that joins these in pairs into larger ones.
 *  The graph of a stage has the cubes as vertices; an arc, a *joint*, is worth what the best
 *  relabelling of one of its two cubes brings.
 */
#ifndef MAPPERS_HCUBE_CUBES_H
#define MAPPERS_HCUBE_CUBES_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "mappers/hcube/relabel.h"
#include "mappers/partners.h"

/** What relabellings are to bring. */
enum cubes_aim {
  CUBES_EQUAL, /**< weight of arcs between equal labels, which a link joins */
  CUBES_NEAR   /**< weight times bits that do not differ */
};

/** Both cubes have arcs between them.  The one that is relabelled is @p b. */
struct joint {
  uint32_t a, b; /**< cubes; a < b */
  uint64_t value;
  struct relabelling how;
};

/** A joint as one of its cubes sees it. */
struct joint_end {
  uint32_t to, joint;
};

struct stage {
  uint32_t cubes;
  uint32_t joints;
  struct joint *joint;   /**< by a, then b; owned */
  uint32_t *first;       /**< by cube, into `end`; owned */
  struct joint_end *end; /**< those of one cube by `to`; owned */
};

struct cubes {
  const struct partners *graph; /**< of 2^bits tasks; not owned */
  enum cubes_aim aim;
  uint32_t bits;   /**< of an address in the end */
  uint32_t k;      /**< of a label now */
  uint32_t *cube;  /**< of a task; owned */
  uint32_t *label; /**< of a task in its cube; owned */
};

/** Each task in a cube of its own. */
enum status cubes_new(struct cubes *out, const struct partners *graph, uint32_t bits,
                      enum cubes_aim aim, struct err *e);

/** Accepts a zeroed one. */
void cubes_clear(struct cubes *c);

/** Finds the joints of all pairs of cubes with arcs between them.  The caller's: stage_clear(). */
enum status cubes_stage(const struct cubes *c, struct stage *out, struct err *e);

/** Fills `first` and `end`; the joints are there. */
enum status stage_index(struct stage *s, struct err *e);

/** Accepts a zeroed one. */
void stage_clear(struct stage *s);

/** The joint of two cubes, NULL if there are no arcs between them. */
const struct joint *stage_find(const struct stage *s, uint32_t a, uint32_t b);

/** Joins each cube with its partner, @p mate of it. */
enum status cubes_join(struct cubes *c, const struct stage *s, const uint32_t *mate, struct err *e);

#endif
