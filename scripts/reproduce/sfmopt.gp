# Bars of one figure, relative to xyz: a group for each benchmark, a bar for each mapper.  gnuplot -e sets
# table, output and what.
set terminal svg size 640,400 font 'Helvetica,20' noenhanced background '#ffffff'
set output output
set style fill solid 1 border rgb '#222222'
set border 3 lc rgb '#333333'
set tics nomirror out scale 0.6
set xtics scale 0
set grid noxtics ytics lc rgb '#dddddd' lw 0.7 lt 1
set yrange [0:*]
set ylabel what
set key outside top center horizontal samplen 1
# Okabe and Ito, Color Universal Design (2008).
array colour[4] = [0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7]
groups = int(system(sprintf("head -1 '%s' | awk -F'\t' '{ print NF - 1 }'", table)))
head(i) = system(sprintf("head -1 '%s' | cut -f%d | sed 's/mean_without_mg/no mg/'", table, i + 1))
mapper(m) = system(sprintf("sed -n %dp '%s' | cut -f1", m + 2, table))
# The first row is the header, the second row xyz.
bars(m) = sprintf("< awk -F'\t' 'NR == %d { for (i = 2; i <= NF; i++) if ($i != \"-\") print i - 1, $i }' '%s'", \
  m + 2, table)
set xtics ()
do for [i=1:groups] { set xtics add (head(i) i) }
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb '#000000' lw 0.8 front
bar = 0.2
set boxwidth bar
set xrange [0.4:groups + 0.6]
plot for [m=1:4] bars(m) using ($1 + (m - 2.5) * bar):2 with boxes lc rgb colour[m] title mapper(m)
