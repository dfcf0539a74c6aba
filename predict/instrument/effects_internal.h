/** @file effects_internal.h
 *  Classes of expressions, for the two sources of effects.h: effects.c groups the objects,
 *  effects_visit.c visits reads and writes.
 */
#pragma once

#include "predict/instrument/effects.h"

/** The class of an lvalue; TREE_NONE if the node is none. */
uint32_t effects_location(struct effects *x, uint32_t node);

/** The class that the value of an expression points to; TREE_NONE if there is none. */
uint32_t effects_value(struct effects *x, uint32_t node);

/** The function of the program that an expression names, as a value; TREE_NONE if there is none. */
uint32_t effects_function(const struct effects *x, uint32_t node);
