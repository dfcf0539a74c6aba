/* The choices of selectors, at the sizes where the choice changes.  A program that calls SMPI's
 * own selectors printed these cases once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "common/num.h"
#include "traces/collectives/collective.h"
#include "traces/collectives/picked.h"

/* Each step is "BYTES:NAME": the algorithm selected from this size on. */
static const struct {
  const char *collective, *library;
  uint32_t ranks, per_host;
  const char *steps;
} CASES[] = {
    {"allreduce", "ompi", 3, 1,
     "0:lr 8:rdb 4096:lr 8192:rdb 16384:lr 65536:ompi_ring_segmented 262144:rab_rdb"},
    {"reduce", "ompi", 3, 1,
     "0:ompi_basic_linear 8:ompi_binary 16:ompi_pipeline 32:ompi_basic_linear 262144:ompi_pipeline "
     "524288:ompi_chain 1048576:ompi_pipeline"},
    {"gather", "ompi", 3, 1,
     "0:ompi_linear_sync 2:ompi_basic_linear 4:ompi_binomial 32768:ompi_basic_linear "
     "65536:ompi_binomial 131072:ompi_linear_sync"},
    {"scatter", "ompi", 3, 1,
     "0:ompi_linear_nb 2:ompi_basic_linear 131072:ompi_linear_nb 262144:ompi_basic_linear"},
    {"allgather", "ompi", 3, 1, "0:rdb"},
    {"allgatherv", "ompi", 3, 1,
     "0:GB 256:ompi_neighborexchange 4096:mpich_ring 8192:ompi_neighborexchange 16384:ompi_bruck "
     "262144:ompi_neighborexchange"},
    {"alltoall", "ompi", 3, 1, "0:basic_linear 524288:pair 1048576:basic_linear"},
    {"alltoallv", "ompi", 3, 1, "1:pair"},
    {"bcast", "ompi", 3, 1,
     "0:ompi_pipeline 32:NTSB 256:ompi_pipeline 512:mvapich2_knomial_intra_node 1024:NTSL "
     "32768:NTSB 131072:ompi_pipeline 262144:NTSL 524288:binomial_tree 1048576:NTSB"},
    {"barrier", "ompi", 3, 1, "1:ompi_recursivedoubling"},
    {"reducescatter", "ompi", 3, 1, "0:ompi_ring 21846:ompi_butterfly 43691:ompi_ring"},
    {"allreduce", "ompi", 12, 1, "0:rdb 8192:rab_rdb"},
    {"reduce", "ompi", 12, 1, "0:ompi_binary 8192:ompi_binomial"},
    {"gather", "ompi", 12, 1, "0:ompi_binomial"},
    {"scatter", "ompi", 12, 1, "0:ompi_binomial 16384:ompi_linear_nb 1048576:ompi_basic_linear"},
    {"allgather", "ompi", 12, 1, "0:rdb"},
    {"allgatherv", "ompi", 12, 1, "0:GB 1024:ompi_bruck"},
    {"alltoall", "ompi", 12, 1, "0:basic_linear"},
    {"alltoallv", "ompi", 12, 1, "1:ompi_basic_linear"},
    {"bcast", "ompi", 12, 1,
     "0:mvapich2_knomial_intra_node 8:NTSB 64:mvapich2_knomial_intra_node 4096:NTSB "
     "16384:binomial_tree 32768:NTSL"},
    {"barrier", "ompi", 12, 1, "1:ompi_recursivedoubling"},
    {"reducescatter", "ompi", 12, 1, "0:ompi_basic_recursivehalving 21846:ompi_ring"},
    {"allreduce", "ompi", 96, 1, "0:rdb 262144:rab_rdb"},
    {"reduce", "ompi", 96, 1, "0:ompi_binomial"},
    {"gather", "ompi", 96, 1, "0:ompi_binomial"},
    {"scatter", "ompi", 96, 1, "0:ompi_binomial 512:ompi_linear_nb"},
    {"allgather", "ompi", 96, 1, "0:rdb 512:ompi_neighborexchange 65536:ring"},
    {"allgatherv", "ompi", 96, 1, "0:GB 256:ompi_bruck 4096:mpich_ring"},
    {"alltoall", "ompi", 96, 1, "0:bruck 1024:basic_linear 262144:pair"},
    {"alltoallv", "ompi", 96, 1, "1:pair"},
    {"bcast", "ompi", 96, 1, "0:mvapich2_knomial_intra_node"},
    {"barrier", "ompi", 96, 1, "1:ompi_bruck"},
    {"reducescatter", "ompi", 96, 1,
     "0:reduce_scatterv 3:ompi_basic_recursivehalving 6:ompi_butterfly "
     "22:ompi_basic_recursivehalving 43:ompi_butterfly"},
    {"allreduce", "ompi", 384, 1, "0:redbcast 4096:rab_rdb"},
    {"reduce", "ompi", 384, 1, "0:ompi_binomial 8192:ompi_in_order_binary 16384:ompi_binomial"},
    {"gather", "ompi", 384, 1, "0:ompi_binomial 2048:ompi_basic_linear 8192:ompi_binomial"},
    {"scatter", "ompi", 384, 1, "0:ompi_binomial 512:ompi_linear_nb"},
    {"allgather", "ompi", 384, 1,
     "0:rdb 32:bruck 128:rdb 1024:ompi_neighborexchange 131072:ring 524288:ompi_neighborexchange "
     "1048576:ring"},
    {"allgatherv", "ompi", 384, 1, "0:ompi_bruck 1024:mpich_ring"},
    {"alltoall", "ompi", 384, 1, "0:bruck 1024:basic_linear 32768:pair"},
    {"alltoallv", "ompi", 384, 1, "1:pair"},
    {"bcast", "ompi", 384, 1,
     "0:mvapich2_knomial_intra_node 16384:ompi_split_bintree 32768:mvapich2_knomial_intra_node"},
    {"barrier", "ompi", 384, 1, "1:ompi_tree"},
    {"reducescatter", "ompi", 384, 1,
     "0:reduce_scatterv 1:ompi_basic_recursivehalving 3:ompi_butterfly"},
    {"allreduce", "ompi", 3000, 1, "0:redbcast 2048:ompi_ring_segmented 4096:rdb 16384:rab_rdb"},
    {"reduce", "ompi", 3000, 1,
     "0:ompi_binomial 512:ompi_in_order_binary 1024:ompi_binomial 8192:ompi_in_order_binary "
     "16384:ompi_binomial"},
    {"gather", "ompi", 3000, 1, "0:ompi_binomial"},
    {"scatter", "ompi", 3000, 1, "0:ompi_binomial 512:ompi_linear_nb"},
    {"allgather", "ompi", 3000, 1, "0:bruck 32:rdb 128:bruck 512:rdb 4096:ompi_neighborexchange"},
    {"allgatherv", "ompi", 3000, 1, "0:ompi_bruck 4096:ompi_neighborexchange"},
    {"alltoall", "ompi", 3000, 1, "0:bruck 1024:basic_linear"},
    {"alltoallv", "ompi", 3000, 1, "1:ompi_basic_linear"},
    {"bcast", "ompi", 3000, 1, "0:mvapich2_knomial_intra_node 262144:scatter_rdb_allgather"},
    {"barrier", "ompi", 3000, 1, "1:ompi_tree"},
    {"reducescatter", "ompi", 3000, 1,
     "0:reduce_scatterv 1:ompi_basic_recursivehalving 2:ompi_butterfly"},
    {"allreduce", "mpich", 5, 1, "0:mvapich2_two_level"},
    {"reduce", "mpich", 5, 1, "0:mvapich2_two_level"},
    {"gather", "mpich", 5, 1, "0:ompi_binomial"},
    {"scatter", "mpich", 5, 1, "0:ompi_binomial"},
    {"allgather", "mpich", 5, 1, "0:bruck 16385:ring"},
    {"allgatherv", "mpich", 5, 1, "1:ompi_bruck 16385:mpich_ring"},
    {"alltoall", "mpich", 5, 1, "0:mvapich2_scatter_dest 32768:pair"},
    {"alltoallv", "mpich", 5, 1, "1:bruck"},
    {"bcast", "mpich", 5, 1, "0:SMP_binomial"},
    {"barrier", "mpich", 5, 1, "1:ompi_bruck"},
    {"reducescatter", "mpich", 5, 1, "0:mpich_rdb 104858:mpich_pair"},
    {"allreduce", "mpich", 8, 1, "0:mvapich2_two_level"},
    {"reduce", "mpich", 8, 1, "0:mvapich2_two_level"},
    {"gather", "mpich", 8, 1, "0:ompi_binomial"},
    {"scatter", "mpich", 8, 1, "0:ompi_binomial"},
    {"allgather", "mpich", 8, 1, "0:rdb 65536:ring"},
    {"allgatherv", "mpich", 8, 1, "1:mpich_rdb 65536:mpich_ring"},
    {"alltoall", "mpich", 8, 1, "0:bruck 256:mvapich2_scatter_dest 32768:ring"},
    {"alltoallv", "mpich", 8, 1, "1:bruck"},
    {"bcast", "mpich", 8, 1, "0:SMP_binomial"},
    {"barrier", "mpich", 8, 1, "1:ompi_bruck"},
    {"reducescatter", "mpich", 8, 1, "0:mpich_rdb 65537:mpich_pair"},
    {"allreduce", "mpich", 12, 3, "0:mvapich2_two_level"},
    {"reduce", "mpich", 12, 3, "0:mvapich2_two_level"},
    {"gather", "mpich", 12, 3, "0:ompi_binomial"},
    {"scatter", "mpich", 12, 3, "0:ompi_binomial"},
    {"allgather", "mpich", 12, 3, "0:bruck 6827:ring"},
    {"allgatherv", "mpich", 12, 3, "1:ompi_bruck 6827:mpich_ring"},
    {"alltoall", "mpich", 12, 3, "0:bruck 256:mvapich2_scatter_dest 32768:ring"},
    {"alltoallv", "mpich", 12, 3, "1:bruck"},
    {"bcast", "mpich", 12, 3, "0:SMP_binomial"},
    {"barrier", "mpich", 12, 3, "1:ompi_bruck"},
    {"reducescatter", "mpich", 12, 3, "0:mpich_rdb 43691:mpich_pair"},
    {"allreduce", "mpich", 64, 2, "0:mvapich2_two_level"},
    {"reduce", "mpich", 64, 2, "0:mvapich2_two_level"},
    {"gather", "mpich", 64, 2, "0:ompi_binomial"},
    {"scatter", "mpich", 64, 2, "0:ompi_binomial"},
    {"allgather", "mpich", 64, 2, "0:rdb 8192:ring"},
    {"allgatherv", "mpich", 64, 2, "1:mpich_rdb 8192:mpich_ring"},
    {"alltoall", "mpich", 64, 2, "0:bruck 256:mvapich2_scatter_dest 32768:ring"},
    {"alltoallv", "mpich", 64, 2, "1:bruck"},
    {"bcast", "mpich", 64, 2, "0:SMP_binomial"},
    {"barrier", "mpich", 64, 2, "1:ompi_bruck"},
    {"reducescatter", "mpich", 64, 2, "0:mpich_rdb 8193:mpich_pair"},
    {"allreduce", "mvapich2", 2, 1, "1:mvapich2_two_level(rdb,reduce) 1025:mvapich2_rs"},
    {"reduce", "mvapich2", 2, 1,
     "1:mvapich2_two_level(mvapich2_knomial,ompi_basic_linear) "
     "65537:mvapich2_two_level(mvapich2_knomial,binomial) 262145:binomial 1048577:scatter_gather"},
    {"gather", "mvapich2", 2, 1, "0:ompi_basic_linear 524289:ompi_binomial"},
    {"scatter", "mvapich2", 2, 1, "0:ompi_binomial"},
    {"allgather", "mvapich2", 2, 1, "0:ring"},
    {"allgatherv", "mvapich2", 2, 1, "0:mpich_rdb 513:mpich_ring"},
    {"alltoall", "mvapich2", 2, 1, "0:pair"},
    {"alltoallv", "mvapich2", 2, 1, "1:ring"},
    {"bcast", "mvapich2", 2, 1,
     "1:mvapich2_inter_node(mpich,mpich)+binomial_tree "
     "8193:mvapich2_inter_node(binomial_tree,mpich)+binomial_tree "
     "16385:mvapich2_inter_node(mpich,mpich)+binomial_tree "
     "65537:mvapich2_inter_node(scatter_LR_allgather,mpich)+binomial_tree "
     "262145:mvapich2_inter_node(scatter_rdb_allgather,mpich)+binomial_tree "
     "524289:mvapich2_inter_node(scatter_LR_allgather,mpich)+binomial_tree"},
    {"barrier", "mvapich2", 2, 1, "1:mvapich2_pair"},
    {"reducescatter", "mvapich2", 2, 1,
     "0:reduce_scatterv 33:ompi_basic_recursivehalving 32769:mpich_pair"},
    {"allreduce", "mvapich2", 12, 1, "1:mvapich2_two_level(rdb,reduce) 1025:mvapich2_rs"},
    {"reduce", "mvapich2", 12, 1,
     "1:mvapich2_two_level(mvapich2_knomial,ompi_basic_linear) "
     "65537:mvapich2_two_level(mvapich2_knomial,binomial) 262145:binomial 1048577:scatter_gather"},
    {"gather", "mvapich2", 12, 1, "0:ompi_basic_linear 524289:ompi_binomial"},
    {"scatter", "mvapich2", 12, 1, "0:ompi_basic_linear"},
    {"allgather", "mvapich2", 12, 1, "0:rdb 131073:ring"},
    {"allgatherv", "mvapich2", 12, 1, "0:ompi_bruck 513:mpich_ring"},
    {"alltoall", "mvapich2", 12, 1, "0:rdb 65:bruck 513:mvapich2_scatter_dest"},
    {"alltoallv", "mvapich2", 12, 1, "1:ring"},
    {"bcast", "mvapich2", 12, 1,
     "1:mvapich2_inter_node(mpich,mpich)+binomial_tree "
     "8193:mvapich2_inter_node(binomial_tree,mpich)+binomial_tree "
     "16385:mvapich2_inter_node(mpich,mpich)+binomial_tree "
     "65537:mvapich2_inter_node(scatter_LR_allgather,mpich)+binomial_tree "
     "262145:mvapich2_inter_node(scatter_rdb_allgather,mpich)+binomial_tree "
     "524289:mvapich2_inter_node(scatter_LR_allgather,mpich)+binomial_tree"},
    {"barrier", "mvapich2", 12, 1, "1:mvapich2_pair"},
    {"reducescatter", "mvapich2", 12, 1,
     "0:reduce_scatterv 6:ompi_basic_recursivehalving 5462:mpich_pair"},
    {"allreduce", "mvapich2", 96, 1, "1:mvapich2_two_level(rdb,reduce) 16385:mvapich2_rs"},
    {"reduce", "mvapich2", 96, 1,
     "1:mvapich2_two_level(mvapich2_knomial,ompi_basic_linear) 8193:mvapich2_knomial "
     "16385:mvapich2_two_level(binomial,ompi_basic_linear) 65537:mvapich2_knomial "
     "262145:mvapich2_two_level(binomial,binomial) 1048577:scatter_gather"},
    {"gather", "mvapich2", 96, 1,
     "0:mvapich2_two_level(,mpich) 513:ompi_basic_linear 16385:mvapich2_two_level(,mpich)"},
    {"scatter", "mvapich2", 96, 1, "0:ompi_binomial 33:ompi_basic_linear"},
    {"allgather", "mvapich2", 96, 1, "0:rdb 32769:ring"},
    {"allgatherv", "mvapich2", 96, 1, "0:ompi_bruck 257:mpich_ring"},
    {"alltoall", "mvapich2", 96, 1, "0:rdb 9:bruck 1025:mvapich2_scatter_dest"},
    {"alltoallv", "mvapich2", 96, 1, "1:ring"},
    {"bcast", "mvapich2", 96, 1,
     "1:mvapich2_inter_node(mpich,mpich)+binomial_tree 524289:scatter_LR_allgather"},
    {"barrier", "mvapich2", 96, 1, "1:mvapich2_pair"},
    {"reducescatter", "mvapich2", 96, 1, "0:reduce_scatterv 2:ompi_basic_recursivehalving"},
    {"allreduce", "mvapich2", 600, 1,
     "1:mvapich2_two_level(rdb,reduce) 8193:mvapich2_two_level(mvapich2_rs,reduce) "
     "65537:mvapich2_rs"},
    {"reduce", "mvapich2", 600, 1,
     "1:mvapich2_two_level(mvapich2_knomial,ompi_basic_linear) 8193:mvapich2_knomial "
     "16385:mvapich2_two_level(binomial,ompi_basic_linear) "
     "65537:mvapich2_two_level(binomial,mvapich2_knomial) "
     "262145:mvapich2_two_level(binomial,binomial)"},
    {"gather", "mvapich2", 600, 1,
     "0:mvapich2_two_level(,mpich) 513:ompi_basic_linear 16385:mvapich2_two_level(,mpich)"},
    {"scatter", "mvapich2", 600, 1, "0:ompi_binomial 33:ompi_basic_linear"},
    {"allgather", "mvapich2", 600, 1, "0:rdb 32769:ring"},
    {"allgatherv", "mvapich2", 600, 1, "0:ompi_bruck 257:mpich_ring"},
    {"alltoall", "mvapich2", 600, 1, "0:rdb 9:bruck 1025:mvapich2_scatter_dest"},
    {"alltoallv", "mvapich2", 600, 1, "1:ring"},
    {"bcast", "mvapich2", 600, 1,
     "1:mvapich2_inter_node(mpich,mpich)+binomial_tree "
     "524289:mvapich2_inter_node(scatter_LR_allgather,mpich)+binomial_tree"},
    {"barrier", "mvapich2", 600, 1, "1:mvapich2_pair"},
    {"reducescatter", "mvapich2", 600, 1, "0:reduce_scatterv 1:ompi_basic_recursivehalving"},
    {"allreduce", "mvapich2", 8, 2, "1:mvapich2_two_level(rdb,reduce) 1025:mvapich2_rs"},
    {"reduce", "mvapich2", 8, 2,
     "1:mvapich2_two_level(mvapich2_knomial,ompi_basic_linear) "
     "65537:mvapich2_two_level(mvapich2_knomial,binomial) 262145:binomial 1048577:scatter_gather"},
    {"gather", "mvapich2", 8, 2, "0:ompi_basic_linear 524289:ompi_binomial"},
    {"scatter", "mvapich2", 8, 2,
     "0:mvapich2_two_level_direct(,ompi_binomial) 513:ompi_basic_linear"},
    {"allgather", "mvapich2", 8, 2, "0:rdb 32769:mvapich2_smp"},
    {"allgatherv", "mvapich2", 8, 2, "0:mpich_rdb 513:mpich_ring"},
    {"alltoall", "mvapich2", 8, 2, "0:rdb 9:mvapich2_scatter_dest"},
    {"alltoallv", "mvapich2", 8, 2, "1:ring"},
    {"bcast", "mvapich2", 8, 2,
     "1:mvapich2_inter_node(mpich,mpich)+binomial_tree "
     "8193:mvapich2_inter_node(binomial_tree,mpich)+binomial_tree "
     "16385:mvapich2_inter_node(mpich,mpich)+binomial_tree "
     "65537:mvapich2_inter_node(scatter_LR_allgather,mpich)+binomial_tree "
     "262145:mvapich2_inter_node(scatter_rdb_allgather,mpich)+binomial_tree "
     "524289:mvapich2_inter_node(scatter_LR_allgather,mpich)+binomial_tree"},
    {"barrier", "mvapich2", 8, 2, "1:mvapich2_pair"},
    {"reducescatter", "mvapich2", 8, 2,
     "0:reduce_scatterv 9:ompi_basic_recursivehalving 8193:mpich_pair"},
    {"allreduce", "mvapich2", 128, 2, "1:mvapich2_two_level(rdb,reduce) 16385:mvapich2_rs"},
    {"reduce", "mvapich2", 128, 2,
     "1:mvapich2_two_level(mvapich2_knomial,ompi_basic_linear) 8193:mvapich2_knomial "
     "16385:mvapich2_two_level(binomial,ompi_basic_linear) 65537:mvapich2_knomial "
     "262145:mvapich2_two_level(binomial,binomial) 1048577:scatter_gather"},
    {"gather", "mvapich2", 128, 2,
     "0:mvapich2_two_level(,mpich) 513:ompi_basic_linear 16385:mvapich2_two_level(,mpich)"},
    {"scatter", "mvapich2", 128, 2,
     "0:ompi_binomial 17:mvapich2_two_level_binomial(,ompi_basic_linear) "
     "129:mvapich2_two_level_direct(,ompi_basic_linear) 16385:ompi_basic_linear"},
    {"allgather", "mvapich2", 128, 2, "0:mvapich2_smp"},
    {"allgatherv", "mvapich2", 128, 2, "0:mpich_rdb 257:mpich_ring"},
    {"alltoall", "mvapich2", 128, 2, "0:rdb 9:bruck 1025:mvapich2_scatter_dest"},
    {"alltoallv", "mvapich2", 128, 2, "1:ring"},
    {"bcast", "mvapich2", 128, 2,
     "1:mvapich2_inter_node(mpich,mpich)+binomial_tree 524289:scatter_LR_allgather"},
    {"barrier", "mvapich2", 128, 2, "1:mvapich2_pair"},
    {"reducescatter", "mvapich2", 128, 2, "0:reduce_scatterv 2:ompi_basic_recursivehalving"},
    {"allreduce", "mvapich2", 64, 16, "1:mvapich2_two_level(rdb,reduce) 16385:mvapich2_rs"},
    {"reduce", "mvapich2", 64, 16,
     "1:mvapich2_two_level(mvapich2_knomial,ompi_basic_linear) "
     "8193:mvapich2_two_level(mvapich2_knomial,mvapich2_knomial) "
     "16385:mvapich2_two_level(binomial,ompi_basic_linear) "
     "65537:mvapich2_two_level(mvapich2_knomial,mvapich2_knomial) 262145:scatter_gather"},
    {"gather", "mvapich2", 64, 16,
     "0:mvapich2_two_level(,mpich) 257:ompi_basic_linear 16385:mvapich2_two_level(,mpich)"},
    {"scatter", "mvapich2", 64, 16,
     "0:mvapich2_two_level_direct(,ompi_basic_linear) 1025:ompi_basic_linear"},
    {"allgather", "mvapich2", 64, 16, "0:rdb 1025:ring"},
    {"allgatherv", "mvapich2", 64, 16, "0:mpich_rdb 257:mpich_ring"},
    {"alltoall", "mvapich2", 64, 16, "0:rdb 9:bruck 1025:mvapich2_scatter_dest"},
    {"alltoallv", "mvapich2", 64, 16, "1:ring"},
    {"bcast", "mvapich2", 64, 16,
     "1:mvapich2_inter_node(mpich,mpich)+binomial_tree "
     "12288:mvapich2_inter_node(mpich,mpich)+scatter_rdb_allgather "
     "524288:mvapich2_inter_node(mpich,mpich)+scatter_LR_allgather"},
    {"barrier", "mvapich2", 64, 16, "1:mvapich2_pair"},
    {"reducescatter", "mvapich2", 64, 16,
     "0:reduce_scatterv 17:ompi_basic_recursivehalving 4097:mpich_pair"},
    {"allreduce", "mvapich2", 1024, 16,
     "1:mvapich2_two_level(rdb,reduce) 8193:mvapich2_two_level(mvapich2_rs,reduce) "
     "65537:mvapich2_rs"},
    {"reduce", "mvapich2", 1024, 16,
     "1:mvapich2_two_level(mvapich2_knomial,ompi_basic_linear) 8193:mvapich2_knomial "
     "16385:mvapich2_two_level(binomial,ompi_basic_linear) "
     "65537:mvapich2_two_level(binomial,mvapich2_knomial) "
     "262145:mvapich2_two_level(binomial,binomial)"},
    {"gather", "mvapich2", 1024, 16,
     "0:mvapich2_two_level(,mpich) 513:ompi_basic_linear 16385:mvapich2_two_level(,mpich)"},
    {"scatter", "mvapich2", 1024, 16,
     "0:ompi_binomial 33:mvapich2_two_level_direct(,ompi_binomial) 4097:ompi_basic_linear"},
    {"allgather", "mvapich2", 1024, 16, "0:rdb 1025:ring"},
    {"allgatherv", "mvapich2", 1024, 16, "0:mpich_rdb 257:mpich_ring"},
    {"alltoall", "mvapich2", 1024, 16, "0:rdb 9:bruck 1025:mvapich2_scatter_dest"},
    {"alltoallv", "mvapich2", 1024, 16, "1:ring"},
    {"bcast", "mvapich2", 1024, 16,
     "1:mvapich2_inter_node(mpich,mpich)+binomial_tree "
     "12288:mvapich2_inter_node(mpich,mpich)+scatter_rdb_allgather "
     "524288:mvapich2_inter_node(mpich,mpich)+scatter_LR_allgather "
     "524289:mvapich2_inter_node(scatter_LR_allgather,mpich)+scatter_LR_allgather"},
    {"barrier", "mvapich2", 1024, 16, "1:mvapich2_pair"},
    {"reducescatter", "mvapich2", 1024, 16, "0:reduce_scatterv 1:ompi_basic_recursivehalving"},
    {"allreduce", "impi", 3, 1,
     "1:ompi_ring_segmented 16:rdb 47:ompi_ring_segmented 2062:rdb 16699:ompi_ring_segmented "
     "70732:redbcast 1300705:ompi_ring_segmented"},
    {"reduce", "impi", 3, 1,
     "1:mvapich2_two_level(mvapich2_knomial,ompi_basic_linear) "
     "65537:mvapich2_two_level(mvapich2_knomial,binomial) 262145:binomial 1048577:scatter_gather"},
    {"gather", "impi", 3, 1,
     "1:ompi_basic_linear 17561:ompi_binomial 44791:ompi_basic_linear 524289:ompi_binomial"},
    {"scatter", "impi", 3, 1,
     "1:ompi_basic_linear 16723:ompi_binomial 153541:ompi_basic_linear 425631:ompi_binomial "
     "794142:ompi_basic_linear 1257027:ompi_binomial"},
    {"allgather", "impi", 3, 1,
     "1:rdb 384:GB 1533:rdb 3296:GB 10763:ring 31816:GB 193343:ring 405857:GB 597626:ring "
     "1844323:GB"},
    {"allgatherv", "impi", 3, 1, "1:GB 2:mpich_rdb 16:ompi_bruck 864:ring 392420:GB 922412:ring"},
    {"alltoall", "impi", 3, 1, "1:mvapich2_scatter_dest"},
    {"alltoallv", "impi", 3, 1, "1:ompi_basic_linear"},
    {"bcast", "impi", 3, 1,
     "1:mvapich2_inter_node(mpich,mpich)+binomial_tree "
     "8193:mvapich2_inter_node(binomial_tree,mpich)+binomial_tree "
     "16385:mvapich2_inter_node(mpich,mpich)+binomial_tree "
     "65537:mvapich2_inter_node(scatter_LR_allgather,mpich)+binomial_tree "
     "262145:mvapich2_inter_node(scatter_rdb_allgather,mpich)+binomial_tree "
     "524289:mvapich2_inter_node(scatter_LR_allgather,mpich)+binomial_tree"},
    {"barrier", "impi", 3, 1, "1:ompi_basic_linear"},
    {"reducescatter", "impi", 3, 1,
     "1:reduce_scatterv 2:ompi_basic_recursivehalving 5:mpich_rdb 40:ompi_basic_recursivehalving "
     "217:mpich_rdb 4063:ompi_basic_recursivehalving 11297:mpich_pair 190706:reduce_scatterv "
     "470068:mpich_pair"},
    {"allreduce", "impi", 12, 1,
     "1:rdb 934:mvapich2_two_level 1160:rdb 15505:rab1 52730:ompi_ring_segmented 563680:redbcast"},
    {"reduce", "impi", 12, 1,
     "1:mvapich2_two_level(mvapich2_knomial,ompi_basic_linear) "
     "65537:mvapich2_two_level(mvapich2_knomial,binomial) 262145:binomial 1048577:scatter_gather"},
    {"gather", "impi", 12, 1,
     "1:ompi_basic_linear 16932:ompi_binomial 84425:ompi_basic_linear 158363:ompi_binomial"},
    {"scatter", "impi", 12, 1,
     "1:ompi_basic_linear 2043:ompi_binomial 2252:ompi_basic_linear 17749:ompi_binomial "
     "106020:ompi_basic_linear 628654:ompi_binomial 3751354:ompi_basic_linear"},
    {"allgather", "impi", 12, 1, "1:GB 3:rdb 53:GB 100:rdb 170:GB 6077:rdb 127644:GB 143741:ring"},
    {"allgatherv", "impi", 12, 1, "1:mpich_rdb 4:ompi_bruck 216:ring 98105:GB 230603:ring"},
    {"alltoall", "impi", 12, 1, "1:mvapich2_scatter_dest 84645:pair 167570:mvapich2_scatter_dest"},
    {"alltoallv", "impi", 12, 1, "1:ompi_basic_linear"},
    {"bcast", "impi", 12, 1,
     "1:mvapich2_inter_node(mpich,mpich)+binomial_tree "
     "8193:mvapich2_inter_node(binomial_tree,mpich)+binomial_tree "
     "16385:mvapich2_inter_node(mpich,mpich)+binomial_tree "
     "65537:mvapich2_inter_node(scatter_LR_allgather,mpich)+binomial_tree "
     "262145:mvapich2_inter_node(scatter_rdb_allgather,mpich)+binomial_tree "
     "524289:mvapich2_inter_node(scatter_LR_allgather,mpich)+binomial_tree"},
    {"barrier", "impi", 12, 1, "1:ompi_recursivedoubling"},
    {"reducescatter", "impi", 12, 1,
     "1:ompi_basic_recursivehalving 1186:mpich_rdb 3841:mpich_pair 43512:reduce_scatterv"},
    {"allreduce", "impi", 40, 1,
     "1:mvapich2_two_level 11:rdb 182:mvapich2_two_level 1450:rdb 11146:mvapich2_two_level "
     "93784:rab1 817658:redbcast"},
    {"reduce", "impi", 40, 1,
     "1:mvapich2_two_level(mvapich2_knomial,ompi_basic_linear) "
     "8193:mvapich2_two_level(mvapich2_knomial,mvapich2_knomial) "
     "16385:mvapich2_two_level(binomial,ompi_basic_linear) "
     "65537:mvapich2_two_level(mvapich2_knomial,mvapich2_knomial) 262145:scatter_gather"},
    {"gather", "impi", 40, 1,
     "1:mvapich2_two_level(,mpich) 257:ompi_basic_linear 16385:mvapich2_two_level(,mpich) "
     "47187:ompi_binomial 349696:mvapich2_two_level(,mpich)"},
    {"scatter", "impi", 40, 1,
     "1:ompi_binomial 33:ompi_basic_linear 65907:ompi_binomial 245132:ompi_basic_linear "
     "1042439:ompi_binomial"},
    {"allgather", "impi", 40, 1,
     "1:rdb 184:GB 320:rdb 759:GB 1219:rdb 2633:GB 8259:rdb 123678:GB 160801:rdb 284341:GB"},
    {"allgatherv", "impi", 40, 1, "1:mpich_rdb 2:ompi_bruck 65:ring 29432:GB 69181:ring"},
    {"alltoall", "impi", 40, 1, "1:bruck 523:mvapich2_scatter_dest"},
    {"alltoallv", "impi", 40, 1, "1:ompi_basic_linear"},
    {"bcast", "impi", 40, 1, "1:mvapich2_inter_node(mpich,mpich)+binomial_tree"},
    {"barrier", "impi", 40, 1, "1:ompi_recursivedoubling"},
    {"reducescatter", "impi", 40, 1, "1:ompi_basic_recursivehalving 2510:mpich_pair"},
    {"allreduce", "impi", 16, 2,
     "1:rdb 16405:rab1 81784:ompi_ring_segmented 807546:rab1 1259854:redbcast"},
    {"reduce", "impi", 16, 2,
     "1:mvapich2_two_level(mvapich2_knomial,ompi_basic_linear) "
     "65537:mvapich2_two_level(mvapich2_knomial,binomial) 262145:binomial 1048577:scatter_gather"},
    {"gather", "impi", 16, 2, "1:ompi_basic_linear 524289:ompi_binomial"},
    {"scatter", "impi", 16, 2,
     "1:mvapich2_two_level_direct(,ompi_binomial) 2049:ompi_basic_linear"},
    {"allgather", "impi", 16, 2, "1:rdb 1005:bruck 1042:rdb 2059:ring"},
    {"allgatherv", "impi", 16, 2, "1:mpich_rdb 135:ring"},
    {"alltoall", "impi", 16, 2, "1:mvapich2_scatter_dest 40048:pair 155927:mvapich2_scatter_dest"},
    {"alltoallv", "impi", 16, 2, "1:ompi_basic_linear"},
    {"bcast", "impi", 16, 2,
     "1:mvapich2_inter_node(mpich,mpich)+binomial_tree 158:binomial_tree "
     "16955:mvapich2_inter_node(mpich,mpich)+binomial_tree "
     "65537:mvapich2_inter_node(scatter_LR_allgather,mpich)+binomial_tree "
     "262145:mvapich2_inter_node(scatter_rdb_allgather,mpich)+binomial_tree "
     "524289:mvapich2_inter_node(scatter_LR_allgather,mpich)+binomial_tree"},
    {"barrier", "impi", 16, 2, "1:ompi_recursivedoubling"},
    {"reducescatter", "impi", 16, 2, "1:ompi_basic_recursivehalving"},
    {"allreduce", "impi", 64, 4, "1:rdb 528:rab1 221277:ompi_ring_segmented 1440737:redbcast"},
    {"reduce", "impi", 64, 4,
     "1:mvapich2_two_level(mvapich2_knomial,ompi_basic_linear) "
     "8193:mvapich2_two_level(mvapich2_knomial,mvapich2_knomial) "
     "16385:mvapich2_two_level(binomial,ompi_basic_linear) "
     "65537:mvapich2_two_level(mvapich2_knomial,mvapich2_knomial) 262145:scatter_gather"},
    {"gather", "impi", 64, 4,
     "1:mvapich2_two_level(,mpich) 257:ompi_basic_linear 16385:mvapich2_two_level(,mpich)"},
    {"scatter", "impi", 64, 4, "1:ompi_binomial 149:ompi_basic_linear"},
    {"allgather", "impi", 64, 4, "1:rdb 605:ring"},
    {"allgatherv", "impi", 64, 4, "1:mpich_rdb 9:ring"},
    {"alltoall", "impi", 64, 4,
     "1:bruck 7:rdb 9:bruck 1025:mvapich2_scatter_dest 20026:pair 32768:mvapich2_scatter_dest "
     "221643:pair"},
    {"alltoallv", "impi", 64, 4, "1:ompi_basic_linear"},
    {"bcast", "impi", 64, 4, "1:mvapich2_inter_node(mpich,mpich)+binomial_tree"},
    {"barrier", "impi", 64, 4, "1:ompi_recursivedoubling"},
    {"reducescatter", "impi", 64, 4,
     "1:ompi_basic_recursivehalving 10:mpich_rdb 3171:reduce_scatterv 21717:mpich_pair"},
    {"allreduce", "impi", 128, 8, "1:rdb 7:smp_binomial 751:rab1 408808:ompi_ring_segmented"},
    {"reduce", "impi", 128, 8,
     "1:mvapich2_two_level(mvapich2_knomial,ompi_basic_linear) 8193:mvapich2_knomial "
     "16385:mvapich2_two_level(binomial,ompi_basic_linear) 65537:mvapich2_knomial "
     "262145:mvapich2_two_level(binomial,binomial) 1048577:scatter_gather"},
    {"gather", "impi", 128, 8,
     "1:mvapich2_two_level(,mpich) 160:ompi_binomial 655:ompi_basic_linear "
     "16385:mvapich2_two_level(,mpich)"},
    {"scatter", "impi", 128, 8, "1:ompi_binomial 796:ompi_basic_linear"},
    {"allgather", "impi", 128, 8, "1:rdb 305:ring"},
    {"allgatherv", "impi", 128, 8, "1:ompi_bruck 2:mpich_rdb 3:GB 9:ring"},
    {"alltoall", "impi", 128, 8,
     "1:bruck 1025:mvapich2_scatter_dest 3679:pair 64367:mvapich2_scatter_dest 146595:pair"},
    {"alltoallv", "impi", 128, 8, "1:bruck"},
    {"bcast", "impi", 128, 8,
     "1:mvapich2_inter_node(mpich,mpich)+binomial_tree 524289:scatter_LR_allgather"},
    {"barrier", "impi", 128, 8, "1:ompi_recursivedoubling"},
    {"reducescatter", "impi", 128, 8,
     "1:ompi_basic_recursivehalving 5:mpich_rdb 3812:reduce_scatterv"},
    {"allreduce", "impi", 64, 16,
     "1:smp_binomial 1018:mvapich2_two_level 1217:smp_binomial 2370:rab1 "
     "160654:ompi_ring_segmented 1885487:redbcast"},
    {"reduce", "impi", 64, 16,
     "1:mvapich2_two_level(mvapich2_knomial,ompi_basic_linear) "
     "8193:mvapich2_two_level(mvapich2_knomial,mvapich2_knomial) "
     "16385:mvapich2_two_level(binomial,ompi_basic_linear) "
     "65537:mvapich2_two_level(mvapich2_knomial,mvapich2_knomial) 262145:scatter_gather"},
    {"gather", "impi", 64, 16,
     "1:mvapich2_two_level(,mpich) 257:ompi_basic_linear 16385:mvapich2_two_level(,mpich)"},
    {"scatter", "impi", 64, 16,
     "1:ompi_binomial 149:mvapich2_two_level_direct(,ompi_basic_linear) 1025:ompi_basic_linear"},
    {"allgather", "impi", 64, 16, "1:rdb 605:ring"},
    {"allgatherv", "impi", 64, 16, "1:mpich_rdb 9:ring"},
    {"alltoall", "impi", 64, 16,
     "1:bruck 1025:mvapich2_scatter_dest 2753:pair 6496:mvapich2_scatter_dest 20402:pair "
     "36246:mvapich2_scatter_dest 93229:pair"},
    {"alltoallv", "impi", 64, 16, "1:ompi_basic_linear"},
    {"bcast", "impi", 64, 16,
     "1:mvapich2_inter_node(mpich,mpich)+binomial_tree "
     "12288:mvapich2_inter_node(mpich,mpich)+scatter_rdb_allgather "
     "524288:mvapich2_inter_node(mpich,mpich)+scatter_LR_allgather"},
    {"barrier", "impi", 64, 16, "1:ompi_recursivedoubling"},
    {"reducescatter", "impi", 64, 16,
     "1:ompi_basic_recursivehalving 10:mpich_rdb 3171:reduce_scatterv 21717:mpich_pair"},
};

static enum action_kind kind_of(const char *name)
{
  enum action_kind kind;
  struct err e;
  assert_int_equal(collective_kind(&kind, name, strlen(name), &e), OK);
  return kind;
}

static size_t row_of(enum action_kind kind, const char *name)
{
  size_t i = 0;
  while (strcmp(collective_algorithm(kind, i)->name, name) != 0)
    i++;
  return i;
}

static void assert_pick(size_t c, uint32_t bytes, const char *expected)
{
  const enum action_kind kind = kind_of(CASES[c].collective);
  const struct picked_call call = {
      .ranks = CASES[c].ranks, .per_host = CASES[c].per_host, .bytes = bytes};
  char name[256];
  struct err e;
  assert_int_equal(picked_name(name, sizeof name, kind, row_of(kind, CASES[c].library), &call, &e),
                   OK);
  if (strcmp(name, expected) != 0)
    fail_msg("%s=%s, %u ranks, %u a host, %u bytes: %s, not %s", CASES[c].collective,
             CASES[c].library, CASES[c].ranks, CASES[c].per_host, bytes, name, expected);
}

/* Splits "BYTES:NAME" in place. */
static char *name_of(char *step, uint64_t *from)
{
  char *colon = strchr(step, ':');
  struct err e;
  *colon = '\0';
  assert_int_equal(num_u64(step, UINT32_MAX, from, &e), OK);
  return colon + 1;
}

static void each_step_of_the_tables_agrees_with_smpi(void **state)
{
  (void)state;
  for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
    char *steps = strdup(CASES[c].steps), *rest = steps, *step;
    const char *before = NULL;
    while ((step = strsep(&rest, " ")) != NULL) {
      uint64_t from;
      const char *name = name_of(step, &from);
      assert_pick(c, (uint32_t)from, name);
      if (before != NULL)
        assert_pick(c, (uint32_t)from - 1, before);
      before = name;
    }
    free(steps);
  }
}

static const char *chosen(const struct collectives *c, const char *collective)
{
  const enum action_kind kind = kind_of(collective);
  return collective_algorithm(kind, c->algorithm[kind - ACTION_BARRIER])->name;
}

static void named_algorithms_have_precedence_over_a_library(void **state)
{
  (void)state;
  struct collectives before = {.named = 0}, after = {.named = 0};
  struct err e;
  assert_int_equal(collectives_set(&before, "allreduce=rdb", &e), OK);
  assert_int_equal(collectives_set(&before, "bcast=default", &e), OK);
  assert_int_equal(collectives_select(&before, "mpich", &e), OK);
  assert_int_equal(collectives_select(&after, "ompi", &e), OK);
  assert_int_equal(collectives_select(&after, "mpich", &e), OK);
  assert_int_equal(collectives_set(&after, "bcast=default", &e), OK);
  assert_int_equal(collectives_set(&after, "allreduce=rdb", &e), OK);
  assert_memory_equal(&before, &after, sizeof before);
  assert_string_equal(chosen(&after, "allreduce"), "rdb");
  assert_string_equal(chosen(&after, "bcast"), "default");
  assert_string_equal(chosen(&after, "reduce"), "mpich");
  assert_string_equal(chosen(&after, "gatherv"), "default");
  assert_int_equal(collectives_select(&after, "default", &e), OK);
  assert_string_equal(chosen(&after, "reduce"), "default");
  assert_string_equal(chosen(&after, "allreduce"), "rdb");
}

static void other_names_are_refused(void **state)
{
  (void)state;
  struct collectives c = {.named = 0};
  struct err e;
  assert_int_equal(collectives_select(&c, "openmpi", &e), FAIL);
  assert_string_equal(e.text, "'openmpi' is none of default, ompi, mpich, mvapich2, impi");
  assert_int_equal(collectives_select(&c, "automatic", &e), FAIL);
  assert_non_null(strstr(e.text, "runs all algorithms at each call"));
  assert_int_equal(collectives_set(&c, "bcast=automatic", &e), FAIL);
  assert_non_null(strstr(e.text, "runs all algorithms at each call"));
  for (int k = 0; k < COLLECTIVE_KINDS; k++)
    assert_int_equal(c.algorithm[k], 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_step_of_the_tables_agrees_with_smpi),
      cmocka_unit_test(named_algorithms_have_precedence_over_a_library),
      cmocka_unit_test(other_names_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
