/** @file haichi_blocks.h
 *  Marks that `haichi instrument` puts into a program: haichi_block(N) ends the block that runs and
 *  begins block N.  Included before everything else: no header, no type of its own.
 */
#ifndef HAICHI_BLOCKS_H
#define HAICHI_BLOCKS_H

#ifdef __cplusplus
#error "the marks are for C"
#endif

/* Before functions with marks: they are not joined to others. */
#if defined __GNUC__
#define HAICHI_SPLIT __attribute__((noinline))
#else
#define HAICHI_SPLIT
#endif

void haichi_block(unsigned block);

/** Of loop @p loop: a new run of it begins; may it go on, for @p count rounds at most; has it gone
 *  through @p count rounds?  The first two do nothing in a full run (HAICHI_BLOCKS_FULL). */
void haichi_loop(unsigned loop);
int haichi_more(unsigned loop, unsigned long long count);
int haichi_exactly(unsigned loop, unsigned long long count);

#ifndef HAICHI_BLOCKS_RUNTIME
/* The clock starts after the one and stops before the other; mpi.h, which comes later, declares
 * them by these names. */
#define MPI_Init        haichi_mpi_init
#define MPI_Init_thread haichi_mpi_init_thread
#define MPI_Finalize    haichi_mpi_finalize
#endif

#endif
