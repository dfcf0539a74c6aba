/** @file submission.h
 *  A submission: items of a campaign that are handed to a back end in one go, as numbered tasks. It
 *  is a folder, FOLDER/on/N of the campaign's, from which the tasks learn what to do:
 *
 *    words    the folder in which the command was given and its words, each ended by a NUL
 *    tasks    a line an item: task, subject, item, key of its result
 *    script   what the back end runs, with the number of a task
 *    job      the back end and what it calls this, once it has it
 *    log      what the program of the back end says
 *    log.N    what task N says
 *
 *  No name that a user gave is in the script but for two paths, whose bytes are numbers there.
 */
#ifndef CAMPAIGN_REMOTE_SUBMISSION_H
#define CAMPAIGN_REMOTE_SUBMISSION_H

#include <stddef.h>
#include <stdint.h>

#include "campaign/checksum.h"
#include "campaign/remote/backend.h"
#include "common/err.h"

struct submission_item {
  uint32_t task;  /**< from 1 */
  size_t subject; /**< of the plan */
  size_t item;    /**< item.h */
  char key[CHECKSUM_SIZE];
};

struct submission {
  char *path; /**< absolute; owned, as what follows */
  struct submission_item *item;
  size_t items, room;
  uint32_t tasks;
};

/** The words of a command: the folder where it was given, then its words without the program. */
struct submission_words {
  char *text; /**< owned */
  char **word;
  size_t count, room;
};

/** Creates the folder of a new submission, without items, in the campaign's @p folder.  The
 * caller's: submission_clear(). */
enum status submission_new(struct submission *s, const char *folder, struct err *e);

/** Adds an item. */
enum status submission_add(struct submission *s, const struct submission_item *item, struct err *e);

/** Writes words, tasks and script; @p program is the path of haichi. */
enum status submission_write(const struct submission *s, const struct submission_words *words,
                             const char *program, struct err *e);

/** Writes what the back end calls it. */
enum status submission_set_job(const struct submission *s, const char *backend, const char *id,
                               struct err *e);

/** Reads the items of a task, or of all if @p task is 0.  The caller's: submission_clear(). */
enum status submission_open(struct submission *s, const char *path, uint32_t task, struct err *e);

/** Reads the back end and what it calls this; *backend is NULL if none has it. */
enum status submission_job(const struct submission *s, const struct backend **backend,
                           struct backend_handle *h, struct err *e);

/** Reads the words.  The caller's: submission_words_clear(). */
enum status submission_words_read(struct submission_words *w, const char *path, struct err *e);

/** Makes words of the folder where the process is and of @p argv.  The caller's, as above. */
enum status submission_words_make(struct submission_words *w, int argc, char **argv, struct err *e);

/** Accepts zeroed ones. */
void submission_words_clear(struct submission_words *w);
void submission_clear(struct submission *s);

/** Removes the folder, and the one above it if that was the last. */
void submission_remove(const struct submission *s);

/** Calls @p take with the path of each submission of the campaign in @p folder, in their order. */
enum status submission_each(const char *folder,
                            enum status (*take)(void *arg, const char *path, struct err *e),
                            void *arg, struct err *e);

/** The last line of what task @p task said, or of what the back end's program did if it is 0,
 *  without the carriage return that ssh's lines end with; "" if there is none. */
void submission_last_words(const struct submission *s, uint32_t task, char *line, size_t size);

#endif
