# Used with interpose/prototypes.awk, which calls define() for each function of mpi.h.  Writes a function for each
# call of MPI that takes a communicator.  It replaces MPI_COMM_WORLD by the world with exchanged ranks
# (HAICHI_REORDER=world).

BEGIN {
  print "#include \"reorder/preload.h\"\n"
  # Defined in C; MPI_Abort ends all processes, whatever their ranks.
  apart = "^(Cart_create|Graph_create|Dist_graph_create|Dist_graph_create_adjacent|Abort)$"
    # Only MPI_COMM_WORLD itself has the predefined attributes, such as MPI_TAG_UB: ask it if the other has none.
  retried["Comm_get_attr"] = retried["Attr_get"] = " && !*"
    # Errors without a communicator call the handler of MPI_COMM_WORLD itself: set it, too.
  retried["Comm_set_errhandler"] = retried["Errhandler_set"] = ""
}

function define(name, text, n, parameter, arguments,    i, exchanged)
{
  if (name ~ apart)
    return
  exchanged = ""
  for (i = 1; i <= n; i++)
    if (parameter[i] ~ /(^| )MPI_Comm [A-Za-z_0-9]+ *$/)
      exchanged = exchanged sprintf("    %s = world_for(%s);\n", name_of(parameter[i]), name_of(parameter[i]))
  if (exchanged == "")
    return
  write("MPI_", "false", name, text, arguments, exchanged)
  write("PMPI_", "true", name, text, arguments, exchanged)
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
