# Completion of haichi's command line for bash, and for zsh through bashcompinit.  The commands,
# options, mappers and topologies come from the output of haichi itself.

# _haichi_names LIST WORD: prints the names of `haichi list LIST`; a name with options as "NAME:".  If
# WORD has a colon, prints the examples and options of the list instead.
_haichi_names()
{
  case $2 in
  *:*) haichi list "$1" 2>/dev/null | cut -f 1 | grep -v -F ... ;;
  *) haichi list "$1" 2>/dev/null | cut -f 1 | grep -v -F ... | sed 's/:.*/:/' | sort -u | _haichi_plain ;;
  esac
}

# Removes "NAME:" if "NAME" is listed too, since the options of NAME are optional.
_haichi_plain()
{
  awk '{ line[NR] = $0; has[$0] = 1 }
    END { for (i = 1; i <= NR; i++) { name = line[i]; if (sub(/:$/, "", name) && name in has) continue; print line[i] } }'
}

# _haichi_commands: prints the commands
_haichi_commands()
{
  haichi help 2>/dev/null | sed -n 's/^  \([a-z0-9-]*\) .*/\1/p'
}

# _haichi_options COMMAND...: prints the options that --help of the command lists
_haichi_options()
{
  haichi "$@" --help 2>/dev/null | grep -E '^ +-' | grep -oE -e '(^|[ ,])-(-[a-z][a-z0-9-]*|[A-Za-z])' |
    tr -d ' ,' | sort -u
}

# _haichi_choices COMMAND OPTION: prints the list "a, b or c" in the help of an option
_haichi_choices()
{
  haichi "$1" --help 2>/dev/null | tr -s '\n ' ' ' | grep -oE -e " $2=[^(]*\(" |
    grep -oE '([a-z0-9-]+, )*[a-z0-9-]+ or [a-z0-9-]+' | sed 's/, / /g; s/ or / /' | tr ' ' '\n'
}

# _haichi_values COMMAND OPTION WORD: prints the values of an option
_haichi_values()
{
  case $2 in
  -p | --platform) _haichi_names topologies "$3" ;;
  -t | --trace) _haichi_names benchmarks "$3" ;;
  -m | --mapping | --mapper) _haichi_names mappers "$3" ;;
  -M) _haichi_choices "$1" --model ;;
  --model | --network-model | --format | --steal | --method | --select | --kernel) _haichi_choices "$1" "$2" ;;
  --engine) _haichi_names engines "$3" ;;
  --background) _haichi_names loads "$3" ;;
  --effect) _haichi_names effects "$3" ;;
  --load) echo none && _haichi_names loads "$3" ;;
  --network) _haichi_names tasknets "$3" ;;
  --overlay) _haichi_names overlays "$3" ;;
  --on) _haichi_names backends "$3" ;;
  --matrix-format) _haichi_names matrices "$3" ;;
  -s | --scheduler) _haichi_names schedulers "$3" ;;
  --timeline-format)
    haichi "$1" --help 2>/dev/null | tr '\n' ' ' | sed -n 's/.* of --timeline: *\([^(]*\)(.*/\1/p' | grep -oE '[a-z0-9]{3,}'
    ;;
  --collectives) printf '%s\n' default ompi mpich mvapich2 impi ;;
  --collective) haichi list collectives 2>/dev/null | cut -f 1 ;;
  esac
}

# _haichi_operands COMMAND WORD: prints the possible first operands of a command
_haichi_operands()
{
  case $1 in
  help) _haichi_commands ;;
  map | metrics) _haichi_names mappers "$2" ;;
  platform) _haichi_names topologies "$2" ;;
  schedule) _haichi_names tasknets "$2" ;;
  plot) haichi plot --help 2>/dev/null | sed -n 's/^\([a-z-]*\) [A-Z][A-Z./a-z]*[.:].*/\1/p' ;;
  list) haichi list --help 2>/dev/null | grep -oE '[a-z]+(\|[a-z]+)+' | head -n 1 | tr '|' '\n' ;;
  esac
}

# _haichi_takes_files COMMAND OPTION OPERAND: succeeds if the value of the option, or this operand, may be
# a file
_haichi_takes_files()
{
  case $2 in
  -M | --model | --network-model | --engine | --background | --effect | --load | --overlay | --on | --matrix-format | -s | --scheduler | --steal | \
    --method | --select | --kernel | --format | --timeline-format | --collective) return 1 ;;
  esac
  case $1$2$3 in
  help* | list* | plot1 | map1) return 1 ;;
  esac
  return 0
}

# _haichi_words COMMAND SUBCOMMAND OPTION OPERAND WORD: prints the possible words for WORD; fails if WORD
# may also be a file
_haichi_words()
{
  local words=''
  case $5 in
  -*) _haichi_options "$1" ${2:+"$2"} && return 0 ;;
  esac
  [ -z "$3" ] || words=$(_haichi_values "$1" "$3" "$5")
  [ "$3$4" != 1 ] || words=$(_haichi_operands "$1" "$5")
  printf '%s\n' "$words"
  ! _haichi_takes_files "$1" "$3" "$4"
}

_haichi()
{
  # Splits the line at blanks, since bash would also split words at colons and equals signs.
  local line=${COMP_LINE:0:$COMP_POINT}
  local first='' second='' before='' current='' several='' count=0 word='' files='' words='' cut=''
  set -o noglob
  for word in $(printf '%sx' "$line"); do
    count=$((count + 1))
    before=$current
    current=$word
    case $count in
    2) first=$word ;;
    3) second=$word ;;
    esac
    # These options take all words up to the next option.
    case $first:$word in
    compare:-p | compare:--platform | compare:-t | compare:--trace | compare:-m | compare:--mapper | compare:--network | \
      compare:-s | compare:--scheduler) several=$word ;;
    esac
  done
  set +o noglob
  current=${current%x}
  case $before in
  -*) several=$before ;;
  esac
  case $current in
  --*=*)
    several=${current%%=*}
    current=${current#*=}
    ;;
  esac
  case $first:$count in
  *:[12]) words="help $(_haichi_commands)" ;;
  trace:3 | wan:3 | tasknet:3) words=$(haichi "$first" --help 2>/dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p') ;;
  trace:* | wan:* | tasknet:*) words=$(_haichi_words "$first" "$second" "$several" $((count - 3)) "$current") || files=yes ;;
  *) words=$(_haichi_words "$first" '' "$several" $((count - 2)) "$current") || files=yes ;;
  esac
  local IFS=$' \t\n'
  # shellcheck disable=SC2207 # a list of words
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  # shellcheck disable=SC2207 # a list of words
  [ -z "$files" ] || COMPREPLY+=($(compgen -f -- "$current"))
  # bash has already completed the part of the word before a colon or an equals sign.
  case ${COMP_WORDBREAKS-}:$current in
  *:*[:=]*:* | *:*:*) cut=${current%"${current##*[:=]}"} ;;
  esac
  [ -z "$cut" ] || COMPREPLY=("${COMPREPLY[@]#"$cut"}")
  case ${#COMPREPLY[@]}${COMPREPLY[0]-} in
  1*[:=]) compopt -o nospace 2>/dev/null ;; # its value follows
  esac
  return 0
}

complete -o filenames -F _haichi haichi
