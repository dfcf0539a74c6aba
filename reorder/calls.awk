# Used with interpose/prototypes.awk, which calls define() for each function of mpi.h.  Writes a function for each
# call of MPI that takes a communicator, or a function that MPI calls.  It replaces MPI_COMM_WORLD by the world with exchanged
# ranks (HAICHI_REORDER=world), and the function by one of callbacks.c.

BEGIN {
  print "#include \"reorder/preload.h\"\n"
  # Defined in C; MPI_Abort ends all processes, whatever their ranks.
  apart = "^(Cart_create|Graph_create|Dist_graph_create|Dist_graph_create_adjacent|Abort)$"
    # Only MPI_COMM_WORLD itself has the predefined attributes, such as MPI_TAG_UB: ask it if the other has none.
  retried["Comm_get_attr"] = retried["Attr_get"] = " && !*"
    # Errors without a communicator call the handler of MPI_COMM_WORLD itself: set it, too.
  retried["Comm_set_errhandler"] = retried["Errhandler_set"] = ""
    # Types of functions that MPI calls.
  callback["MPI_Comm_errhandler_function"] = callback["MPI_Comm_errhandler_fn"] = callback["MPI_Handler_function"] = "handler"
  callback["MPI_Win_errhandler_function"] = callback["MPI_Win_errhandler_fn"] = "other_handler"
  callback["MPI_File_errhandler_function"] = callback["MPI_File_errhandler_fn"] = "other_handler"
  callback["MPI_Session_errhandler_function"] = "other_handler"
  callback["MPI_User_function"] = callback["MPI_User_function_c"] = "operation"
  callback["MPI_Comm_copy_attr_function"] = callback["MPI_Copy_function"] = "copy"
  callback["MPI_Comm_delete_attr_function"] = callback["MPI_Delete_function"] = "deletion"
}

function define(name, text, n, parameter, arguments,    i, exchanged)
{
  if (name ~ apart)
    return
  exchanged = ""
  for (i = 1; i <= n; i++)
    exchanged = exchanged exchange(parameter[i])
  if (name == "Comm_create_from_group") {
    write_session("MPI_", "false", name, text, arguments)
    write_session("PMPI_", "true", name, text, arguments)
  }
  if (exchanged == "")
    return
  write("MPI_", "false", name, text, arguments, exchanged)
  write("PMPI_", "true", name, text, arguments, exchanged)
}

# The call that gives a session, which has no world, its first communicators.
function write_session(prefix, profiled, name, text, arguments,    made)
{
  made = arguments
  sub(/.*, /, "", made)
  printf "INTERPOSE_PUBLIC int %s%s(%s)\n{\n  static void *next;\n", prefix, name, text
  printf "  const bool outermost = preload_enter();\n"
  printf "  __typeof__(MPI_%s) *call = preload_next(&next, \"PMPI_%s\", %s);\n", name, name, profiled
  printf "  const int result = call(%s);\n", arguments
  printf "  if (outermost && result == MPI_SUCCESS)\n    world_of_session(*%s);\n", made
  printf "  return preload_leave(result);\n}\n\n"
}

# A line for a parameter whose argument is replaced.
function exchange(parameter,    type, name)
{
  name = name_of(parameter)
  if (parameter ~ /(^| )MPI_Comm [A-Za-z_0-9]+ *$/)
    return sprintf("    %s = world_for(%s);\n", name, name)
  type = parameter
  gsub(/[ *]*[A-Za-z_0-9]+ *$|^ +/, "", type)
  if (!(type in callback))
    return ""
  return sprintf("    %s%s = callback_%s(%s);\n",
    callback[type] ~ /copy|deletion/ ? "if (!preload_is_fortran(__builtin_return_address(0)))\n      " : "",
    name, callback[type], name)
}

function write(prefix, profiled, name, text, arguments, exchanged,    last, first, condition)
{
  printf "INTERPOSE_PUBLIC int %s%s(%s)\n{\n  static void *next;\n", prefix, name, text
  if (name in retried)
    printf "  const MPI_Comm named = %s;\n", substr(arguments, 1, index(arguments, ",") - 1)
  printf "  if (preload_enter()) {\n%s  }\n", exchanged
  printf "  __typeof__(MPI_%s) *call = preload_next(&next, \"PMPI_%s\", %s);\n", name, name, profiled
  if (!(name in retried)) {
    printf "  return preload_leave(call(%s));\n}\n\n", arguments
    return
  }
  last = arguments
  sub(/.*, /, "", last)
  condition = retried[name] == "" ? "" : retried[name] last
  first = arguments
  sub(/,.*/, "", first)
  sub(/^[^,]*/, "", arguments)
  printf "  int result = call(%s%s);\n", first, arguments
  printf "  if (%s != named && result == MPI_SUCCESS%s)\n    result = call(named%s);\n", first, condition, arguments
  printf "  return preload_leave(result);\n}\n\n"
}
