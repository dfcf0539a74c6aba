#compdef haichi
# Completion for zsh.  Loads the completion for bash, which is installed beside it.
autoload -U +X bashcompinit && bashcompinit
source "${${(%):-%x}:A:h}/../../bash-completion/completions/haichi"
_bash_complete -o filenames -F _haichi
