/** @file file.h
 *  Mappings that are read from files.
 */
#pragma once

#include "common/err.h"
#include "mappers/mapper.h"

/** Reads the mapping of in->ranks ranks from @p path, and checks the slots of the hosts.  Errors
 *  call the file @p name. */
enum status file_load(const struct mapper_input *in, const char *path, const char *name,
                      struct mapping *out, struct err *e);
