"""verdicts.py PROGRAM SEEDS FIRST: explores random programs (verdict_program.c) by all strategies and compares.

dfs is the judge. Whatever a run says, it says in every output: exit code, text, JSON, JUnit, TAP, SARIF, HTML, live log. A
finding that was shown means fail; pass means that dfs finds nothing; a run that was cut off never passes."""
import concurrent.futures, json, os, random, re, shutil, subprocess, sys, tempfile
import xml.etree.ElementTree as xml

ENDS = ['clean', 'assertion', 'deadlock', 'crash', 'abort', 'misuse', 'sharing', 'exit', 'liveness', 'endless',
        'specific', 'abnormal', 'nondeterminism', 'kill', 'timeouts']
LIMIT = ' --executions 2000'
SLOWEST = 180 # seconds, on a busy machine
JUDGE = 'dfs --keep-going --executions 10000'
STRATEGIES = [
    'dfs', 'dfs --executions 2', 'dfs --jobs 2', 'dpor', 'dpor --keep-going', 'dpor --bound 1', 'dpor --jobs 2',
    'dpor --dpor source', 'dpor --dpor classic --keep-going', 'preempt', 'preempt --cache unlimited', 'preempt --bound 0',
    'ses', 'ses --explorer rr --cache off', 'ses --delays 1', 'ses --cache replace --cache-mb 1', 'ss', 'random --executions 20',
    'pct --executions 20', 'pos --executions 20 --keep-going', 'surw --executions 20', 'irs --executions 20', 'reach',
    'reach --keep-going', 'dpor --delivery fifo', 'dfs --delivery fifo', 'ses --delivery async', 'dfs --depth 12',
    'dpor --depth 12', 'ses --depth 12', 'preempt --cache unlimited --depth 12', 'random --depth 12 --executions 9',
    'dfs --depth 12 --depth-fails', 'dpor --depth 12 --depth-fails --keep-going', 'dfs --timeouts idle', 'dpor --timeouts idle',
    'ses --timeouts idle', 'reach --timeouts idle']
SAME = ['verdict', 'complete', 'covered', 'stopped', 'executions', 'pruned', 'failures', 'cut', 'states', 'max_depth', 'restarts']
STATUS = {'pass': 0, 'fail': 1, 'incomplete': 3}


def html_test(text):
    data = re.search(r'<script[^>]*application/json[^>]*>(.*?)</script>', text, re.S)
    return json.loads(data.group(1))['tests'][0]


class Run:
    """One exploration, and what each output says of it."""

    def __init__(self, program, seed, end, words):
        self.words, self.problems = words, []
        folder = tempfile.mkdtemp()
        outputs = {name: os.path.join(folder, name) for name in ('json', 'junit', 'tap', 'sarif', 'report', 'live')}
        words += '' if '--executions' in words else LIMIT
        words += '' if '--depth' in words else ' --depth 100'
        command = [program, '--strategy'] + words.split() + ['--quiet', '--tickets', 'none', '--no-minimise']
        for name, path in outputs.items():
            command += ['--' + name, path]
        environment = dict(os.environ, EO_VERDICT_SEED=str(seed), EO_VERDICT_END=end)
        try:
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SLOWEST)
            self.status, self.text = done.returncode, done.stdout + done.stderr
        except subprocess.TimeoutExpired:
            self.status, self.text = -1, f'it takes longer than {SLOWEST} seconds'
        try:
            self.read({name: open(path).read() for name, path in outputs.items()})
        except (OSError, ValueError, KeyError, IndexError, AttributeError) as error:
            self.problems.append(f'outputs cannot be read: {error!r}')
            self.verdict, self.kinds, self.complete, self.test = 'unknown', [], False, {'cut': 0}
        shutil.rmtree(folder)

    def expect(self, what, said, expected):
        if said != expected:
            self.problems.append(f'{what} says {said!r} instead of {expected!r}')

    def read(self, outputs):
        test = self.test = json.loads(outputs['json'])['tests'][0]
        self.verdict, self.kinds, self.complete = test['verdict'], [e['kind'] for e in test['errors']], test['complete']
        self.expect('exit code', self.status, STATUS.get(self.verdict))
        label = {'pass': 'ok', 'fail': 'FAIL', 'incomplete': 'part'}.get(self.verdict)
        self.expect('text', re.findall(r'^(ok|FAIL|part|skip|ERROR) ', self.text, re.M), [label])
        suite = xml.fromstring(outputs['junit']).find('testsuite')
        self.expect('junit', [int(suite.get(n)) for n in ('tests', 'failures', 'errors', 'skipped')],
                    [1, int(self.verdict == 'fail'), 0, 0])
        self.expect('tap', re.findall(r'^((?:not )?ok) 1 - drawn_program( # SKIP)?', outputs['tap'], re.M),
                    [('not ok' if self.verdict == 'fail' else 'ok', '')])
        sarif = json.loads(outputs['sarif'])['runs'][0]
        self.expect('sarif', len(sarif['results']), len(self.kinds))
        html = html_test(outputs['report'])
        differ = [name for name in test if name != 'errors' and html.get(name) != test[name]]
        self.expect('html', [differ, len(html['errors'])], [[], len(self.kinds)])
        live = [json.loads(line) for line in outputs['live'].splitlines()]
        end = [e for e in live if e['event'] == 'end'][0]
        self.expect('live counts', {n: end[n] for n in SAME}, {n: test[n] for n in SAME})
        self.expect('live kinds', [e['kind'] for e in live if e['event'] == 'finding'], self.kinds)
        self.expect('sarif kinds', sorted(r['ruleId'].split('/')[-1] for r in sarif['results']),
                    sorted(k.replace(' ', '-') for k in self.kinds))
        words = ' '.join(suite.find('testcase').find('system-out').text.split())
        by_state = test['executions'] == 0 and test['states'] > 0
        self.expect('junit words', words.split(' by strategy')[0],
                    f'{test["states"]} states' if by_state else f'{test["executions"]} executions')
        self.expect('tap executions', re.findall(r'^  (?:executions|states): (\d+)$', outputs['tap'], re.M),
                    [str(test['executions'] or test['states'])])
        line = re.search(r'^(?:FAIL|ok|part) +drawn_program +(?:[\d,]+ findings? in )?([\d,]+) ', self.text, re.M)
        self.expect('text count', line and int(line[1].replace(',', '')), test['executions'] or test['states'])
        if not test['complete'] and self.verdict != 'fail' and test['covered'] not in self.text:
            self.problems.append(f'text does not say what it covers: {test["covered"]}')
        self.expect('live', [e['verdict'] for e in live if e['event'] in ('end', 'done')], [self.verdict] * 2)
        self.expect('live findings', len([e for e in live if e['event'] == 'finding']), len(self.kinds))
        self.expect('a finding that was shown', self.verdict == 'fail', len(self.kinds) > 0)
        self.expect('text findings', len(re.findall(r'^  in test drawn_program', self.text, re.M)), len(self.kinds))
        if 'a failure was met' in self.text: # by any execution, also one that counts nowhere
            self.expect('pass, though a failure was met', self.verdict == 'pass', False)
        if self.verdict == 'pass':
            self.expect('pass', [self.complete, test['failures'], test['cut']], [True, 0, 0])
        if test['failures'] > test['executions'] + test['pruned'] or test['cut'] > test['executions']:
            self.problems.append(f'counts: {test["failures"]} fail and {test["cut"]} are cut off, of {test["executions"]} '
                                 f'and {test["pruned"]} pruned ones')
        if test['cut'] > 0:
            self.expect('complete, though cut off', self.complete, False)


def same_rules(words):
    """What changes which executions there are, and what is a failure: compared are only runs of the same."""
    rules = [r for r in ('--timeouts idle', '--delivery fifo', '--delivery async', '--depth-fails') if r in words]
    return ' '.join(rules)


def check(program, seed, end):
    problems, judges = [], {}
    def explore(words):
        run = Run(program, seed, end, words)
        problems.extend(f'seed {seed} {end}, {words}: {p}\n{run.text[-600:]}' for p in run.problems)
        return run
    sample = int(os.environ.get('EO_VERDICT_SAMPLE', '0')) # of longer hunts: so many strategies for each program
    chosen = random.Random(seed).sample(STRATEGIES, sample) if sample else STRATEGIES
    for words in chosen:
        rules = same_rules(words)
        if rules not in judges:
            depth = ' --depth 12' if '--depth-fails' in rules else ''
            judge = JUDGE.replace('10000', '500') if end in ('kill', 'sharing') else JUDGE # each of these costs a worker, or an audit
            judges[rules] = explore(f'{judge} {rules}{depth}')
        judge, run = judges[rules], explore(words)
        if end == 'nondeterminism':
            continue # nobody can be asked what is true
        if judge.verdict == 'fail' and run.verdict == 'pass':
            problems.append(f'seed {seed} {end}, {words}: pass, but dfs finds {judge.kinds}')
        if judge.verdict == 'pass' and run.verdict == 'fail':
            problems.append(f'seed {seed} {end}, {words}: finds {run.kinds}, but dfs passes\n{run.text[-1500:]}')
        if judge.complete and run.complete and judge.verdict != run.verdict:
            problems.append(f'seed {seed} {end}, {words}: {run.verdict}, but dfs says {judge.verdict}')
    verdicts = {rules: judge.verdict for rules, judge in judges.items()}
    return problems, verdicts.get('') or next(iter(verdicts.values()))


def main():
    program, count, first = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    wanted = [(seed, ENDS[seed % len(ENDS)]) for seed in range(first, first + count)]
    problems, verdicts = [], {}
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get('EO_VERDICT_JOBS', '2'))) as pool:
        for found, verdict in pool.map(lambda w: check(program, *w), wanted):
            problems += found
            verdicts[verdict] = verdicts.get(verdict, 0) + 1
            for problem in found:
                print('FAILED', problem, flush=True)
    each = int(os.environ.get('EO_VERDICT_SAMPLE', '0')) or len(STRATEGIES)
    print(f'{count} programs, {count * each} explorations and their judges, of dfs: {verdicts}; {len(problems)} problems')
    if count >= 15 and len(verdicts) < 3:
        print('FAILED: the programs are too much alike')
    sys.exit(1 if problems or (count >= 15 and len(verdicts) < 3) else 0)


main()
