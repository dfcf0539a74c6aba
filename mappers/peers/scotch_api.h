/** @file scotch_api.h
 *  Scotch's C functions, loaded at the first use, so that a run without Scotch does not spend time
 *  on them.  There are no wrappers: each member points to the Scotch function of its name.
 *  Compiled only if scotch.h is installed.
 */
#pragma once

#include <scotch.h>
#include <stdint.h>
#include <stdio.h>

#include "common/process/library.h"

/** Calls F(NAME) for each function that haichi uses. */
#define SCOTCH_FUNCTIONS(F)                                                                        \
  F(SCOTCH_archAlloc)                                                                              \
  F(SCOTCH_archCmplt)                                                                              \
  F(SCOTCH_archExit)                                                                               \
  F(SCOTCH_archHcub)                                                                               \
  F(SCOTCH_archInit)                                                                               \
  F(SCOTCH_archLoad)                                                                               \
  F(SCOTCH_archMesh2)                                                                              \
  F(SCOTCH_archMesh3)                                                                              \
  F(SCOTCH_archMeshX)                                                                              \
  F(SCOTCH_archTleaf)                                                                              \
  F(SCOTCH_archTorusX)                                                                             \
  F(SCOTCH_contextAlloc)                                                                           \
  F(SCOTCH_contextBindGraph)                                                                       \
  F(SCOTCH_contextExit)                                                                            \
  F(SCOTCH_contextInit)                                                                            \
  F(SCOTCH_contextOptionSetNum)                                                                    \
  F(SCOTCH_contextRandomClone)                                                                     \
  F(SCOTCH_contextRandomSeed)                                                                      \
  F(SCOTCH_contextThreadSpawn)                                                                     \
  F(SCOTCH_graphAlloc)                                                                             \
  F(SCOTCH_graphBuild)                                                                             \
  F(SCOTCH_graphExit)                                                                              \
  F(SCOTCH_graphInit)                                                                              \
  F(SCOTCH_graphMap)                                                                               \
  F(SCOTCH_memFree)                                                                                \
  F(SCOTCH_numSizeof)                                                                              \
  F(SCOTCH_stratAlloc)                                                                             \
  F(SCOTCH_stratExit)                                                                              \
  F(SCOTCH_stratGraphMapBuild)                                                                     \
  F(SCOTCH_stratInit)

struct scotch_api {
  SCOTCH_FUNCTIONS(LIBRARY_MEMBER)
};

/** Loads the library if it is not loaded, and looks up the functions; @p api is unchanged on
 *  failure. */
enum status scotch_api_open(struct scotch_api *api, struct err *e);
