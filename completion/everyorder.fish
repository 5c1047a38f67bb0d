# fish completion for everyorder. `everyorder complete` knows what can stand where (src/cli/complete.c).

function __everyorder_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] complete $words[2..-1] 2>/dev/null)
        switch $line
            case ':files*'
                __fish_complete_path $words[-1]
            case :folders
                __fish_complete_directories $words[-1]
            case '*'
                set -l parts (string split -m 1 ' ' -- $line)
                printf '%s\t%s\n' $parts[1] (string trim -- "$parts[2]")
        end
    end
end

complete -c everyorder -f -a '(__everyorder_complete)'
