#!/bin/sh
# usage: tests/peers/matrices.sh BUILD
# Traffic matrices that other tools write: haichi must print the same metrics for each file as for its own TSV of the same
# traffic.  Uses the Debian packages scotch, metis, libmetis-doc, python3-scipy, python3-pandas and python3-networkx, and names
# the tools that are not installed.
# shellcheck source=tests/peers/lib.sh
. "$(dirname "$0")/lib.sh"

haichi=$(cd "$1" && pwd)/haichi || exit 1
cd "$work" || exit 1
status=0
checked=0

# same PLATFORM WANTED FILE [OPTION...]: haichi prints the same metrics for both matrices
same()
{
  platform=$1 wanted=$2 file=$3
  shift 3
  "$haichi" metrics -p "$platform" --matrix "$wanted" "$@" >want 2>err &&
    "$haichi" metrics -p "$platform" --matrix "$file" "$@" >got 2>err && cmp -s want got && checked=$((checked + 1)) &&
    return
  echo "$file: $(cat err) $(diff want got)"
  status=1
}

# has PROGRAM: is it installed?  Prints a line if not.
has()
{
  command -v "$1" >/dev/null && return
  echo "no $1: its files are not checked"
  return 1
}

# made COMMAND...: runs a tool that writes a file; its failure is one of this script
made()
{
  "$@" && return
  echo "$*: exit $?"
  status=1
  return 1
}

# A symmetric matrix of 16 ranks as a METIS graph and as TSV.
awk 'BEGIN {
  n = 16
  printf "src\tdst\tmessages\tbytes\n" >"S.tsv"
  for (i = 0; i < n; i++)
    for (k = 0; k < i; k++)
      if ((i * 7 + k * 3) % 4 == 0) w[i, k] = w[k, i] = 1 + (i * 7919 + k * 104729) % 1000000
  for (i = 0; i < n; i++)
    for (k = 0; k < n; k++)
      if (w[i, k] > 0) {
        line[i] = line[i] " " k + 1 " " w[i, k]
        arcs++
        printf "%d\t%d\t1\t%d\n", i, k, w[i, k] >"S.tsv"
      }
  print n, arcs / 2, "001"
  for (i = 0; i < n; i++) print line[i]
}' >S.graph
same torus:4x4 S.tsv S.graph

if has gcv; then
  made gcv -ic -os S.graph S.grf && same torus:4x4 S.tsv S.grf
  made scotch_gbase 1 S.grf S1.grf && same torus:4x4 S.tsv S1.grf
  made gmk_m2 5 4 m2.grf && made gmk_m2 -t 6 6 t2.grf && made gmk_hy 4 hy.grf && made gmk_m3 4 3 2 m3.grf
  for graph in m2 t2 hy m3; do
    made gcv -is -oc $graph.grf $graph.graph && same star:64 $graph.grf $graph.graph
    made gcv -is -om $graph.grf $graph.mtx && same star:64 $graph.grf $graph.mtx
  done
fi
if has graphchk; then
  graphchk S.graph | grep -q 'is correct' || { echo 'S.graph: METIS refuses it' && status=1; }
  doc=/usr/share/doc/libmetis-dev/examples/graphs
  [ -d "$doc" ] || echo "no $doc: its files are not checked"
  for file in "$doc"/*.graph "$doc"/*.mgraph; do
    [ -f "$file" ] || continue
    edges=$(grep -v '^%' "$file" | awk '{ print 2 * $2; exit }')
    [ "$("$haichi" metrics -p star:300000 --matrix "$file" | sed -n 's/^bytes.//p')" = "$edges" ] &&
      checked=$((checked + 1)) && continue
    echo "$file: haichi does not count $edges bytes"
    status=1
  done
fi
if /usr/bin/python3 -c 'import scipy.io, pandas, networkx' 2>/dev/null; then
  /usr/bin/python3 - <<'END' || status=1
import networkx, numpy, pandas, random, scipy.io, scipy.sparse
random.seed(1)
A = numpy.zeros((16, 16), dtype=numpy.int64)
for i in range(16):
    for k in range(16):
        if i != k and random.random() < 0.3:
            A[i, k] = random.randint(1, 10**6)
numpy.savetxt('float.txt', A)
numpy.savetxt('int.txt', A, fmt='%d')
numpy.savetxt('numpy.csv', A, delimiter=',', header='traffic')
numpy.savetxt('tabs.txt.gz', A, delimiter='\t', fmt='%d')
pandas.DataFrame(A).to_csv('pandas.csv')
pandas.DataFrame(A).to_csv('pandas-tab.csv.gz', sep='\t')
pandas.DataFrame(A).to_csv('pandas-semicolon.csv', sep=';')
names = ['rank %d' % i for i in range(16)]
F = pandas.DataFrame(A.astype(float), index=names, columns=names)
F.to_csv('pandas-names.csv', quoting=1)
F.to_csv('pandas-header.csv', index=False)
G = networkx.from_numpy_array(A, create_using=networkx.DiGraph)
networkx.write_weighted_edgelist(G, 'networkx.edges')
networkx.to_pandas_edgelist(G).to_csv('networkx.csv', index=False)
scipy.io.mmwrite('sparse.mtx', scipy.sparse.coo_matrix(A))
scipy.io.mmwrite('array.mtx', A)
scipy.io.mmwrite('real.mtx', scipy.sparse.coo_matrix(A.astype(float)), precision=17)
scipy.io.mmwrite('symmetric.mtx', scipy.sparse.coo_matrix(A + A.T))
with open('A.tsv', 'w') as f, open('AT.tsv', 'w') as t:
    for out, M in ((f, A), (t, A + A.T)):
        out.write('src\tdst\tmessages\tbytes\n')
        for i in range(16):
            for k in range(16):
                if M[i, k] > 0:
                    out.write('%d\t%d\t1\t%d\n' % (i, k, M[i, k]))
END
  for file in float.txt int.txt numpy.csv tabs.txt.gz pandas.csv pandas-tab.csv.gz pandas-semicolon.csv pandas-names.csv \
    pandas-header.csv networkx.edges networkx.csv sparse.mtx array.mtx real.mtx; do
    same torus:4x4 A.tsv $file
  done
  same torus:4x4 AT.tsv symmetric.mtx
else
  echo 'no SciPy, pandas or NetworkX: their files are not checked'
fi
echo "$checked files have the expected metrics"
exit $status
