/* Intel MPI's choices on the Stampede cluster: SimGrid 3.32,
 * src/smpi/colls/smpi_intel_mpi_selector.cpp.  Each selector first finds which ranks share a
 * host. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/selectors/selector.h"

/* Intel MPI's thresholds.  A row applies up to its ranks and below its bytes.  Its pick is the
 * number of an algorithm in Intel's reference (I_MPI_ADJUST_COLLECTIVE). */

/* Number of tables: for 1, 2, 4, 8 and 16 ranks per node. */
#define IMPI_TABLES 5

/* The tables of one collective. */
typedef const struct selector_row *const impi_tables[IMPI_TABLES];

#define ANY SELECTOR_ANY

static const struct selector_row ALLREDUCE_1[] = {
    {2, 6, 7},       {2, 85, 1},       {2, 192, 7},     {2, 853, 1},     {2, 1279, 7},
    {2, 16684, 1},   {2, 34279, 8},    {2, 1681224, 3}, {2, ANY, 7},     {4, 16, 7},
    {4, 47, 1},      {4, 2062, 7},     {4, 16699, 1},   {4, 33627, 7},   {4, 70732, 8},
    {4, 1300705, 3}, {4, ANY, 8},      {8, 118, 1},     {8, 146, 4},     {8, 16760, 1},
    {8, 36364, 6},   {8, 136239, 8},   {8, 315710, 7},  {8, 3220366, 3}, {8, ANY, 8},
    {16, 934, 1},    {16, 1160, 6},    {16, 15505, 1},  {16, 52730, 2},  {16, 300705, 8},
    {16, 563680, 7}, {16, ANY, 3},     {ANY, 5, 6},     {ANY, 11, 4},    {ANY, 182, 1},
    {ANY, 700, 6},   {ANY, 1450, 4},   {ANY, 11146, 1}, {ANY, 25539, 6}, {ANY, 37634, 4},
    {ANY, 93784, 6}, {ANY, 817658, 2}, {ANY, ANY, 3}};
static const struct selector_row ALLREDUCE_2[] = {
    {4, 2084, 7},      {4, 15216, 1},     {4, 99715, 7},     {4, 168666, 3}, {4, 363889, 2},
    {4, ANY, 7},       {8, 14978, 1},     {8, 66879, 2},     {8, 179296, 8}, {8, 304801, 3},
    {8, 704509, 7},    {8, ANY, 2},       {16, 16405, 1},    {16, 81784, 2}, {16, 346385, 8},
    {16, 807546, 7},   {16, 1259854, 2},  {16, ANY, 3},      {32, 8913, 1},  {32, 103578, 2},
    {32, 615876, 8},   {32, ANY, 2},      {64, 1000, 1},     {64, 2249, 2},  {64, 6029, 1},
    {64, 325357, 2},   {64, 1470976, 8},  {64, 2556670, 7},  {64, ANY, 3},   {128, 664, 1},
    {128, 754706, 2},  {128, 1663862, 4}, {128, 3269097, 2}, {128, ANY, 7},  {ANY, 789, 1},
    {ANY, 2247589, 2}, {ANY, ANY, 8}};
static const struct selector_row ALLREDUCE_4[] = {
    {4, 5738, 1},    {4, 197433, 2},   {4, 593742, 7},   {4, ANY, 2},       {8, 5655, 1},
    {8, 75166, 2},   {8, 177639, 8},   {8, 988014, 3},   {8, 1643869, 2},   {8, 2494859, 8},
    {8, ANY, 2},     {16, 587, 1},     {16, 3941, 2},    {16, 9003, 1},     {16, 101469, 2},
    {16, 355768, 8}, {16, 3341814, 3}, {16, ANY, 8},     {32, 795, 1},      {32, 146567, 2},
    {32, 732118, 8}, {32, ANY, 3},     {64, 528, 1},     {64, 221277, 2},   {64, 1440737, 8},
    {64, ANY, 3},    {128, 481, 1},    {128, 593833, 2}, {128, 2962021, 8}, {128, ANY, 7},
    {256, 584, 1},   {256, ANY, 2},    {ANY, 604, 1},    {ANY, 2997006, 2}, {ANY, ANY, 8}};
static const struct selector_row ALLREDUCE_8[] = {
    {8, 2560, 1},      {8, 114230, 6},    {8, 288510, 8},    {8, 664038, 2},  {8, 1339913, 6},
    {8, ANY, 4},       {16, 497, 1},      {16, 54201, 2},    {16, 356217, 8}, {16, 3413609, 3},
    {16, ANY, 8},      {32, 377, 1},      {32, 109745, 2},   {32, 716514, 8}, {32, 3976768, 3},
    {32, ANY, 8},      {64, 109, 1},      {64, 649, 5},      {64, 266080, 2}, {64, 1493331, 8},
    {64, 2541403, 7},  {64, ANY, 3},      {128, 7, 1},       {128, 751, 5},   {128, 408808, 2},
    {128, ANY, 8},     {256, 828, 5},     {256, 909676, 2},  {256, ANY, 8},   {512, 847, 5},
    {512, 1007066, 2}, {512, 1068775, 4}, {512, 2803389, 2}, {512, ANY, 8},   {ANY, 1974, 5},
    {ANY, 4007876, 2}, {ANY, ANY, 8}};
static const struct selector_row ALLREDUCE_16[] = {
    {16, 409, 1},     {16, 768, 6},     {16, 1365, 4},     {16, 3071, 6},     {16, 11299, 2},
    {16, 21746, 6},   {16, 55629, 2},   {16, 86065, 4},    {16, 153867, 2},   {16, 590560, 6},
    {16, 1448760, 2}, {16, ANY, 8},     {32, 6, 1},        {32, 24, 5},       {32, 86, 1},
    {32, 875, 5},     {32, 74528, 2},   {32, 813050, 8},   {32, 1725981, 7},  {32, ANY, 8},
    {64, 1018, 5},    {64, 1217, 6},    {64, 2370, 5},     {64, 160654, 2},   {64, 1885487, 8},
    {64, ANY, 3},     {128, 2291, 5},   {128, 434465, 2},  {128, 3525103, 8}, {128, ANY, 7},
    {256, 2189, 5},   {256, 713154, 2}, {256, ANY, 8},     {512, 2140, 5},    {512, 1235056, 2},
    {512, ANY, 8},    {ANY, 2153, 5},   {ANY, 2629855, 2}, {ANY, ANY, 8}};
static impi_tables impi_allreduce_tables = {ALLREDUCE_1, ALLREDUCE_2, ALLREDUCE_4, ALLREDUCE_8,
                                            ALLREDUCE_16};

static const struct selector_row ALLTOALL_1[] = {
    {2, ANY, 3},     {4, 0, 4},       {4, ANY, 2},   {8, ANY, 2},  {16, 0, 3},      {16, 84645, 2},
    {16, 167570, 3}, {16, 413152, 4}, {16, ANY, 2},  {32, 61, 1},  {32, 164, 2},    {32, 696, 1},
    {32, 143254, 2}, {32, 387024, 3}, {32, ANY, 2},  {64, 523, 1}, {64, 146088, 2}, {64, 488989, 4},
    {64, ANY, 2},    {ANY, 270, 1},   {ANY, 628, 4}, {ANY, ANY, 2}};
static const struct selector_row ALLTOALL_2[] = {
    {4, 1, 2},      {4, 75, 3},      {4, ANY, 2},     {8, 709, 1},     {8, ANY, 2},
    {16, 40048, 2}, {16, 155927, 3}, {16, ANY, 4},    {32, 105, 1},    {32, 130, 2},
    {32, 1030, 1},  {32, 131072, 2}, {32, 271838, 3}, {32, ANY, 2},    {ANY, 521, 1},
    {ANY, 2032, 4}, {ANY, 2412, 2},  {ANY, 4112, 4},  {ANY, 61620, 2}, {ANY, 427408, 3},
    {ANY, ANY, 4}};
static const struct selector_row ALLTOALL_4[] = {
    {8, 512, 1},     {8, ANY, 2},     {64, 7, 1},       {64, 199, 4}, {64, 764, 1},  {64, 6409, 4},
    {64, 20026, 2},  {64, 32768, 3},  {64, 221643, 4},  {64, ANY, 3}, {ANY, 262, 1}, {ANY, 7592, 4},
    {ANY, 22871, 2}, {ANY, 47538, 3}, {ANY, 101559, 4}, {ANY, ANY, 3}};
static const struct selector_row ALLTOALL_8[] = {
    {16, 973, 1},    {16, 5126, 4},    {16, 16898, 2}, {16, 65456, 4}, {16, ANY, 2},
    {32, 874, 1},    {32, 6727, 4},    {32, 17912, 2}, {32, 41513, 3}, {32, 199604, 4},
    {32, ANY, 3},    {64, 5, 1},       {64, 114, 4},   {64, 552, 1},   {64, 8130, 4},
    {64, 34486, 3},  {64, 160113, 4},  {64, ANY, 3},   {128, 270, 1},  {128, 3679, 4},
    {128, 64367, 3}, {128, 146595, 4}, {128, ANY, 3},  {ANY, 133, 1},  {ANY, 4017, 4},
    {ANY, 32768, 3}, {ANY, 76351, 4},  {ANY, ANY, 3}};
static const struct selector_row ALLTOALL_16[] = {
    {32, 963, 1},    {32, 1818, 4},   {32, 20007, 2},   {32, 54296, 4},  {32, 169735, 3},
    {32, ANY, 2},    {64, 17, 1},     {64, 42, 4},      {64, 592, 1},    {64, 2015, 4},
    {64, 2753, 2},   {64, 6496, 3},   {64, 20402, 4},   {64, 36246, 3},  {64, 93229, 4},
    {64, ANY, 3},    {128, 18, 1},    {128, 40, 4},     {128, 287, 1},   {128, 1308, 4},
    {128, 6842, 1},  {128, 36986, 3}, {128, 129081, 4}, {128, ANY, 3},   {256, 135, 1},
    {256, 1538, 4},  {256, 3267, 1},  {256, 4132, 3},   {256, 31469, 4}, {256, ANY, 3},
    {ANY, 66, 1},    {ANY, 1637, 4},  {ANY, 2626, 1},   {ANY, 4842, 4},  {ANY, 33963, 3},
    {ANY, 72978, 4}, {ANY, ANY, 3}};
static impi_tables impi_alltoall_tables = {ALLTOALL_1, ALLTOALL_2, ALLTOALL_4, ALLTOALL_8,
                                           ALLTOALL_16};

static const struct selector_row ALLTOALLV_1[] = {{ANY, ANY, 1}};
static const struct selector_row ALLTOALLV_4[] = {{8, ANY, 1}, {ANY, 4, 1}, {ANY, ANY, 2}};
static const struct selector_row ALLTOALLV_8[] = {{16, ANY, 1}, {ANY, 0, 1}, {ANY, ANY, 2}};
static impi_tables impi_alltoallv_tables = {ALLTOALLV_1, ALLTOALLV_1, ALLTOALLV_4, ALLTOALLV_8,
                                            ALLTOALLV_4};

static const struct selector_row BARRIER_1[] = {
    {2, ANY, 2}, {4, ANY, 6}, {8, ANY, 1}, {64, ANY, 2}, {ANY, ANY, 6}};
static const struct selector_row BARRIER_2[] = {{2, ANY, 1},  {4, ANY, 3},   {8, ANY, 5},
                                                {32, ANY, 2}, {128, ANY, 3}, {ANY, ANY, 4}};
static const struct selector_row BARRIER_4[] = {
    {4, ANY, 2}, {8, ANY, 5}, {32, ANY, 2}, {ANY, ANY, 4}};
static const struct selector_row BARRIER_8[] = {{8, ANY, 1}, {32, ANY, 2}, {ANY, ANY, 4}};
static impi_tables impi_barrier_tables = {BARRIER_1, BARRIER_2, BARRIER_4, BARRIER_8, BARRIER_4};

static const struct selector_row BCAST_1[] = {
    {2, 1, 2},     {2, 402, 7},     {2, 682, 5}, {2, 1433, 4}, {2, 5734, 7}, {2, 21845, 1},
    {2, 95963, 6}, {2, 409897, 5},  {2, ANY, 1}, {4, ANY, 7},  {8, 3, 6},    {8, 4, 7},
    {8, 25, 6},    {8, 256, 1},     {8, 682, 6}, {8, 1264, 1}, {8, 2234, 6}, {8, 6655, 5},
    {8, 16336, 1}, {8, 3998434, 7}, {8, ANY, 6}, {ANY, ANY, 7}};
static const struct selector_row BCAST_2[] = {
    {4, 806, 4},  {4, 18093, 7}, {4, 51366, 6},  {4, 182526, 4}, {4, 618390, 1},  {4, ANY, 7},
    {8, 24, 1},   {8, 74, 4},    {8, 18137, 1},  {8, 614661, 7}, {8, 1284626, 1}, {8, ANY, 2},
    {16, 1, 1},   {16, 158, 7},  {16, 16955, 1}, {16, ANY, 7},   {32, 242, 7},    {32, 10345, 1},
    {32, ANY, 7}, {ANY, 1, 1},   {ANY, 737, 7},  {ANY, 5340, 1}, {ANY, ANY, 7}};
static const struct selector_row BCAST_4[] = {
    {8, 256, 4}, {8, 17181, 1}, {8, ANY, 7}, {ANY, ANY, 7}};
static const struct selector_row BCAST_8[] = {
    {16, 3, 1},   {16, 318, 7}, {16, 1505, 1}, {16, ANY, 7}, {32, 422, 7}, {32, 851, 1},
    {32, ANY, 7}, {64, 468, 7}, {64, 699, 1},  {64, ANY, 7}, {ANY, ANY, 7}};
static impi_tables impi_bcast_tables = {BCAST_1, BCAST_2, BCAST_4, BCAST_8, BCAST_4};

static const struct selector_row REDUCE_1[] = {{ANY, ANY, 1}};
static const struct selector_row REDUCE_2[] = {
    {2, ANY, 1}, {4, 10541, 3}, {4, ANY, 1}, {ANY, ANY, 1}};
static const struct selector_row REDUCE_4[] = {{256, ANY, 1}, {ANY, 45, 3}, {ANY, ANY, 1}};
static const struct selector_row REDUCE_8[] = {
    {512, ANY, 1}, {ANY, 5, 1}, {ANY, 11882, 3}, {ANY, ANY, 1}};
static impi_tables impi_reduce_tables = {REDUCE_1, REDUCE_2, REDUCE_4, REDUCE_8, REDUCE_4};

static const struct selector_row REDUCE_SCATTER_1[] = {
    {2, 5, 4},     {2, 522429, 2}, {2, 1375877, 5},  {2, 2932736, 2},  {2, ANY, 5},
    {4, 4, 4},     {4, 15, 1},     {4, 120, 3},      {4, 651, 1},      {4, 12188, 3},
    {4, 33890, 1}, {4, 572117, 2}, {4, 1410202, 5},  {4, ANY, 2},      {8, 4, 4},
    {8, 2263, 1},  {8, 25007, 3},  {8, 34861, 1},    {8, 169625, 2},   {8, 2734000, 4},
    {8, ANY, 2},   {16, 4, 4},     {16, 14228, 1},   {16, 46084, 3},   {16, 522139, 2},
    {16, ANY, 5},  {32, 4, 4},     {32, 27516, 1},   {32, 61693, 3},   {32, 2483469, 2},
    {32, ANY, 5},  {64, 0, 3},     {64, 4, 4},       {64, 100396, 1},  {64, ANY, 2},
    {ANY, 0, 3},   {ANY, 4, 4},    {ANY, 186926, 1}, {ANY, 278259, 3}, {ANY, 1500100, 2},
    {ANY, ANY, 5}};
static const struct selector_row REDUCE_SCATTER_2[] = {
    {2, 6, 1},       {2, ANY, 2},       {4, 5, 4},         {4, 13, 5},     {4, 59, 3},
    {4, 76, 1},      {4, 91488, 3},     {4, 680063, 4},    {4, ANY, 2},    {8, 4, 4},
    {8, 11, 5},      {8, 31, 1},        {8, 69615, 3},     {8, 202632, 2}, {8, 396082, 5},
    {8, 1495696, 4}, {8, ANY, 2},       {16, 4, 4},        {16, ANY, 1},   {32, 0, 3},
    {32, 4, 4},      {32, 992, 1},      {32, 71417, 3},    {32, ANY, 2},   {64, 4, 4},
    {64, 1472, 1},   {64, 196592, 3},   {64, ANY, 2},      {128, 0, 3},    {128, 4, 4},
    {128, 32892, 1}, {128, 381072, 3},  {128, ANY, 2},     {ANY, 0, 2},    {ANY, 4, 4},
    {ANY, 33262, 1}, {ANY, 1571397, 3}, {ANY, 2211398, 5}, {ANY, ANY, 4}};
static const struct selector_row REDUCE_SCATTER_4[] = {
    {4, 12, 4},       {4, 27, 5},       {4, 49, 3},        {4, 187, 1},       {4, 405673, 3},
    {4, 594687, 4},   {4, ANY, 2},      {8, 24, 5},        {8, 155, 1},       {8, 204501, 3},
    {8, 274267, 5},   {8, ANY, 4},      {16, 63, 1},       {16, 72, 3},       {16, 264, 1},
    {16, 168421, 3},  {16, 168421, 4},  {16, ANY, 2},      {32, 0, 3},        {32, 4, 4},
    {32, 12, 1},      {32, 18, 5},      {32, 419, 1},      {32, 188739, 3},   {32, 716329, 4},
    {32, 1365841, 5}, {32, 2430194, 2}, {32, ANY, 4},      {64, 0, 3},        {64, 4, 4},
    {64, 17, 5},      {64, 635, 1},     {64, 202937, 3},   {64, 308253, 5},   {64, 1389874, 4},
    {64, ANY, 2},     {128, 0, 3},      {128, 4, 4},       {128, 16, 5},      {128, 1238, 1},
    {128, 280097, 3}, {128, 631434, 5}, {128, 2605072, 4}, {128, ANY, 2},     {256, 0, 2},
    {256, 4, 4},      {256, 16, 5},     {256, 2418, 1},    {256, ANY, 3},     {ANY, 0, 2},
    {ANY, 4, 4},      {ANY, 16, 5},     {ANY, 33182, 1},   {ANY, 3763779, 3}, {ANY, ANY, 4}};
static const struct selector_row REDUCE_SCATTER_8[] = {
    {8, 5, 4},        {8, 494, 1},       {8, 97739, 3},    {8, 522836, 2},   {8, 554174, 5},
    {8, ANY, 2},      {16, 5, 4},        {16, 62, 1},      {16, 94, 3},      {16, 215, 1},
    {16, 185095, 3},  {16, 454784, 4},   {16, 607911, 5},  {16, ANY, 4},     {32, 0, 3},
    {32, 4, 4},       {32, 302, 1},      {32, 250841, 3},  {32, 665822, 4},  {32, 1760980, 5},
    {32, ANY, 4},     {64, 0, 3},        {64, 4, 4},       {64, 41, 5},      {64, 306, 1},
    {64, 332405, 3},  {64, 1269189, 4},  {64, 3712421, 5}, {64, ANY, 4},     {128, 0, 3},
    {128, 4, 4},      {128, 39, 5},      {128, 526, 1},    {128, 487878, 3}, {128, ANY, 4},
    {256, 0, 2},      {256, 4, 4},       {256, 36, 5},     {256, 1382, 1},   {256, 424162, 3},
    {256, 632881, 5}, {256, 1127566, 3}, {256, ANY, 4},    {512, 4, 4},      {512, 34, 5},
    {512, 5884, 1},   {512, ANY, 3},     {ANY, 5, 4},      {ANY, 32, 5},     {ANY, 25105, 1},
    {ANY, ANY, 3}};
static impi_tables impi_reduce_scatter_tables = {
    REDUCE_SCATTER_1, REDUCE_SCATTER_2, REDUCE_SCATTER_4, REDUCE_SCATTER_8, REDUCE_SCATTER_4};

static const struct selector_row ALLGATHER_1[] = {
    {4, 1, 4},        {4, 384, 1},      {4, 1533, 4},     {4, 3296, 1},   {4, 10763, 4},
    {4, 31816, 3},    {4, 193343, 4},   {4, 405857, 3},   {4, 597626, 4}, {4, 1844323, 3},
    {4, ANY, 4},      {8, 12, 4},       {8, 46, 1},       {8, 205, 4},    {8, 3422, 2},
    {8, 4200, 4},     {8, 8748, 1},     {8, 24080, 3},    {8, 33244, 4},  {8, 371159, 1},
    {8, ANY, 3},      {16, 3, 4},       {16, 53, 1},      {16, 100, 4},   {16, 170, 1},
    {16, 6077, 4},    {16, 127644, 1},  {16, 143741, 4},  {16, ANY, 3},   {ANY, 184, 1},
    {ANY, 320, 4},    {ANY, 759, 1},    {ANY, 1219, 4},   {ANY, 2633, 1}, {ANY, 8259, 4},
    {ANY, 123678, 1}, {ANY, 160801, 4}, {ANY, 284341, 1}, {ANY, ANY, 4}};
static const struct selector_row ALLGATHER_2[] = {
    {8, 490, 1},   {8, 558, 2},   {8, 2319, 1},  {8, 46227, 3}, {8, 2215101, 1}, {8, ANY, 3},
    {16, 1005, 1}, {16, 1042, 2}, {16, 2059, 1}, {16, ANY, 3},  {ANY, 2454, 1},  {ANY, ANY, 3}};
static const struct selector_row ALLGATHER_4[] = {
    {8, 2861, 1}, {8, ANY, 3}, {ANY, 605, 1}, {ANY, ANY, 3}};
static const struct selector_row ALLGATHER_8[] = {
    {16, 66, 1},   {16, 213, 4},  {16, 514, 1},  {16, ANY, 3}, {32, 91, 1},  {32, 213, 4},
    {32, 514, 1},  {32, ANY, 3},  {64, 71, 1},   {64, 213, 4}, {64, 514, 1}, {64, ANY, 3},
    {128, 305, 1}, {128, ANY, 3}, {ANY, 213, 1}, {ANY, ANY, 3}};
static impi_tables impi_allgather_tables = {ALLGATHER_1, ALLGATHER_2, ALLGATHER_4, ALLGATHER_8,
                                            ALLGATHER_4};

static const struct selector_row ALLGATHERV_1[] = {
    {2, 259668, 3},    {2, 635750, 4},    {2, ANY, 3},     {4, 1, 1},       {4, 5, 4},
    {4, 46, 1},        {4, 2590, 2},      {4, 1177259, 3}, {4, 2767234, 4}, {4, ANY, 3},
    {8, 99, 2},        {8, 143, 1},       {8, 4646, 2},    {8, 63522, 3},   {8, 2187806, 4},
    {8, ANY, 3},       {ANY, 1, 1},       {ANY, 5, 4},     {ANY, 46, 1},    {ANY, 2590, 2},
    {ANY, 1177259, 3}, {ANY, 2767234, 4}, {ANY, ANY, 3}};
static const struct selector_row ALLGATHERV_2[] = {
    {4, 3147, 1},  {4, 5622, 2}, {4, ANY, 3},   {8, 975, 1},    {8, 4158, 2},  {8, ANY, 3},
    {16, 2146, 1}, {16, ANY, 3}, {32, 81, 1},   {32, 414, 2},   {32, 1190, 1}, {32, ANY, 3},
    {ANY, 1, 2},   {ANY, 3, 1},  {ANY, 783, 2}, {ANY, 1782, 4}, {ANY, ANY, 3}};
static const struct selector_row ALLGATHERV_4[] = {
    {8, 2554, 1}, {8, ANY, 3},   {16, 272, 1},  {16, 657, 2},  {16, 2078, 1},
    {16, ANY, 3}, {32, 1081, 1}, {32, ANY, 3},  {64, 547, 1},  {64, ANY, 3},
    {ANY, 19, 1}, {ANY, 239, 2}, {ANY, 327, 1}, {ANY, 821, 4}, {ANY, ANY, 3}};
static const struct selector_row ALLGATHERV_8[] = {
    {16, 55, 1},   {16, 514, 2},  {16, ANY, 3},  {32, 53, 1},    {32, 167, 4},  {32, 514, 2},
    {32, ANY, 3},  {64, 13, 1},   {64, 319, 4},  {64, ANY, 3},   {128, 2, 1},   {128, 11, 2},
    {128, 48, 1},  {128, 201, 2}, {128, 304, 1}, {128, 1048, 4}, {128, ANY, 3}, {ANY, 5, 1},
    {ANY, 115, 4}, {ANY, 129, 1}, {ANY, 451, 4}, {ANY, ANY, 3}};
static impi_tables impi_allgatherv_tables = {ALLGATHERV_1, ALLGATHERV_2, ALLGATHERV_4, ALLGATHERV_8,
                                             ALLGATHERV_4};

static const struct selector_row GATHER_1[] = {
    {8, 17561, 3},   {8, 44791, 2},    {8, ANY, 3},      {16, 16932, 3},   {16, 84425, 2},
    {16, 158363, 3}, {16, 702801, 2},  {16, 1341444, 3}, {16, 2413569, 2}, {16, ANY, 3},
    {ANY, 47187, 3}, {ANY, 349696, 2}, {ANY, ANY, 3}};
static const struct selector_row GATHER_2[] = {{ANY, ANY, 3}};
static const struct selector_row GATHER_8[] = {{16, ANY, 3},  {32, 9, 2},    {32, ANY, 3},
                                               {64, 784, 2},  {64, ANY, 3},  {128, 160, 3},
                                               {128, 655, 2}, {128, ANY, 3}, {ANY, ANY, 3}};
static impi_tables impi_gather_tables = {GATHER_1, GATHER_2, GATHER_2, GATHER_8, GATHER_2};

static const struct selector_row SCATTER_1[] = {
    {2, 16391, 1},    {2, ANY, 3},     {4, 16723, 3},   {4, 153541, 2},   {4, 425631, 3},
    {4, 794142, 2},   {4, 1257027, 3}, {4, ANY, 2},     {8, 2633, 3},     {8, 6144, 2},
    {8, 14043, 3},    {8, 24576, 2},   {8, 107995, 3},  {8, 1752729, 2},  {8, ANY, 3},
    {16, 2043, 3},    {16, 2252, 2},   {16, 17749, 3},  {16, 106020, 2},  {16, 628654, 3},
    {16, 3751354, 2}, {16, ANY, 3},    {ANY, 65907, 3}, {ANY, 245132, 2}, {ANY, 1042439, 3},
    {ANY, ANY, 2}};
static const struct selector_row SCATTER_2[] = {{ANY, ANY, 3}};
static const struct selector_row SCATTER_4[] = {
    {8, ANY, 3},  {16, 140, 3}, {16, 1302, 1}, {16, ANY, 3},  {32, 159, 3}, {32, 486, 1},
    {32, ANY, 3}, {64, 149, 1}, {64, ANY, 3},  {ANY, 139, 1}, {ANY, ANY, 3}};
static const struct selector_row SCATTER_8[] = {
    {16, 587, 1},  {16, 1370, 2}, {16, 2102, 1}, {16, ANY, 3},  {32, 1038, 1},
    {32, 2065, 2}, {32, ANY, 3},  {64, 515, 1},  {64, 2069, 2}, {64, ANY, 3},
    {128, 284, 1}, {128, 796, 2}, {128, ANY, 3}, {ANY, 139, 1}, {ANY, ANY, 3}};
static impi_tables impi_scatter_tables = {SCATTER_1, SCATTER_2, SCATTER_4, SCATTER_8, SCATTER_4};

/* Algorithms by Intel's numbers, which start from 1 (I_MPI_ADJUST_COLLECTIVE). */
typedef const struct lower_algorithm *const numbered[];

static numbered BARRIER = {&lower_barrier_ompi_basic_linear, &lower_barrier_ompi_recursivedoubling,
                           &lower_barrier_ompi_basic_linear, &lower_barrier_ompi_recursivedoubling,
                           &lower_barrier_default,           &lower_barrier_default};
static numbered BCAST = {&lower_bcast_binomial_tree, &lower_bcast_ntsl, &lower_bcast_ntsl,
                         &lower_bcast_smp_binomial,  &lower_bcast_ntsl, &lower_bcast_smp_linear,
                         &lower_bcast_mvapich2};
static numbered REDUCE = {&lower_reduce_mvapich2, &lower_reduce_binomial,
                          &lower_reduce_mvapich2, &lower_reduce_mvapich2_two_level,
                          &lower_reduce_rab,      &lower_reduce_rab};
static numbered ALLREDUCE = {&lower_allreduce_rdb,
                             &lower_allreduce_rab1,
                             &lower_allreduce_redbcast,
                             &lower_allreduce_mvapich2_two_level,
                             &lower_allreduce_smp_binomial,
                             &lower_allreduce_mvapich2_two_level,
                             &lower_allreduce_ompi_ring_segmented,
                             &lower_allreduce_ompi_ring_segmented};
static numbered ALLTOALL = {&lower_alltoall_bruck, &lower_alltoall_mvapich2_scatter_dest,
                            &lower_alltoall_pair, &lower_alltoall_mvapich2};
static numbered ALLTOALLV = {&lower_alltoallv_ompi_basic_linear, &lower_alltoallv_bruck};
static numbered GATHER = {&lower_gather_ompi_binomial, &lower_gather_ompi_binomial,
                          &lower_gather_mvapich2};
static numbered SCATTER = {&lower_scatter_ompi_binomial, &lower_scatter_ompi_binomial,
                           &lower_scatter_mvapich2};
static numbered ALLGATHER = {&lower_allgather_rdb, &lower_allgather_bruck, &lower_allgather_ring,
                             &lower_allgather_gb};
static numbered ALLGATHERV = {&lower_allgatherv_mpich_rdb, &lower_allgatherv_ompi_bruck,
                              &lower_allgatherv_ring, &lower_allgatherv_gb};
static numbered REDUCE_SCATTER = {&lower_reduce_scatter_ompi_basic_recursivehalving,
                                  &lower_reduce_scatter_mpich_pair, &lower_reduce_scatter_mpich_rdb,
                                  &lower_reduce_scatter_default, &lower_reduce_scatter_default};

/* Selects the table by ranks per node: 1, 2, 4, 8 or 16.  Other numbers, and nodes with unequal
 * numbers, use the table for 1. */
static const struct selector_row *table_of(const struct lowering *l, impi_tables tables)
{
  const uint32_t here = lower_node_size(l, lower_node_of(l, l->rank));
  if (!lower_uniform(l) || !lower_power_of_two(here) || here > 16)
    return tables[0];
  return tables[lower_rounds(here)];
}

/* Bytes that SMPI compares in collectives without a size. */
static uint64_t no_bytes(const struct lowering *l)
{
  (void)l;
  return 1;
}

static uint64_t sent(const struct lowering *l)
{
  return l->send_bytes;
}

static uint64_t received(const struct lowering *l)
{
  return l->recv_bytes;
}

static uint64_t all_parts(const struct lowering *l)
{
  return selector_total(l, l->recv_size);
}

#define SELECTOR(NAME, PICKS, BYTES)                                                               \
  static const struct lower_algorithm *NAME##_piece(const struct lowering *l, uint32_t k,          \
                                                    struct lowering *sub)                          \
  {                                                                                                \
    (void)sub;                                                                                     \
    if (k != 1)                                                                                    \
      return k == 0 ? lower_prepared(l) : NULL;                                                    \
    return PICKS[selector_find(table_of(l, impi_##NAME##_tables), l->ranks - 1, BYTES(l))->pick -  \
                 1];                                                                               \
  }                                                                                                \
  const struct lower_algorithm lower_##NAME##_impi = {                                             \
      .row = {"impi", "as Intel MPI chooses", "smpi_intel_mpi_selector.cpp"},                      \
      .piece = NAME##_piece};

SELECTOR(barrier, BARRIER, no_bytes)
SELECTOR(bcast, BCAST, sent)
SELECTOR(reduce, REDUCE, sent)
SELECTOR(allreduce, ALLREDUCE, sent)
SELECTOR(alltoall, ALLTOALL, sent)
SELECTOR(alltoallv, ALLTOALLV, no_bytes)
SELECTOR(gather, GATHER, selector_gathered)
SELECTOR(scatter, SCATTER, selector_scattered)
SELECTOR(allgather, ALLGATHER, received)
SELECTOR(allgatherv, ALLGATHERV, all_parts)
SELECTOR(reduce_scatter, REDUCE_SCATTER, all_parts)

selector_set selector_impi = {SELECTOR_EACH(SELECTOR_MEMBER, impi)};
