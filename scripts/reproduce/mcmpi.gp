# Draws a figure from a table.  The first column has x values, or names of groups of bars; each other column is a line, or a
# bar in each group.
# gnuplot -e sets table, output, xwhat, ywhat, xlog (0 or 1) and kind: lines, pairs (lines; the second of each two is
# dashed), log (lines with logarithmic axes) or bars.
set terminal svg size 640,420 font 'Helvetica,15' noenhanced background '#ffffff'
set output output
set border 3 lc rgb '#333333'
set tics nomirror out scale 0.6
set grid ytics lc rgb '#dddddd' lw 0.7 lt 1
set xlabel xwhat
set ylabel ywhat
set key outside top center horizontal samplen 1
set datafile separator '\t'
set datafile missing '-'
# Okabe and Ito, Color Universal Design (2008).
array colour[8] = [0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0xd55e00, 0x56b4e9, 0xf0e442, 0x000000]
columns = int(system(sprintf("head -1 '%s' | awk -F'\t' '{ print NF }'", table)))
head(i) = system(sprintf("head -1 '%s' | cut -f%d", table, i))
# The numbers of the columns that have values, as words.
shown = system(sprintf("awk -F'\t' 'NR > 1 { for (i = 2; i <= NF; i++) if ($i != \"-\") seen[i] = 1 }" . \
  " END { for (i = 2; i <= NF; i++) if (i in seen) print i }' '%s'", table))
if (kind eq 'log') { set logscale y; set format y '%g' } else { set yrange [0:*] }
if (kind eq 'bars') {
  set style fill solid 1 noborder
  set style data histograms
  set style histogram clustered gap 1
  set xtics scale 0
  plot for [i=2:columns] table every ::1 using i:xtic(1) lc rgb colour[i - 1] title head(i)
} else {
  if (kind eq 'log' || xlog) { set logscale x 2 }
  shade(i) = ((kind eq 'pairs' ? i / 2 - 1 : i - 2) % 8) + 1
  dash(i) = kind eq 'pairs' && i % 2 ? 2 : 1
  plot for [i in shown] table every ::1 using 1:(column(int(i))) with linespoints pt 7 ps 0.7 lw 2 \
    lc rgb colour[shade(int(i))] dt dash(int(i)) title head(int(i))
}
