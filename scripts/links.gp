# Load of the links, heaviest first, one curve a file of `haichi sim --links`.
#   gnuplot -e "out='links.png'; files='xyz.links.tsv random.links.tsv'; names='xyz random'" links.gp
set terminal pngcairo size 960,540 font 'Helvetica,14'
set output out
set datafile separator tab
set xlabel 'links, heaviest first'
set ylabel 'bytes over the link (MB)'
set key top right
set grid ytics lc rgb '#dddddd'
set border 3
set tics nomirror
set yrange [0:*]
array colour[4] = ['#0072b2', '#d55e00', '#009e73', '#cc79a7']
sorted(f) = sprintf("< tail -n +2 '%s' | cut -f3 | sort -rn", f)
plot for [i=1:words(files)] sorted(word(files, i)) using 0:($1/1e6) \
  with steps lw 2.5 lc rgb colour[i] title word(names, i)
