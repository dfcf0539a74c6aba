# usage: awk -v pages=0 -f plain-words.awk FILE...
# Counts constructions that slow a reader down, in the comments of C files or, with pages=1, in Markdown
# outside of code.  Prints the lines with such constructions and exits 1 if their number per 10,000 words is
# above the limit.

function count(text, pattern, n)
{
  n = 0
  while (match(text, pattern)) {
    n++
    text = substr(text, RSTART + RLENGTH - 1)
  }
  return n
}

# Words in lower case, each between two blanks; punctuation is a word.
function words_of(text)
{
  text = tolower(text)
  gsub(/[^a-z0-9_ \t]/, " . ", text)
  gsub(/[ \t]+/, " ", text)
  return " " text " "
}

function look(text, k, n)
{
  words += split(text, unused, " ")
  text = words_of(text)
  for (k = 1; k <= kinds; k++) {
    n = count(text, pattern[k])
    found[k] += n
    if (n > 0)
      lines[k] = lines[k] sprintf("%s:%d: %s\n", FILENAME, FNR, name[k])
  }
}

# The comments on a line of C.
function comments(line, out, at)
{
  out = ""
  while (line != "") {
    if (inside) {
      at = index(line, "*/")
      out = out (at ? substr(line, 1, at - 1) : line)
      if (!at)
        break
      inside = 0
      line = substr(line, at + 2)
    } else if (match(line, /\/\*|\/\/|"(\\.|[^"\\])*"/)) {
      at = substr(line, RSTART, 2)
      line = substr(line, RSTART + RLENGTH)
      if (at == "//") {
        out = out line
        break
      }
      inside = at == "/*"
    } else
      break
  }
  return out
}

BEGIN {
  kinds = 3
  name[1] = "'that of', 'those which': name the thing"
  pattern[1] = " (that|those|these) (of|that|which|with|in|on|by|from|for) "
  limit[1] = 3
  name[2] = "a clause with 'what': name the thing"
  pattern[2] = " what (it|is|are|they|a|an|the|has|have|was|were|there|one|each|all|no) "
  limit[2] = 3
  name[3] = "'who', 'somebody': name the part of the program"
  pattern[3] = " (who|whom|somebody|nobody|anybody) "
  limit[3] = 2
}

FNR == 1 { inside = code = 0 }

pages && /^```/ { code = !code }

pages {
  if (!code && $0 !~ /^(    |```)/) {
    text = $0
    gsub(/`[^`]*`/, "", text)
    look(text)
  }
  next
}

{
  text = comments($0)
  if (text ~ /[^ *\/]/)
    look(text)
}

END {
  for (k = 1; k <= kinds; k++)
    if (found[k] * 10000 > limit[k] * words) {
      printf "%s%d in %d words: above %d per 10,000\n", lines[k], found[k], words, limit[k]
      bad = 1
    }
  exit bad
}
