# What all pictures share.  haichi has gnuplot read its data first (output, format, a legend and
# what the template needs), then this file, then plot_KIND.gp, which sets `height` and calls
# `eval begin_picture`.
#
# The canvas is 640 wide; shown 8.5 cm wide, its letters of 20 are 7.5 pt high.  PNG has twice the
# pixels; its terminal counts 96 of them an inch.
set encoding utf8
width = 640
letter = 10 # about the width of one
line = 26   # from a line of text to the next

# Okabe and Ito, Color Universal Design (2008), yellow last: it is pale on white.  After the eighth
# they come again, paler.
array colour[8] = [0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00, 0x000000, 0xf0e442]
pick(i) = i <= 8 ? colour[i] : ((colour[(i - 1) % 8 + 1] >> 1) & 0x7f7f7f) + 0x7f7f7f
# Of entry i of the legend: its number among all series of the results.
series(i) = value(sprintf('key_series_%d', i))

# Small to large is light to dark, as in print: the reverse of cividis (Nunez, Anderton, Renslow,
# PLoS ONE 13(7), 2018), at nine points.
set palette defined (0 '#fee838', 0.125 '#e1cc55', 0.25 '#c3b369', 0.375 '#a59c74', 0.5 '#8a8678', \
  0.625 '#707173', 0.75 '#575d6d', 0.875 '#35456c', 1 '#00224e')

small = format eq 'svg' ? ',16' : ',12'
point = format eq 'svg' ? 0.5 : 1 # the terminals differ in what they take for a point

inches(pixels) = pixels / 72. # of PDF and EPS: as large as the SVG
begin_picture = 'if (format eq "svg") { \
    set terminal svg size width,height font "Helvetica,20" noenhanced linewidth 1.2 \
      background "#ffffff" \
  } else { if (format eq "pdf") { \
    set terminal pdfcairo size inches(width),inches(height) font "Helvetica,15" noenhanced \
      fontscale 1 linewidth 2.4 background "#ffffff" \
  } else { if (format eq "eps") { \
    set terminal epscairo size inches(width),inches(height) font "Helvetica,15" noenhanced \
      fontscale 1 linewidth 2.4 background "#ffffff" \
  } else { \
    set terminal pngcairo size 2*width,2*height font "Helvetica,15" noenhanced fontscale 2 \
      linewidth 3 pointscale 2 \
  } } }; \
  set output output'

# The legend: haichi says where its entries stand, key_symbol(i) and key_colour(i) how they look, and
# key_crossed(i) whether a cross is in the symbol.
key_crossed(i) = 0
subtitle_rows = exists('subtitle') ? (subtitle ne '') : 0
head = (exists('key_rows') ? key_rows : 0) * line + subtitle_rows * line + 16
from_top(pixels) = 1 - 1.0 * pixels / height
draw_legend = 'do for [i=1:key_count] { \
    key_at = from_top((value(sprintf("key_row_%d", i)) - 0.5) * line + 2); \
    set label 100 + i "" at screen (value(sprintf("key_x_%d", i)) + 6) / width, screen key_at \
      point pt key_symbol(i) ps 1.2 * point lc rgb key_colour(i); \
    if (key_crossed(i)) { \
      set label 2000 + i "" at screen (value(sprintf("key_x_%d", i)) + 6) / width, screen key_at \
        point pt 2 ps 0.6 * point lc rgb key_colour(i) \
    }; \
    set label 1000 + i value(sprintf("key_%d", i)) \
      at screen (value(sprintf("key_x_%d", i)) + 17) / width, screen key_at left \
  }; \
  if (subtitle_rows) { \
    set label 100 subtitle at screen 0.99, screen from_top(key_rows * line + 16) right \
      font small tc rgb "#555555" \
  }'

# Titles of axes at the edge of the canvas: each terminal would put them elsewhere.
draw_titles = 'set label 1 x_title at graph 0.5, screen 16.0 / height center; \
  set label 2 y_title at screen 16.0 / width, graph 0.5 center rotate by 90'

# unit_bytes and its name, for numbers up to max_bytes.
choose_unit = 'unit_bytes = 1.; unit = "B"; \
  do for [u in "kB MB GB TB PB EB"] { \
    if (max_bytes >= 1000 * unit_bytes) { unit_bytes = 1000 * unit_bytes; unit = u } \
  }'

# Labels below the axis, of up to longest_label letters, the first one a share `first` of the plot
# from its left edge: if `turned`, at 40 degrees, smaller if they are long, and with room at the left.
longest_label = exists('longest_label') ? longest_label : 0
reach = 1.1 * letter * longest_label * (longest_label <= 16 ? 1 : 0.8)
drop = 0.65 * reach
left_edge(first) = (0.77 * reach / width - first) / (1 - first)
left_margin(first) = !turned || left_edge(first) < 0.15 ? 0.15 : left_edge(first) > 0.3 ? 0.3 : left_edge(first)
turn_labels = 'if (turned) { \
    set xtics rotate by 40 right offset 0, (format eq "svg" ? -0.1 : 0); \
    if (longest_label > 16) { set xtics font small } \
  }'

set border 3 lc rgb '#333333'
set tics nomirror out scale 0.6
set xtics offset 0, (format eq 'svg' ? 0.5 : 0)
set grid lc rgb '#dddddd' lw 0.7 lt 1
unset key
