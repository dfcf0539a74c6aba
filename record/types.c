/* Datatypes: SMPI's numbers (src/smpi/mpi/smpi_datatype.cpp) of MPI's named types, and sizes. */
#include "record/record.h"

/* Slots of a cache of datatypes by handle, a power of 2.  A new datatype replaces the old one in
 * its slot. */
enum { SLOTS = 64 };

static struct known {
  MPI_Datatype type;
  struct elements unit;
  bool used;
} known[SLOTS];

/* The number of a named type; TYPE_BYTE if it has none of its own. */
static int number_of(MPI_Datatype t)
{
#define NAMED(type, number)                                                                        \
  if (t == (type))                                                                                 \
    return number;
  NAMED(MPI_DOUBLE, 0)
  NAMED(MPI_INT, 1)
  NAMED(MPI_CHAR, 2)
  NAMED(MPI_SHORT, 3)
  NAMED(MPI_LONG, 4)
  NAMED(MPI_FLOAT, 5)
  NAMED(MPI_LONG_LONG, 7)
  NAMED(MPI_UNSIGNED, 11)
  NAMED(MPI_UNSIGNED_LONG, 12)
  NAMED(MPI_DOUBLE_PRECISION, 0)
  NAMED(MPI_INTEGER, 1)
  NAMED(MPI_REAL, 5)
  NAMED(MPI_DOUBLE_COMPLEX, 26)
  return TYPE_BYTE;
}

/* Runs once for each datatype, so it stays out of the code that each call runs. */
__attribute__((noinline, cold)) static struct elements unit_of(MPI_Datatype t)
{
  MPI_Count size;
  int integers, addresses, types, combiner;
  PMPI_Type_size_x(t, &size);
  PMPI_Type_get_envelope(t, &integers, &addresses, &types, &combiner);
  const int number = combiner == MPI_COMBINER_NAMED ? number_of(t) : TYPE_BYTE;
  return (struct elements){number == TYPE_BYTE ? (int64_t)size : 1, number};
}

static size_t slot_of(MPI_Datatype t)
{
  const uint64_t value = (uint64_t)t;
  return (value * 0x9e3779b97f4a7c15u >> 32) % SLOTS;
}

struct elements types_unit(MPI_Datatype t)
{
  struct known *k = &known[slot_of(t)];
  if (!k->used || k->type != t)
    *k = (struct known){t, unit_of(t), true};
  return k->unit;
}

struct elements types_elements(int64_t count, MPI_Datatype t)
{
  const struct elements unit = types_unit(t);
  return (struct elements){count * unit.count, unit.type};
}

int64_t types_size(MPI_Datatype t)
{
  MPI_Count size;
  PMPI_Type_size_x(t, &size);
  return (int64_t)size;
}

MPI(Type_free, MPI_Datatype *type)
{
  known[slot_of(*type)].used = false;
  return record.real.Type_free(type);
}
