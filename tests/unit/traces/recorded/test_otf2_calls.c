/* The functions of MPI by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "traces/otf2/otf2_defs.h"

static void names_of_mpi_4_are_known(void **state)
{
  (void)state;
  assert_ptr_equal(otf2_call_named("MPI_Sendrecv_c"), otf2_call_named("MPI_Sendrecv"));
  assert_ptr_equal(otf2_call_named("MPI_Ineighbor_alltoallw_c"),
                   otf2_call_named("MPI_Ineighbor_alltoallw"));
  assert_int_equal(otf2_call_named("MPI_Isend")->use, OTF2_USE_MESSAGE);
  assert_null(otf2_call_named("MPI_Send_init"));
  assert_null(otf2_call_named("MPI_Send_x"));
  assert_null(otf2_call_named("MPI_Comm_dup"));
}

static void starts_that_no_event_tells_are_foreign(void **state)
{
  static const char *const FOREIGN[] = {"MPI_Allreduce_init", "MPI_Neighbor_alltoallv_init_c",
                                        "MPI_Put", "MPI_Get_accumulate_c",
                                        "MPI_File_write_at_all_c"};
  (void)state;
  for (size_t i = 0; i < sizeof FOREIGN / sizeof *FOREIGN; i++) {
    const struct otf2_call *c = otf2_call_named(FOREIGN[i]);
    assert_non_null(c);
    assert_int_equal(c->use, OTF2_USE_FOREIGN);
  }
  assert_null(otf2_call_named("MPI_Put_x"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_of_mpi_4_are_known),
      cmocka_unit_test(starts_that_no_event_tells_are_foreign),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
