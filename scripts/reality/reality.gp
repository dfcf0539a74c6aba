# Predicted against measured times of one set.  gnuplot -e sets table, name and output.
set terminal pngcairo size 640,560 font "sans,11"
set output output
set datafile separator "\t"
set datafile missing "-"
set logscale xy
set key top left
set title name noenhanced
set xlabel "measured, s"
set ylabel "predicted, s"
set format xy "%g"
mine(c) = stringcolumn(1) eq name && !(stringcolumn(8)[1:11] eq "calibration") ? column(c) : NaN
fitted(c) = stringcolumn(1) eq name && stringcolumn(8)[1:11] eq "calibration" ? column(c) : NaN
plot x with lines lc rgb "#888888" title "equal", \
     1.1 * x with lines lc rgb "#bbbbbb" dt 2 title "10 %", \
     x / 1.1 with lines lc rgb "#bbbbbb" dt 2 notitle, \
     table using (mine(3)):(mine(7)) with points pt 1 lc rgb "#cc6600" title "SMPI, published", \
     table using (fitted(3)):(fitted(5)) with points pt 6 lc rgb "#0060ad" title "calibration", \
     table using (mine(3)):(mine(5)) with points pt 7 lc rgb "#0060ad" title "haichi"
