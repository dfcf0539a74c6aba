# Reads the preprocessed mpi.h and calls define(NAME, TEXT, N, PARAMETER, ARGUMENTS) for each function MPI_NAME that
# returns int: TEXT are its parameters as declared, PARAMETER[1..N] each of them, ARGUMENTS their names.

BEGIN { RS = ";" }

# The name of a parameter: its last word.
function name_of(parameter)
{
  gsub(/\[[^]]*\]/, "", parameter)
  gsub(/[ \t\n]+$/, "", parameter)
  sub(/.*[^A-Za-z0-9_]/, "", parameter)
  return parameter
}

{
  gsub(/#[^\n]*\n/, "")
  gsub(/__attribute__ *\(\([^()]*(\([^()]*\))?[^()]*\)\)/, "")
  gsub(/[ \t\n]+/, " ")
  if (!match($0, /(^| )int MPI_[A-Za-z_0-9]+ *\(.*\)/))
    next
  text = substr($0, RSTART, RLENGTH)
  sub(/^ ?int MPI_/, "", text)
  name = text
  sub(/ *\(.*/, "", name)
  sub(/^[^(]*\(/, "", text)
  sub(/\) *$/, "", text)
  if (text ~ /\.\.\./ || done[name]++)
    next
  n = text == "void" ? 0 : split(text, parameter, ",")
  arguments = ""
  for (i = 1; i <= n; i++)
    arguments = arguments (i > 1 ? ", " : "") name_of(parameter[i])
  define(name, text, n, parameter, arguments)
}
