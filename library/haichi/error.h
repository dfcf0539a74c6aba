/** @file error.h
 *  Status and error of the functions of libhaichi.
 */
#ifndef HAICHI_ERROR_H
#define HAICHI_ERROR_H

/** Marks the functions that the library exports.  They have C linkage in C++, too. */
#ifdef __cplusplus
#define HAICHI_PUBLIC extern "C" __attribute__((visibility("default")))
#else
#define HAICHI_PUBLIC __attribute__((visibility("default")))
#endif

enum haichi_status { HAICHI_OK = 0, HAICHI_FAIL = 1 };

/** One sentence in UTF-8 without a final newline. */
struct haichi_error {
  char text[1024];
};

/* Paths, and paths in specs, are names of files: "-" is refused.
 *
 * All functions that can fail take a struct haichi_error, which may be NULL, and fill it if they
 * return HAICHI_FAIL.  Their outputs are then unchanged.
 *
 * The library has no global state, prints nothing and never ends the process.  Different threads
 * may use different handles at the same time.  Functions with a const handle only read it: threads
 * may share a platform, a traffic matrix or a mapping that none of them changes.  Each thread needs
 * its own trace, because simulations read it. */

#endif
