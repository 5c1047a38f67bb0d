"""verdict_ends.py EVERYORDER FOLDER: runs FOLDER/program (verdict_ends.c) to many an end and compares what each output says.

Text, JSON, JUnit, TAP, SARIF, HTML, live log, `serve` and the exit code tell one verdict. A finding weighs more than an
error, and an error more than what is missing: over the tests of a run together too."""
import glob, json, os, re, signal, subprocess, sys, time, urllib.request
import xml.etree.ElementTree as xml

everyorder, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
OUTPUTS = {'json': 'json', 'junit': 'xml', 'tap': 'tap', 'sarif': 'sarif', 'report': 'html', 'live': 'eolive'}
WORDS = {'pass': 'ok', 'fail': 'FAIL', 'incomplete': 'part', 'error': 'ERROR', 'skipped': 'skip'}
STATUS = {'pass': [0], 'fail': [1], 'incomplete': [3], 'error': [2, 4]}
ORDER = ['fail', 'error', 'incomplete', 'pass'] # what weighs most first
problems, wholes = [], {}


def expect(name, what, said, expected):
    if said != expected:
        problems.append(f'{name}: {what} says {said!r} instead of {expected!r}')


def start(name, words, **environment):
    """Begins a run in a folder of its own; what it prints goes to files there."""
    place = os.path.join(folder, name)
    os.mkdir(place)
    command = [os.path.join(folder, 'program'), '--quiet', '--no-minimise', '--strategy', 'dfs'] + words
    for option, extension in OUTPUTS.items():
        if '--' + option not in words:
            command += ['--' + option, f'{place}/out.{extension}']
    out = open(f'{place}/text', 'w')
    run = subprocess.Popen(command, cwd=place, env=dict(os.environ, **environment), stdout=out, stderr=out)
    run.place = place
    return run


def wait_for(run, what, pattern):
    """Waits until the live log has a line like that."""
    end = time.time() + 60
    while time.time() < end:
        try:
            if re.search(pattern, open(f'{run.place}/out.eolive').read()):
                return
        except OSError:
            pass
        time.sleep(0.02)
    problems.append(f'{what}: the live log never has {pattern}')


def whole_of(verdicts):
    return next(v for v in ORDER if v in [w.replace('skipped', 'incomplete') for w in verdicts])


def check(name, run, verdicts, trouble=None):
    """`verdicts` of the tests, in their order. `trouble`: something beside the tests went wrong."""
    try:
        status = run.wait(60)
        outputs = {option: open(f'{run.place}/out.{e}').read() for option, e in OUTPUTS.items()
                   if os.path.exists(f'{run.place}/out.{e}')}
        read(name, run, status, verdicts, outputs, trouble)
    except (OSError, ValueError, KeyError, IndexError, AttributeError, subprocess.TimeoutExpired) as error:
        problems.append(f'{name}: cannot be read: {error!r}\n{open(f"{run.place}/text").read()}')


def read(name, run, status, verdicts, outputs, trouble):
    text, plain = open(f'{run.place}/text').read(), [v.replace('skipped', 'incomplete') for v in verdicts]
    whole, fails = whole_of(verdicts), [v == 'fail' for v in verdicts]
    if status not in STATUS[whole_of(verdicts + ['error'] * bool(trouble))]:
        problems.append(f'{name}: exit code {status}\n{text}')
    expect(name, 'text', re.findall(r'^(ok|FAIL|part|skip|ERROR) ', text, re.M), [WORDS[v] for v in verdicts])
    tests = json.loads(outputs['json'])['tests']
    expect(name, 'json', [t['verdict'] for t in tests], plain)
    expect(name, 'json errors', [len(t['errors']) > 0 for t in tests], fails)
    data = re.search(r'<script[^>]*application/json[^>]*>(.*?)</script>', outputs['report'], re.S)
    expect(name, 'html', [t['verdict'] for t in json.loads(data.group(1))['tests']], plain)
    live = [json.loads(line) for line in outputs['live'].splitlines()]
    expect(name, 'live', [e['verdict'] for e in live if e['event'] in ('end', 'done')], plain + [whole])
    wholes[name] = whole
    results = json.loads(outputs['sarif'])['runs'][0]['results']
    expect(name, 'sarif', len(results), sum(len(t['errors']) for t in tests))
    expect(name, 'tap', [('fail' if no else 'skipped' if skip else 'other')
                         for no, skip in re.findall(r'^(not )?ok \d+ - \S+( # SKIP)?', outputs['tap'], re.M)],
           [{'fail': 'fail', 'error': 'fail', 'skipped': 'skipped'}.get(v, 'other') for v in verdicts])
    if 'junit' in outputs:
        suite = xml.fromstring(outputs['junit']).find('testsuite')
        expect(name, 'junit', [int(suite.get(n)) for n in ('tests', 'failures', 'errors', 'skipped')],
               [len(verdicts), sum(fails), verdicts.count('error'), verdicts.count('skipped')])
    if trouble and trouble not in text:
        problems.append(f'{name}: text does not say {trouble}')


def interrupted(name, number, words, verdicts, until):
    run = start(name, words)
    wait_for(run, name, until)
    run.send_signal(number)
    check(name, run, verdicts)


def ends():
    short = ['--test', 'a*', '--test', 'b*', '--test', 'e*']
    check('to_its_end', start('to_its_end', short), ['pass', 'fail', 'pass'])
    check('error_first', start('error_first', short, EO_ENDS_DIE='first'), ['error', 'fail', 'pass'])
    check('error_later', start('error_later', short, EO_ENDS_DIE='later'), ['pass', 'fail', 'error'])
    check('error_only', start('error_only', ['--test', 'a*'], EO_ENDS_DIE='first'), ['error'])
    check('unwritable', start('unwritable', short + ['--junit', '/dev/full']), ['pass', 'fail', 'pass'], '--junit /dev/full')
    check('unwritable_only', start('unwritable_only', ['--test', 'a*', '--junit', '/dev/full']), ['pass'], '--junit /dev/full')
    long = ['--test', 'a*', '--test', 'c*', '--test', 'e*']
    finds = ['--test', 'd*', '--test', 'e*', '--keep-going']
    check('out_of_time', start('out_of_time', ['--test', 'c*', '--time', '0.2s']), ['incomplete'])
    check('finds_in_time', start('finds_in_time', finds[:2] + ['--keep-going', '--time', '3s']), ['fail'])
    in_c = '"begin","test":"c_goes_on"'
    interrupted('sigint', signal.SIGINT, long, ['pass', 'incomplete', 'skipped'], in_c)
    interrupted('sighup', signal.SIGHUP, long + ['--test', 'b*'], ['pass', 'fail', 'incomplete', 'skipped'], in_c)
    interrupted('sigterm', signal.SIGTERM, finds, ['fail', 'skipped'], '"event":"finding"')
    worker_killed(long + ['--jobs', '2'], in_c)
    parent_killed(finds)
    for words in ([f'{folder}/missing'], ['/bin/true'], [f'{folder}/program', '--test', 'missing']):
        done = subprocess.run([everyorder, 'test', *words, '--json', f'{folder}/none.json'], capture_output=True, text=True)
        expect(words, 'exit code', done.returncode, 2)
        expect(words, 'outputs', [bool(done.stderr), done.stdout, os.path.exists(f'{folder}/none.json')], [True, '', False])


def unwritten():
    """Nothing can be printed: the exit code is all that is left to go by."""
    for words, test, expected in (([], 'a*', 2), ([], 'b*', 1), (['estimate'], 'a*', 2), (['estimate'], 'b*', 1),
                                  (['estimate', '--json', '/dev/full'], 'b*', 1)):
        with open('/dev/full', 'w') as full:
            command = [f'{folder}/program', *words, '--quiet', '--tickets', 'none', '--test', test]
            if 'estimate' in words:
                command = [f'{folder}/program', *words, '--test', test]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
        expect(command, 'exit code', done.returncode, expected)
        expect(command, 'standard error', 'written' in done.stderr, True)


def estimate_interrupted():
    for delay in (0.3, 1, 3, 10): # a signal that comes before it is heeded kills
        run = subprocess.Popen([f'{folder}/program', 'estimate', '--strategy', 'dfs', '--test', 'c*', '--test', 'e*', '--time', '50s'],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        run.send_signal(signal.SIGINT)
        if run.wait(60) != -signal.SIGINT:
            break
    expect('estimate', 'exit code when interrupted', run.returncode, 3)


def workers_of(pid):
    children = open(f'/proc/{pid}/task/{pid}/children').read().split()
    return [int(c) for c in children if open(f'/proc/{c}/comm').read() != 'eo guard\n']


def worker_killed(words, until):
    """What the worker was at is run again; it is no finding, and no error."""
    run = start('worker_killed', words)
    wait_for(run, 'worker_killed', until + r'.*\n(.*\n)*.*"progress"')
    for pid in workers_of(run.pid)[:1]:
        os.kill(pid, signal.SIGKILL)
    wait_for(run, 'worker_killed', '"restarts":[1-9]')
    run.send_signal(signal.SIGINT)
    check('worker_killed', run, ['pass', 'incomplete', 'skipped'])


def parent_killed(words):
    """Nobody is left to write a report; the log has no end, and what it has says that the run failed."""
    run = start('parent_killed', words)
    wait_for(run, 'parent_killed', '"event":"finding"')
    workers = workers_of(run.pid)
    run.kill()
    run.wait()
    expect('parent_killed', 'outputs', sorted(os.path.basename(p) for p in glob.glob(f'{run.place}/out*')), ['out.eolive'])
    wholes['parent_killed'] = 'fail'
    end = time.time() + 20
    while any(os.path.exists(f'/proc/{pid}') for pid in workers) and time.time() < end:
        time.sleep(0.02)
    expect('parent_killed', 'workers left', [pid for pid in workers if os.path.exists(f'/proc/{pid}')], [])


def served():
    """What the web interface lists of all of these."""
    server = subprocess.Popen([everyorder, 'serve', folder, '--listen', '127.0.0.1:0'], stdout=subprocess.PIPE, text=True)
    try:
        address = re.search(r'http://[^/]*', server.stdout.readline())[0]
        listed = json.load(urllib.request.urlopen(f'{address}/api/runs', timeout=30))
        files = {f['path']: f for f in (listed if isinstance(listed, list) else listed['files'])}
        for name, whole in wholes.items():
            expect(name, 'serve of the log', files[f'{name}/out.eolive'].get('verdict'), whole)
            if name != 'parent_killed':
                expect(name, 'serve of the report', whole_of([t['verdict'] for t in files[f'{name}/out.json']['tests']]), whole)
    finally:
        server.terminate()
        server.wait()


ends()
unwritten()
estimate_interrupted()
served()
for problem in problems:
    print('FAILED', problem)
print(f'{len(wholes)} ends, {len(problems)} problems')
sys.exit(1 if problems or len(wholes) < 13 else 0)
