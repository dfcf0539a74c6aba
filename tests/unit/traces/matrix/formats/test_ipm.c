#include "tests/unit/traces/matrix_case.h"

#define HEAD    "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>\n<ipm_job_profile>\n"
#define TASK(r) "<task ipm_version=\"2.0.0\" mpi_rank=\"" r "\" mpi_size=\"2\" pid=\"4750\" >\n"
#define HASH    "<hash nlog=\"9\" nkey=\"3\" >\n"
#define END     "</hash>\n</task>\n"
#define TAIL    "</ipm_job_profile>\n"
#define CALL(c, b, o, n)                                                                           \
  "<hent key=\"0x1\" call=\"" c "\" bytes=\"" b "\" orank=\"" o "\" region=\"0\" count=\"" n       \
  "\" tid=\"0\" >1.0e-3 1e-4 2e-4</hent>\n"
#define OTHER HEAD TASK("1") HASH END

static void calls_that_send_are_counted(void **state)
{
  (void)state;
  static const struct matrix_case GOOD[] = {
      {HEAD TASK("0") "<env>PS1=<\"&></env>\n" HASH CALL("MPI_Isend", "100", "1", "3")
           CALL("MPI_Send", "8", "1", "2") CALL("MPI_Irecv", "100", "1", "3")
               CALL("MPI_Bcast", "1000", "0", "5") CALL("MPI_Sendrecv", "7", "0", "1") END TASK("1")
                   HASH CALL("MPI_Issend", "0", "0", "4") END TAIL,
       "2: 0>0 1x7 0>1 5x316 1>0 4x0"},
      {HEAD TASK("1") HASH END TASK("0") HASH END, "2:"},
  };
  matrix_case_good(GOOD, COUNT(GOOD), "ipm", NULL);
}

static void bad_profiles_are_refused(void **state)
{
  (void)state;
  static const struct matrix_case BAD[] = {
      {"", ":1: 0 tasks instead of 1"},
      {HEAD TAIL, ":3: 0 tasks instead of 1"},
      {HEAD TASK("0") HASH END TAIL, ":7: 1 tasks instead of 2"},
      {HEAD TASK("0") "</task>\n" TASK("1") "</task>\n" TAIL,
       ":7: 0 of 2 tasks have a table of calls; IPM writes it with IPM_LOG=full"},
      {OTHER TASK("0") "</task>\n", ":8: 1 of 2 tasks have a table of calls"},
      {OTHER TASK("1"), ":7: a second task of rank 1"},
      {HEAD TASK("1") TASK("0"), ":4: task 0 begins in another task"},
      {HEAD TASK("2"), ":3: mpi_rank: 2 is above the maximum of 1"},
      {HEAD TASK("-1"), ":3: mpi_rank: '-1' is not a whole number"},
      {HEAD "<task mpi_rank=\"0\" >\n", ":3: no attribute mpi_size=\"...\""},
      {HEAD "<task mpi_size=\"2\" >\n", ":3: no attribute mpi_rank=\"...\""},
      {HEAD "<task mpi_size=\"0\" mpi_rank=\"0\" >\n", ":3: mpi_size: 0 is below the minimum of 1"},
      {HEAD "<task mpi_size=\"1048577\" >\n", ":3: mpi_size: 1048577 is above the maximum"},
      {OTHER "<task mpi_size=\"3\" mpi_rank=\"0\" >\n", ":7: mpi_size is 3, and 2 in the first"},
      {OTHER "<taskcopy mpi_rank=\"0\" cluster_rank=\"1\"></taskcopy>\n",
       ":7: the profile has copi"},
      {HEAD CALL("MPI_Send", "1", "1", "1"), ":3: a call outside of a task"},
      {HEAD TASK("0") HASH "<hent bytes=\"1\" >\n", ":5: no attribute call=\"...\""},
      {HEAD TASK("0") HASH "<hent call=\"MPI_Send\" bytes=\"1\" >\n", ":5: no attribute orank"},
      {HEAD TASK("0") HASH "<hent call=\"MPI_Send\" orank=\"1", ":5: no attribute orank"},
      {HEAD TASK("0") HASH CALL("MPI_Send", "1", "2", "1"),
       ":5: orank: 2 is above the maximum of 1"},
      {HEAD TASK("0") HASH CALL("MPI_Send", "1", "+1", "1"),
       ":5: orank: '+1' is not a whole number"},
      {HEAD TASK("0") HASH CALL("MPI_Send", "-1", "1", "1"),
       ":5: bytes: '-1' is not a whole number"},
      {HEAD TASK("0") HASH CALL("MPI_Send", "1", "1", "0"),
       ":5: count: 0 is below the minimum of 1"},
      {HEAD TASK("0") HASH CALL("MPI_Send", "9223372036854775807", "1", "2"),
       ":5: the bytes exceed"},
      {HEAD TASK("0") HASH CALL("MPI_Send_init", "0", "1", "2"), ":5: MPI_Send_init: IPM does not"},
  };
  matrix_case_bad(BAD, COUNT(BAD), "ipm", NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_that_send_are_counted),
      cmocka_unit_test(bad_profiles_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
