# The common part of all pictures.  gnuplot reads the data first (output, format, a legend and the
# variables of the template), then this file, then plot_KIND.gp, which sets `height` and calls
# `eval begin_picture`.
#
# The canvas is 640 pixels wide.  In a picture that is shown 8.5 cm wide, letters of size 20 are
# 7.5 pt high.  A PNG has twice the pixels; its terminal has 96 pixels per inch.
set encoding utf8
width = 640
letter = 10 # approximate width of a letter
line = 26   # from a line of text to the next

# Colours of Okabe and Ito, Color Universal Design (2008).  Yellow is last, since it is pale on white.
# The series after the eighth have the same colours, paler.
array colour[8] = [0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00, 0x000000, 0xf0e442]
pick(i) = i <= 8 ? colour[i] : ((colour[(i - 1) % 8 + 1] >> 1) & 0x7f7f7f) + 0x7f7f7f
# Number of entry i of the legend among all series of the results.
series(i) = value(sprintf('key_series_%d', i))

# From small to large values the colours go from light to dark: cividis (Nunez, Anderton, Renslow,
# PLoS ONE 13(7), 2018) in reverse, at nine points.
set palette defined (0 '#fee838', 0.125 '#e1cc55', 0.25 '#c3b369', 0.375 '#a59c74', 0.5 '#8a8678', \
  0.625 '#707173', 0.75 '#575d6d', 0.875 '#35456c', 1 '#00224e')

small = format eq 'svg' ? ',16' : ',12'
point = format eq 'svg' ? 0.5 : 1 # the size of a point depends on the terminal

inches(pixels) = pixels / 72. # size of PDF and EPS, equal to the size of the SVG
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

# Draws the legend.  haichi gives the positions of the entries; key_symbol(i) and key_colour(i) are
# symbol and colour of entry i, and key_crossed(i) is true if a cross is drawn over the symbol.
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

# Draws the titles of the axes at the edge of the canvas, since each terminal would place them
# differently.
draw_titles = 'set label 1 x_title at graph 0.5, screen 16.0 / height center; \
  set label 2 y_title at screen 16.0 / width, graph 0.5 center rotate by 90'

# Sets the unit for numbers up to max_bytes: its size unit_bytes and its name.
choose_unit = 'unit_bytes = 1.; unit = "B"; \
  do for [u in "kB MB GB TB PB EB"] { \
    if (max_bytes >= 1000 * unit_bytes) { unit_bytes = 1000 * unit_bytes; unit = u } \
  }'

# Labels below the axis, of up to longest_label letters.  If `turned` is true, they are turned by 40
# degrees, long ones in small letters, and left_margin(first) makes room for the first label, whose
# distance from the left edge of the plot is the share `first` of the plot.
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
