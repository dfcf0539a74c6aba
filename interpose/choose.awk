# Writes CALLS of choose.c: reads the preprocessed mpi.h of each MPI (after prototypes.awk), and the file `exports`,
# with the names that the libraries for each MPI define.  MPI_Pcontrol, with "...", passes its first argument on.

function define(name, text, n, parameter, arguments)
{
  count[name] = n
}

END {
  count["Pcontrol"] = 1
  RS = "\n"
  while ((getline name < exports) > 0) {
    call = name
    sub(/^P?MPI_/, "", call)
    if (call == name)
      continue
    if (!(call in count)) {
      print "choose.awk: " name ": no prototype in mpi.h" > "/dev/stderr"
      exit 1
    }
    parameters = arguments = ""
    for (i = 1; i <= count[call]; i++) {
      parameters = parameters (i > 1 ? ", " : "") "long a" i
      arguments = arguments (i > 1 ? ", " : "") "a" i
    }
    printf "CALL(%s, (%s), (%s))\n", name, parameters == "" ? "void" : parameters, arguments
  }
}
