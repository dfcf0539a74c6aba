/* Classification of MPI functions by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "predict/instrument/comm.h"

static void names_have_families(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    enum comm_family family;
  } CASES[] = {{"MPI_Wtime", COMM_NOT},           {"printf", COMM_NOT},
               {"MPI_Abort", COMM_NOT},           {"MPI_Init", COMM_ALWAYS},
               {"MPI_Finalize", COMM_ALWAYS},     {"MPI_Comm_rank", COMM_LOCAL},
               {"PMPI_Comm_size", COMM_LOCAL},    {"MPI_Type_vector", COMM_LOCAL},
               {"MPI_Send", COMM_MESSAGES},       {"MPI_Sendrecv_replace", COMM_MESSAGES},
               {"MPI_Waitany", COMM_MESSAGES},    {"MPI_Recv", COMM_MESSAGES},
               {"MPI_Reduce", COMM_COLLECTIVE},   {"MPI_Rget", COMM_WINDOWS},
               {"MPI_Win_fence", COMM_WINDOWS},   {"MPI_Cart_create", COMM_COLLECTIVE},
               {"MPI_Get_count", COMM_NOT},       {"MPI_Get", COMM_WINDOWS},
               {"MPI_Alltoallv", COMM_COLLECTIVE}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    assert_int_equal(comm_family_of(CASES[i].name), CASES[i].family);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_have_families)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
