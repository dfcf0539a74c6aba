/** @file rows.h
 *  The mappers that mapper.c lists: each file defines its own row.  For mapper.c only.
 */
#ifndef MAPPERS_ROWS_H
#define MAPPERS_ROWS_H

#include "mappers/mapper.h"

extern const struct mapper map_xyz;
extern const struct mapper map_random;
extern const struct mapper map_greedy;
extern const struct mapper map_file;
extern const struct mapper map_none;
extern const struct mapper map_mopt;
extern const struct mapper map_fmopt;
extern const struct mapper map_sfmopt;
extern const struct mapper map_fmopt_half;

#endif
