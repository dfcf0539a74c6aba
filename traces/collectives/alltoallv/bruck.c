/* SimGrid 3.32: src/smpi/colls/alltoallv/alltoallv-bruck.cpp, which is not Bruck's algorithm. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/posted.h"

const struct lower_algorithm lower_alltoallv_bruck = {
    .row = {"bruck", "four sends and receives posted at once", "alltoallv/alltoallv-bruck.cpp"},
    .steps = posted_by_four_steps,
    .step = posted_by_four_step};
