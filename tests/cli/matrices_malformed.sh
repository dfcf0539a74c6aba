#!/bin/sh
# usage: tests/cli/matrices_malformed.sh HAICHI
# At least 20 malformed files of each format of `haichi list matrices`: each is refused with exit 1 and one line with the
# file and the line of the error, and nothing is written.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# bad LINE TEXT: a file in $format, whose text is a format of printf, has an error in this line
bad()
{
  cases=$((cases + 1))
  # shellcheck disable=SC2059 # a format
  printf -- "$2" >bad
  "$haichi" map xyz -p torus:4x4 --matrix bad --matrix-format "$format" -o map >out 2>err
  code=$?
  [ $code -eq 1 ] || fail "$format: $2: exit $code, not 1"
  [ "$(wc -l <err)" -eq 1 ] && grep -q "^haichi: bad:$1: [^ ]" err || fail "$format: $2: not line $1: '$(cat err)'"
  [ -s out ] || [ -e map ] && fail "$format: $2: is refused, but there is output"
  rm -f map
}

# begin FORMAT, then calls of bad, then end, which requires 20 files
begin()
{
  format=$1 cases=0
}
end()
{
  [ $cases -ge 20 ] || fail "$format: $cases files, below 20"
  formats="$formats $format"
}
formats=
long=$(printf '%0400d' 0 | tr 0 9)

begin tsv
bad 1 ''
bad 1 'src\tdst\tbytes\n'
bad 1 'source\tdst\tmessages\tbytes\n0\t1\t1\t1\n'
bad 1 '0\t1\t1\t1\n'
bad 2 'src\tdst\tmessages\tbytes\n0\t1\t1\n'
bad 2 'src\tdst\tmessages\tbytes\n0\t1\t1\t1\t1\n'
bad 2 'src\tdst\tmessages\tbytes\n-1\t1\t1\t1\n'
bad 2 'src\tdst\tmessages\tbytes\n0\t-1\t1\t1\n'
bad 2 'src\tdst\tmessages\tbytes\nx\t1\t1\t1\n'
bad 2 'src\tdst\tmessages\tbytes\n0\t1\tx\t1\n'
bad 2 'src\tdst\tmessages\tbytes\n0\t1\t1\tx\n'
bad 2 'src\tdst\tmessages\tbytes\n0\t1\t1\t1.5\n'
bad 2 'src\tdst\tmessages\tbytes\n0\t1\t1\t-5\n'
bad 2 'src\tdst\tmessages\tbytes\n0\t1\t0\t0\n'
bad 3 'src\tdst\tmessages\tbytes\n0\t1\t1\t1\n0\t1\t1\t1\n'
bad 3 'src\tdst\tmessages\tbytes\n0\t2\t1\t1\n0\t1\t1\t1\n'
bad 3 'src\tdst\tmessages\tbytes\n1\t0\t1\t1\n0\t1\t1\t1\n'
bad 2 'src\tdst\tmessages\tbytes\n0\t4294967296\t1\t1\n'
bad 2 "src\\tdst\\tmessages\\tbytes\\n0\\t1\\t1\\t$long\\n"
bad 2 'src\tdst\tmessages\tbytes\n0x1\t1\t1\t1\n'
bad 3 'src\tdst\tmessages\tbytes\n0\t1\t1\t9223372036854775807\n1\t0\t1\t9223372036854775807\n'
end

begin csv
bad 1 ''
bad 1 '# a comment\n'
bad 1 'src,dst\n0,1\n'
bad 1 'src,dst,bytes,weight\n0,1,1,1\n'
bad 1 'src,dst,bytes,Bps\n0,1,1,1\n'
bad 1 'src,dst,colour,bytes\n0,1,1,1\n'
bad 1 'src,src,dst,bytes\n0,1,1,1\n'
bad 1 'src,bytes\n0,1\n'
bad 2 'src,dst,bytes\n0,1\n'
bad 2 'src,dst,bytes\n0,1,1,1\n'
bad 2 'src,dst,bytes\n0;1;1\n'
bad 2 'src,dst,bytes\nx,1,1\n'
bad 2 'src,dst,bytes\n0,-1,1\n'
bad 3 'src,dst,bytes\n0,1,1\n0,1,1e400\n'
bad 2 'src,dst,bytes\n0,1,1.5\n'
bad 2 'src,dst,messages,bytes\n0,1,0,5\n'
bad 2 'src,dst,bytes\n0,1,"5\n'
bad 1 'src,dst,bytes\n'
bad 2 'src,dst,bytes\n0,99999999,1\n'
bad 3 'a,b\n0,1\n1\n'
bad 2 '0,1,2\n1,0,x\n'
bad 3 ',a,b\na,0,1\na,1,0\n'
bad 4 'a,b\n0,1\n1,0\n0,1\n'
bad 1 'a,,c\n0,1,2\n'
bad 2 '0,1\n-1,0\n'
end

begin dense
bad 1 ''
bad 1 '\n'
bad 1 '0 1\n'
bad 2 '0 1\n1\n'
bad 2 '0 1\n1 0 0\n'
bad 3 '0 1\n1 0\n0 0\n'
bad 1 'a b\n0 1\n'
bad 2 '0 1\n1 x\n'
bad 1 '0 -1\n1 0\n'
bad 1 '0 1.5\n1 0\n'
bad 1 '0 1e400\n1 0\n'
bad 1 '0 nan\n1 0\n'
bad 1 '0 inf\n1 0\n'
bad 1 '0 0x10\n1 0\n'
bad 2 '0 1\n1,0\n'
bad 2 '0 1\n1 --0\n'
bad 2 '0 1 2\n1 0\n2 1 0\n'
bad 2 '0 1 2\n1 0 2\n'
bad 2 "0 1\\n$long 0\\n"
bad 2 '0 9223372036854775807\n9223372036854775807 0\n'
end

begin edges
bad 1 ''
bad 1 '# nothing\n'
bad 1 '0\n'
bad 2 '0 1 1\n1\n'
bad 1 '0 1 1 1\n'
bad 2 '0 1 1\n1 0 1 1\n'
bad 2 '0 1\n1 0 5\n'
bad 2 '0 1 5\n1 0\n'
bad 1 '-1 0 1\n'
bad 1 '0 -1 1\n'
bad 1 'a b 1\n'
bad 1 '0 1 x\n'
bad 1 '0 1 -3\n'
bad 1 '0 1 1.5\n'
bad 1 '0 1 1e400\n'
bad 1 '0.5 1 1\n'
bad 1 '0 99999999 1\n'
bad 1 '0,1,1\n'
bad 1 "0 1 $long\\n"
bad 2 '0 1 9223372036854775807\n1 0 9223372036854775807\n'
bad 3 '0 1 1\n# a comment\n0 1 ?\n'
end

general='%%%%MatrixMarket matrix coordinate integer general\n'
symmetric='%%%%MatrixMarket matrix coordinate real symmetric\n'
array='%%%%MatrixMarket matrix array real general\n'
begin matrixmarket
bad 1 ''
bad 1 '2 2 1\n1 2 5\n'
bad 1 '%%%%MatrixMarkt matrix coordinate integer general\n2 2 1\n1 2 5\n'
bad 1 '%%%%MatrixMarket vector coordinate integer general\n2 2 1\n1 2 5\n'
bad 1 '%%%%MatrixMarket matrix sparse integer general\n2 2 1\n1 2 5\n'
bad 1 '%%%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 5 0\n'
bad 1 '%%%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 5\n'
bad 1 '%%%%MatrixMarket matrix array pattern general\n2 2\n'
bad 1 '%%%%MatrixMarket matrix coordinate integer\n2 2 1\n1 2 5\n'
bad 1 "$general"
bad 2 "${general}2 2\\n1 2 5\\n"
bad 2 "${general}2 3 1\\n1 2 5\\n"
bad 2 "${general}0 0 0\\n"
bad 2 "${general}2 2 x\\n1 2 5\\n"
bad 3 "${general}2 2 1\\n1 2\\n"
bad 3 "${general}2 2 1\\n1 2 5 5\\n"
bad 3 "${general}2 2 1\\n0 2 5\\n"
bad 3 "${general}2 2 1\\n1 3 5\\n"
bad 3 "${general}2 2 1\\n1 2 -5\\n"
bad 4 "${general}2 2 1\\n1 2 5\\n2 1 5\\n"
bad 3 "${general}2 2 2\\n1 2 5\\n"
bad 3 "${symmetric}2 2 1\\n1 2 5\\n"
bad 3 "${symmetric}2 2 1\\n2 1 1.5\\n"
bad 4 "${array}2 2\\n0 1\\n1\\n"
bad 3 "${array}2 2\\n0 1 1 0 1\\n"
bad 2 "${array}2 2 4\\n0 1 1 0\\n"
end

begin metis
bad 1 ''
bad 1 '%% a comment\n'
bad 1 '3\n2\n1 3\n2\n'
bad 1 'x 2\n2\n1 3\n2\n'
bad 1 '3 x\n2\n1 3\n2\n'
bad 1 '0 0\n'
bad 1 '3 2 2\n2\n1 3\n2\n'
bad 1 '3 2 1 0 0\n2 1\n1 1 3 1\n2 1\n'
bad 1 '3 2 10 x\n1 2\n1 1 3\n1 2\n'
bad 2 '3 2\n4\n1 3\n2\n'
bad 2 '3 2\n0\n1 3\n2\n'
bad 2 '3 2\n-2\n1 3\n2\n'
bad 3 '3 2\n2\n1 x\n2\n'
bad 2 '3 2 1\n2\n1 1 3 1\n2 1\n'
bad 2 '3 2 1\n2 0\n1 1 3 1\n2 1\n'
bad 2 '3 2 1\n2 -1\n1 1 3 1\n2 1\n'
bad 2 '3 2 10\n\n1 1 3\n1 2\n'
bad 3 '3 2\n2\n1 3\n'
bad 5 '3 2\n2\n1 3\n2\n1\n'
bad 4 '3 3\n2\n1 3\n2\n'
bad 4 '3 2\n2 3\n1 3\n2\n'
bad 2 '3 2\n1 2\n1 3\n2\n'
bad 2 '3 2\n2 2\n1 1 3\n2\n'
end

begin scotch
bad 1 ''
bad 1 '0\n'
bad 1 '1\n2 2\n0 000\n1 1\n1 0\n'
bad 2 '0\n0 0\n0 000\n'
bad 2 '0\nx 2\n0 000\n1 1\n1 0\n'
bad 2 '0\n2 x\n0 000\n1 1\n1 0\n'
bad 3 '0\n2 2\nx 000\n1 1\n1 0\n'
bad 3 '0\n2 2\n0 x\n1 1\n1 0\n'
bad 3 '0\n2 2\n0 1000\n1 1\n1 0\n'
bad 3 '0\n2 2\n0\n'
bad 4 '0\n2 2\n0 000\n2 1 1\n1 0\n'
bad 4 '0\n2 2\n0 000\n-1\n1 0\n'
bad 4 '0\n2 2\n0 000\n1 2\n1 0\n'
bad 4 '0\n2 2\n0 000\n1 -1\n1 0\n'
bad 4 '0\n2 2\n0 000\n1 x\n1 0\n'
bad 4 '0\n2 2\n0 000\n1 1\n'
bad 5 '0\n2 2\n0 000\n1 1\n1\n'
bad 6 '0\n2 2\n0 000\n1 1\n1 0\n1\n'
bad 4 '0\n2 2\n0 010\n1 0 1\n1 5 0\n'
bad 4 '0\n2 2\n0 010\n1 x 1\n1 5 0\n'
bad 5 '0\n2 2\n0 100\n0 1 1\n0 1 0\n'
bad 5 '0\n2 4\n0 000\n1 1\n1 0\n'
bad 4 '0\n2 2\n0 000\n1 0\n1 0\n'
bad 4 '0\n2 2\n1 000\n1 0\n1 1\n'
end

# task RANK SIZE CALL...: a task of a profile of IPM, in 3 lines and one line for each call
task()
{
  printf '<task mpi_rank="%s" mpi_size="%s">\\n<hash nhash="1">\\n' "$1" "$2"
  shift 2
  for call in "$@"; do
    printf '<hent %s ></hent>\\n' "$call"
  done
  printf '</hash></task>\\n'
}
job='<ipm_job_profile>\n'
good='call="MPI_Send" bytes="8" orank="1" count="2"'
begin ipm
bad 1 ''
bad 1 "$job"
bad 2 "$job<task mpi_rank=\"0\">\\n"
bad 2 "$job<task mpi_size=\"2\">\\n"
bad 2 "$job<task mpi_rank=\"0\" mpi_size=\"0\">\\n"
bad 2 "$job<task mpi_rank=\"2\" mpi_size=\"2\">\\n"
bad 2 "$job<task mpi_rank=\"x\" mpi_size=\"2\">\\n"
bad 2 "$job<task mpi_rank=\"0\" mpi_size=\"2>\\n"
bad 4 "$job$(task 0 2)"
bad 5 "$job$(task 0 2)$(task 0 2)"
bad 5 "$job$(task 0 2)$(task 1 3)"
bad 3 "$job<task mpi_rank=\"0\" mpi_size=\"2\">\\n<task mpi_rank=\"1\" mpi_size=\"2\">\\n"
bad 2 "$job<hent $good ></hent>\\n"
bad 4 "$job$(task 0 1 'bytes="8" orank="0" count="2"')"
bad 4 "$job$(task 0 1 'call="MPI_Send" orank="0" count="2"')"
bad 4 "$job$(task 0 1 'call="MPI_Send" bytes="8" count="2"')"
bad 4 "$job$(task 0 1 'call="MPI_Send" bytes="8" orank="0"')"
bad 4 "$job$(task 0 1 "$good")"
bad 4 "$job$(task 0 1 'call="MPI_Send" bytes="-8" orank="0" count="2"')"
bad 4 "$job$(task 0 1 'call="MPI_Isend" bytes="8" orank="0" count="0"')"
bad 4 "$job$(task 0 1 'call="MPI_Isend" bytes="8" orank="0" count="9223372036854775807"')"
bad 4 "$job$(task 0 1 'call="MPI_Send_init" bytes="8" orank="0" count="2"')"
bad 5 "$job$(task 0 2)<taskcopy from=\"0\" to=\"1\">\\n"
bad 2 "$job<task mpi_rank=\"0\" mpi_size=\"1\"></task>\\n"
end

# All formats have files above.  Bytes that are no text are refused in each format.
[ "$("$haichi" list matrices | cut -f 1 | tr '\n' ' ')" = "${formats# } " ] || fail "other formats than in haichi list matrices:$formats"
for format in $formats; do
  printf '\000\001\377\376\200garbage\n' >bytes
  "$haichi" map xyz -p torus:4x4 --matrix bytes --matrix-format "$format" -o map >out 2>err
  code=$?
  [ $code -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q '^haichi: bytes:1: ' err && [ ! -e map ] ||
    fail "$format: bytes that are no text: exit $code, $(cat err)"
done
exit $status
