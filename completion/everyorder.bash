# bash completion for everyorder

_everyorder()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    local commands='test reach model estimate worker cluster list replay report show diff export serve pairwise strategies help'
    local command=${COMP_WORDS[1]}
    COMPREPLY=()

    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$commands --help --version" -- "$cur"))
        return
    fi

    case $prev in
        --strategy)
            # The first words of the first list that this prints; the second one is of wrappers.
            COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" strategies 2>/dev/null |
                sed -n '/^$/q; s/^  \([a-z][a-z0-9_+-]*\)  .*/\1/p')" -- "$cur"))
            return
            ;;
        --explorer)
            compopt -o filenames 2>/dev/null
            COMPREPLY=($(compgen -W 'rtc rr prr custom' -- "$cur") $(compgen -f -X '!*.so' -- "$cur"))
            return
            ;;
        --cache)
            COMPREPLY=($(compgen -W 'unlimited refuse replace off' -- "$cur"))
            return
            ;;
        --abnormal)
            COMPREPLY=($(compgen -W 'unnoticed fail' -- "$cur"))
            return
            ;;
        --timeouts)
            COMPREPLY=($(compgen -W 'eager idle' -- "$cur"))
            return
            ;;
        --dpor)
            COMPREPLY=($(compgen -W 'optimal source classic' -- "$cur"))
            return
            ;;
        --delivery)
            COMPREPLY=($(compgen -W 'mailbox fifo causal async' -- "$cur"))
            return
            ;;
        --colour)
            COMPREPLY=($(compgen -W 'auto always never' -- "$cur"))
            return
            ;;
        --tickets)
            compopt -o filenames 2>/dev/null
            COMPREPLY=($(compgen -d -- "$cur"))
            return
            ;;
        --params)
            compopt -o filenames 2>/dev/null
            COMPREPLY=($(compgen -W 'pairwise 3-way 4-way 5-way 6-way all' -- "$cur") $(compgen -f -- "$cur"))
            return
            ;;
        --order)
            COMPREPLY=($(compgen -W '1 2 3 4 5 6 max' -- "$cur"))
            return
            ;;
        --algorithm)
            COMPREPLY=($(compgen -W 'best ipo ipo-ec' -- "$cur"))
            return
            ;;
        --effort)
            COMPREPLY=($(compgen -W 'fast best' -- "$cur"))
            return
            ;;
        --output)
            if [ "${COMP_WORDS[1]}" != pairwise ]; then
                COMPREPLY=($(compgen -f -- "$cur"))
                return
            fi
            COMPREPLY=($(compgen -W 'text csv json tap' -- "$cur"))
            return
            ;;
        --format)
            COMPREPLY=($(compgen -W 'shiviz mermaid dot perfetto' -- "$cur"))
            return
            ;;
        --json|--live|--report|--junit|--tap|--sarif|--dot|-o|--program|--resume|--existing)
            compopt -o filenames 2>/dev/null
            COMPREPLY=($(compgen -f -- "$cur"))
            return
            ;;
        --test)
            # The tests of the program that was named already.
            if [ -x "${COMP_WORDS[2]}" ] && [ -f "${COMP_WORDS[2]}" ]; then
                COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" list "${COMP_WORDS[2]}" 2>/dev/null |
                    sed -n 's/^ *\([A-Za-z_][A-Za-z0-9_]*\).*/\1/p')" -- "$cur"))
            fi
            return
            ;;
        --never|--bound|--executions|--time|--depth|--seed|--watchdog|--until|--jobs|--cluster|--join|--budget|--grace|--width|--listen|--token)
            return
            ;;
    esac

    # The options of a subcommand are those that its own help lists.
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null |
            sed -n 's/^  \(--[a-z-]*\).*/\1/p')" -- "$cur"))
        return
    fi

    case $command:$cur in
        cluster:*)
            if [ "$COMP_CWORD" -eq 2 ]; then
                COMPREPLY=($(compgen -W 'status pause resume cancel drop' -- "$cur"))
            fi
            ;;
        serve:*)
            compopt -o filenames 2>/dev/null
            COMPREPLY=($(compgen -d -- "$cur"))
            ;;
        help:*) COMPREPLY=($(compgen -W "$commands" -- "$cur")) ;;
        test:*|reach:*|model:*|estimate:*|list:*|replay:*|report:*|show:*|diff:*|export:*|pairwise:*)
            compopt -o filenames 2>/dev/null
            COMPREPLY=($(compgen -f -- "$cur"))
            ;;
    esac
}

complete -F _everyorder everyorder
