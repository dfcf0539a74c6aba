/** @file qaplib.h
 *  Files of the library QAPLIB (Burkard, Karisch, Rendl): n, then two n x n matrices of integers
 *  separated by white space.  Lines may end anywhere.
 */
#pragma once

#include "common/err.h"
#include "mappers/qap/instance.h"

/** Reads the first matrix as the flows and the second as the distances, as in QAPLIB's definition
 *  of the value.  Fails if text follows the matrices or qap_check() fails.  The caller frees @p q
 *  with qap_clear(). */
enum status qaplib_load(struct qap *q, const char *path, struct err *e);
