/** @file run_store.h
 *  The finished runs of a campaign on disk, one file each, so that nothing finished is ever lost:
 *  a file is complete or absent.  Its name is a checksum of the run's identity, a text that says
 *  all that its result depends on: version, inputs with their checksums, options; its first lines
 *  are that text, behind "# ", its last a checksum of all before it.
 */
#ifndef CAMPAIGN_RUN_STORE_H
#define CAMPAIGN_RUN_STORE_H

#include <stdbool.h>

#include "campaign/checksum.h"
#include "campaign/run/result.h"
#include "common/err.h"

/** A folder of such files, and one run in it. */
struct run_store {
  const char *folder;
  const char *identity;    /**< lines, each with a newline */
  char key[CHECKSUM_SIZE]; /**< of the identity: run_store_key() */
};

void run_store_key(struct run_store *s);

/** "FOLDER/KEY.tsv", or another suffix, for what else the run leaves.  The caller's: free(). */
char *run_store_path(const struct run_store *s, const char *suffix, struct err *e);

/** *found is false if there is no such run.  What is not one, damaged or edited is an error. */
enum status run_store_load(const struct run_store *s, struct run_result *r, bool *found,
                           struct err *e);

/** Makes way for a run's file: removes what stands at @p path; a folder is moved aside. */
enum status run_store_clear(const char *path, struct err *e);

enum status run_store_save(const struct run_store *s, const struct run_result *r, struct err *e);

/** Removes what killed processes left half-written in @p folder. */
enum status run_store_clean(const char *folder, struct err *e);

#endif
