#!/usr/bin/env bash
# What --help says, what the manual page says, and what is so: each command and option is in both, with the same default, and each
# default of `test`, given as an option, changes nothing.
# takes: 3
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=tools.bash
. "$EO_SRC/tests/integration/tools.bash"

python3 - "$everyorder" "$EO_SRC/man/everyorder.1" "$EO_BUILD/examples" <<'END' || failures=$((failures + 1))
import json, re, subprocess, sys

everyorder, page, examples = sys.argv[1:]
problems = []

def output(*words):
    return subprocess.run([everyorder, *words], capture_output=True, text=True).stdout

# ---- The manual page --------------------------------------------------------------

source = open(page).read()
synopsis = re.search(r'\.Sh SYNOPSIS\n(.*?)\.Sh ', source, re.S).group(1)

def plain(roff):
    lines = [re.sub(r'^\.(?:[A-Z][a-z]\b ?)?', '', line) if line.startswith('.') else line for line in roff.split('\n')]
    return re.sub(r'\s+([.,;:)])', r'\1', ' '.join(' '.join(lines).replace('\\&', '').split()))

described = {}  # option: what the page says of it, wherever it does
for item in re.finditer(r'^\.It ([^\n]*Fl -[^\n]*)\n(.*?)(?=^\.(?:It Fl|Ss|Sh))', source, re.S | re.M):
    for name in re.findall(r'Fl -([a-z][a-z-]+)', item.group(1)):
        described[name] = described.get(name, '') + ' ' + plain(item.group(2))

# ---- Beside --help ------------------------------------------------------------------

def options(command):
    text = output(command, '--help').split('\nOptions:\n')[-1].split('\n\n')[0]
    for row in re.split(r'\n(?=  --)', '\n' + text)[1:]:
        name, rest = re.match(r'  --([a-z-]+)(.*)', row, re.S).groups()
        yield name, ' '.join(rest.split())

def defaults(text):
    yield from re.findall(r'([\w.-]+) \(default', text)
    for value in re.findall(r'default:? ([\w.:,-]+)', text):
        value = value.rstrip(',:.')
        if value not in ('a', 'of', 'no', 'half', 'the', 'is', '-'): yield value

def says_default(text, value):
    number = value.replace(',', '')
    for sentence in re.split(r'(?<=[.;]) ', text):
        if re.search(r'[Dd]efault|not given', sentence) and re.search(r'(?<![\w-])(%s|%s)(?![\w-])' % (re.escape(value), number),
                                                                   sentence): return True
    return False

commands = re.findall(r'^  ([a-z]+) ?', output('help').split('Commands:\n')[1].split('\n\n')[0], re.M)
offered = set()
for command in commands:
    if f'.Cm {command}\n' not in synopsis: problems.append(f'the synopsis has no {command}')
    for name, text in options(command):
        offered.add(name)
        if name == 'help': continue
        if name not in described:
            problems.append(f'the page does not describe --{name} of {command}')
            continue
        for value in defaults(text):
            if not says_default(described[name], value):
                problems.append(f'--{name}: the default is {value} by `{command} --help`, and not by the page')
for name in sorted(set(described) - offered - {'version', 'help'}): problems.append(f'no command has --{name}, which the page describes')

# ---- What is so ---------------------------------------------------------------------

heeding = {}  # option: a strategy that uses it
for name, text in re.findall(r'^  ([a-z+]+) .*\n(?: .*\n)*?  +options: (.*)', output('strategies'), re.M):
    for option in re.findall(r'--([a-z-]+)', text): heeding.setdefault(option, name)

def report(words):
    run = subprocess.run([everyorder, 'test', *words, '--quiet', '--json', '-'], capture_output=True, text=True)
    try: tests = json.loads(run.stdout)['tests']
    except ValueError: return run.stderr
    # Not what depends on the clock, as the number of second runs does.
    return run.returncode, [[test[member] for member in ('test', 'verdict', 'covered', 'executions', 'pruned', 'failures', 'states', 'max_depth')] +
                            [[error[member] for member in ('kind', 'message', 'ticket', 'depth')] for error in test['errors']] for test in tests]

tried = 0
for name, text in options('test'):
    subject, test = ('cache', None) if name == 'params' else ('bank', 'lost_update')
    for value in defaults(text):
        words = [f'{examples}/{subject}', '--keep-going'] + (['--test', test] if test else [])
        if name != 'minimise': words += ['--no-minimise'] # its time is by the clock
        if name in heeding and name not in ('seed', 'executions', 'jobs'): words += ['--strategy', heeding[name]]
        if name == 'cache': words[-1] = {'unlimited': 'ses', 'off': 'preempt'}[value]
        if name == 'time' or (name, value) in (('strategy', 'full'), ('jobs', '0'), ('length', '100'), ('executions', '10,000')): continue
        if name in ('budget', 'grace', 'colour'): continue  # of a cluster; of the text
        tried += 1
        if report(words) != report(words + [f'--{name}', value.replace(',', '')]):
            problems.append(f'--{name} {value} is not the default of `{" ".join(words)}`')
if tried < 12: problems.append(f'only {tried} defaults were tried')
print(f'{len(commands)} commands, {len(offered)} options, {tried} defaults tried')
for problem in problems: print('help:', problem)
sys.exit(bool(problems))
END
all_well
