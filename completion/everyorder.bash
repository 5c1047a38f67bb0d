# bash completion for everyorder. `everyorder complete` knows what can stand where (src/cli/complete.c).

_everyorder()
{
    local cur=${COMP_WORDS[COMP_CWORD]} line
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            ":files .so") COMPREPLY+=($(compgen -f -X '!*.so' -- "$cur")) ;;
            :files) COMPREPLY+=($(compgen -f -- "$cur")) ;;
            :folders) COMPREPLY+=($(compgen -d -- "$cur")) ;;
            *)
                COMPREPLY+=("${line%% *}")
                continue
                ;;
        esac
        compopt -o filenames 2>/dev/null
    done < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    # Names of tests come from the program, whatever was typed.
    [ ${#COMPREPLY[@]} -eq 0 ] || COMPREPLY=($(compgen -W "${COMPREPLY[*]}" -- "$cur"))
}

complete -F _everyorder everyorder
