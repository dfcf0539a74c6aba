#!/bin/sh
# usage: tests/cli/your_program.sh HAICHI
# Runs every `$ ...` command of docs/your-program.md, in order, under Open MPI and under MPICH.  On machines that count no
# instructions, --counter must be refused; the command then runs without it.
. "$(dirname "$0")/../shell.sh"
. "$root/tests/mpi.sh"

run()
{
  PATH=$PWD/bin:$PATH sh -c "$1" >log 2>&1 </dev/null
}

for mpi in $mpis; do
  mkdir -p "$mpi/bin"
  cd "$mpi" || exit 1
  for tool in mpicc mpif90 mpirun; do
    printf '#!/bin/sh\nexec %s "$@"\n' "$tool.$mpi" >bin/$tool
    chmod +x bin/$tool
  done
  [ "$mpi" = openmpi ] && printf '#!/bin/sh\nexec mpirun.openmpi --oversubscribe "$@"\n' >bin/mpirun
  ln -s "$haichi" haichi
  ln -s "$root/examples" "$root/tests" .
  sed -e :join -e '/\\$/{N;s/\\\n *//;b join' -e '}' "$root/docs/your-program.md" | sed -n 's/^ *\$ \(.*\)/\1/p' >commands
  [ "$(wc -l <commands)" -ge 8 ] || fail 'docs/your-program.md: fewer than 8 commands'
  while IFS= read -r command; do
    run "$command" && continue
    grep -q '^haichi: record: rank [0-9]*: --counter: ' log && run "$(echo "$command" | sed 's/ --counter [a-z]*//')" && continue
    fail "$mpi: this fails: $command"
    cat log
  done <commands
  [ -s results/himeno/plots/speedup.svg ] || fail "$mpi: the commands make no speedup.svg"
  cd ..
done
exit $status
