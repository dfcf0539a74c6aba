# Heat map of a traffic matrix: bytes from each rank (down) to each other (across).
#   gnuplot -e "out='cg.png'; file='cg.tsv'; ranks=64; name='cg.A.64'" heat.gp
set terminal pngcairo size 460,400 font 'Helvetica,11'
set output out
set datafile separator tab
set title name
set xlabel 'to rank' offset 0,0.5
set ylabel 'from rank' offset 1,0
set xrange [-0.5:ranks-0.5]
set yrange [ranks-0.5:-0.5]
set size ratio 1
set tics out nomirror
set xtics 0,ranks/4
set ytics 0,ranks/4
set logscale cb
set cblabel 'bytes'
set format cb '10^{%L}'
set palette defined (0 '#deebf7', 1 '#6baed6', 2 '#08519c', 3 '#08204a')
unset key
# Squares of one rank a side; a message without payload counts as one byte.
half = 0.5
plot file skip 1 using 2:1:($2-half):($2+half):($1-half):($1+half):($4>0?$4:1) \
  with boxxyerror fill solid noborder palette
