# A group of bars a trace: $bars has "group mapper mean min max".
turned = longest_label * letter > 560.0 / (traces + means)
label_height = turned ? longest_label * letter * 0.65 + 10 : line
height = 300 + key_rows * line + label_height + (subtitle eq '' ? 0 : line)
eval begin_picture
if (turned) { set xtics rotate by 40 right }
if (subtitle ne '') { set title subtitle font ',16' tc rgb '#555555' offset 0,-0.5 }
set key tmargin center horizontal Left reverse samplen 1 maxcols key_columns
set xtics scale 0
set grid noxtics ytics
set style fill solid 1 border rgb '#222222'
bar = 0.82 / mappers
set boxwidth bar
set xrange [-0.55:(means ? means_at : traces - 1) + 0.55]
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
set ylabel 'speedup over '.baseline
at(group, m) = group + (m - (mappers + 1) / 2.0) * bar
if (means) { set arrow 1 from means_at - 0.62, graph 0 to means_at - 0.62, graph 1 nohead dt 2 lc rgb '#888888' lw 0.7 }
set arrow 2 from graph 0, first 1 to graph 1, first 1 nohead lc rgb '#000000' lw 0.8 front
plot for [m=1:mappers] $bars using (at($1, $2)):($2 == m ? $3 : NaN) with boxes lc rgb pick(m) lw 0.4 \
    title value(sprintf('mapper_%d', m)), \
  $bars using (at($1, $2)):($5 > $4 ? $3 : NaN):4:5 with yerrorbars ps 0 lw 0.8 lc rgb '#000000' notitle
