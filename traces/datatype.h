/** @file datatype.h
 *  The datatypes that SMPI's traces name by number: CREATE_MPI_DATATYPE in
 *  src/smpi/mpi/smpi_datatype.cpp of SimGrid 3.32.  Sizes are for x86-64.
 */
#pragma once

#include <stdint.h>

enum {
  DATATYPE_DOUBLE = 0,
  DATATYPE_INT = 1,
  DATATYPE_BYTE = 6,
  DATATYPE_COUNT = 60,   /**< ids are 0..DATATYPE_COUNT-1 */
  DATATYPE_DERIVED = -1, /**< written by SMPI's tracer for any derived datatype */
};

/** Bytes of one element; 0 for ids without data (UB, LB) and ids out of range. */
uint32_t datatype_size(int id);
