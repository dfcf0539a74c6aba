/* SimGrid 3.32: alltoall__default in src/smpi/colls/smpi_default_selector.cpp. */
#include "traces/collectives/algorithms.h"

const struct lower_algorithm lower_alltoall_default = {
    .row = {"default", "as Open MPI chooses: bruck, basic_linear or pair by size and ranks",
            "smpi_default_selector.cpp"},
    .pieces = LOWER_PIECES(&lower_alltoall_ompi)};
