/** @file cubes.h
 *  Tasks in 2^m cubes of 2^k hosts each, and the stage that joins the cubes in pairs.  A *joint* is
 *  a pair of cubes with arcs between them; its value is the value of the best relabelling of one of
 *  the two cubes.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "mappers/graph.h"
#include "mappers/hcube/relabel.h"

/** The quantity that relabellings maximise. */
enum cubes_aim {
  CUBES_EQUAL, /**< weight of arcs between equal labels; these arcs get one link */
  CUBES_NEAR   /**< weight times the number of equal bits */
};

/** Two cubes with arcs between them.  Cube @p b is relabelled. */
struct joint {
  uint32_t a, b; /**< cubes; a < b */
  uint64_t value;
  struct relabelling how;
};

/** A joint as seen from one of its cubes. */
struct joint_end {
  uint32_t to, joint;
};

/** A graph with the cubes as vertices and the joints as arcs.  The arrays belong to an arena, as
 *  the arrays of struct cubes. */
struct stage {
  uint32_t cubes;
  uint32_t joints;
  struct joint *joint;   /**< sorted by a, then b */
  uint32_t *first;       /**< by cube: offset of its joints in `end` */
  struct joint_end *end; /**< joints of each cube, sorted by `to` */
};

struct cubes {
  const struct graph *graph; /**< of 2^bits tasks; not owned */
  enum cubes_aim aim;
  uint32_t bits;   /**< number of bits of an address in the hypercube */
  uint32_t k;      /**< number of bits of a label in the current cubes */
  uint32_t *cube;  /**< by task */
  uint32_t *label; /**< by task, label in its cube */
};

/** Makes a cube of each task. */
enum status cubes_new(struct cubes *out, const struct graph *graph, uint32_t bits,
                      enum cubes_aim aim, struct arena *mem);

/** Finds the joints of all pairs of cubes with arcs between them. */
enum status cubes_stage(const struct cubes *c, struct stage *s, struct arena *mem);

/** Fills `first` and `end` from the joints. */
enum status stage_index(struct stage *s, struct arena *mem);

/** The joint of two cubes; NULL if there are no arcs between them. */
const struct joint *stage_find(const struct stage *s, uint32_t a, uint32_t b);

/** Joins each cube c with cube mate[c]. */
enum status cubes_join(struct cubes *c, const struct stage *s, const uint32_t *mate, struct err *e);
