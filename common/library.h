/** @file library.h
 *  Shared libraries that are loaded on demand: they take longer to load than most commands take.
 *  Each has a struct of pointers to the functions that haichi uses, made of a list such as
 *  #define FUNCTIONS(F) F(puts) F(getc).
 */
#ifndef COMMON_LIBRARY_H
#define COMMON_LIBRARY_H

#include "common/err.h"

/** The member of the struct for the function @p name of the library's header. */
#define LIBRARY_MEMBER(name) __typeof__(name) *name;

/** Loads the library @p file and keeps it until the process ends.  Errors call it @p what. */
enum status library_open(void **out, const char *file, const char *what, struct err *e);

/** Writes the address of the function @p name to @p member, a pointer of the function's type. */
enum status library_find(void *library, const char *name, void *member, const char *what,
                         struct err *e);

#endif
