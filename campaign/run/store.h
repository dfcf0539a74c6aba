/** @file store.h
 *  Finished runs of a campaign on disk, one file each, complete or absent.  The identity of a run
 *  is the list of all that its result depends on: version, inputs with their checksums, options.
 *  The checksum of the identity names the file.  The first lines hold the identity, as comments
 *  with #; the last line is a checksum of all lines before it.
 */
#pragma once

#include <stdbool.h>

#include "campaign/run/result.h"
#include "common/err.h"
#include "setup/checksum.h"

/** One run in a folder of stored runs; nothing is owned. */
struct run_store {
  const char *folder;
  const char *identity;    /**< lines, each with a newline */
  char key[CHECKSUM_SIZE]; /**< set by run_store_key() */
};

/** Sets the key, the first 32 digits of the identity's checksum. */
void run_store_key(struct run_store *s);

/** Path "FOLDER/KEYSUFFIX"; suffix ".tsv" is the result, other suffixes are further files of the
 *  run.  NULL if out of memory.  Free with free(). */
char *run_store_path(const struct run_store *s, const char *suffix, struct err *e);

/** Loads the result; *found is false if the file does not exist.  A file that is damaged, edited or
 *  belongs to another run is an error. */
enum status run_store_load(const struct run_store *s, struct run_result *r, bool *found,
                           struct err *e);

/** Makes room for a file of a run at @p path: removes a file, and renames a folder. */
enum status run_store_make_room(const char *path, struct err *e);

/** Writes the run's file atomically and waits until it is on the disk. */
enum status run_store_save(const struct run_store *s, const struct run_result *r, struct err *e);

/** Removes half-written files of killed processes from @p folder. */
enum status run_store_remove_partial(const char *folder, struct err *e);
