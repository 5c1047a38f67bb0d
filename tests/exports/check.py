"""Reads what Everyorder wrote for other tools back, and says what is wrong with it.

usage: check.py shiviz FILE... | perfetto FILE... | sarif SCHEMA FILE | same JSON-REPORT JUNIT SARIF
"""
import json
import re
import sys
import xml.etree.ElementTree as tree


def read(path):
    with open(path, encoding='utf-8', errors='strict') as file:
        return file.read()


def no_controls(text, what):
    bad = [c for c in text if (ord(c) < 32 and c != '\n') or 127 <= ord(c) < 160 or 0x202a <= ord(c) <= 0x202e]
    assert not bad, f'{what} holds control characters: {bad!r}'


def shiviz(path):
    """The rules of vector clocks, as ShiViz checks them, and that every event of a clock is there."""
    parser, delimiter, log = read(path).split('\n', 2)
    assert delimiter == ''
    pattern = re.compile(parser.replace('(?<', '(?P<').replace('{.*}', r'\{.*\}'))
    events = [m for m in pattern.finditer(log)]
    assert events, 'no events'
    assert pattern.sub('', log).strip() == '', 'lines that are no event'
    last, clocks = {}, {}
    for event in events:
        host, clock = event['host'], json.loads(event['clock'])
        own = clock[host]
        assert own == last.get(host, 0) + 1, f'{host} goes from {last.get(host, 0)} to {own}'
        if own > 1:
            before = clocks[host, own - 1]
            assert all(clock.get(h, 0) >= n for h, n in before.items()), f'the clock of {host} goes back'
        for other, n in clock.items():
            if other == host:
                continue
            assert (other, n) in clocks, f'{host}:{own} comes after {other}:{n}, which is not there before it'
            assert all(clock.get(h, 0) >= m for h, m in clocks[other, n].items()), 'not transitive'
        last[host], clocks[host, own] = own, clock
        received = re.match(r'receives .* from (P[0-9.]*[0-9])', event['event'])
        assert not received or clock.get(received[1], 0) > 0, 'a message from nowhere'
    no_controls(log, path)
    print(f'{path}: {len(events)} events of {len(last)} hosts')


def perfetto(path):
    """Slices begin and end on their thread and do not overlap; flows have both ends, inside slices."""
    events = json.loads(read(path))['traceEvents']
    no_controls(json.dumps(events, ensure_ascii=False), path)
    opened, flows, steps, names = {}, {}, 0, set()
    latest = 0
    for event in events:
        thread = event['pid'], event['tid']
        if event['ph'] == 'M':
            names.add(thread)
            continue
        assert event['ts'] >= latest or event['ph'] == 'i', 'time goes back'
        latest = max(latest, event['ts'])
        assert thread in names, 'a thread without a name'
        if event['ph'] == 'B':
            assert thread not in opened
            opened[thread] = event
            steps += 1
        elif event['ph'] == 'E':
            assert opened.pop(thread)['name'] == event['name']
        elif event['ph'] in 'sf':
            assert thread in opened, 'a flow outside any slice'
            flows.setdefault(event['id'], []).append(event['ph'])
        else:
            assert event['ph'] == 'i'
    assert not opened and steps > 0
    assert all(ends == ['s', 'f'] for ends in flows.values()), flows
    print(f'{path}: {steps} slices, {len(flows)} flows')


def sarif(schema, path):
    import jsonschema
    log = json.loads(read(path))
    definition = json.loads(read(schema))
    kind = jsonschema.validators.validator_for(definition)
    kind.check_schema(definition)
    # The schema names formats; a checker makes them count.
    errors = list(kind(definition, format_checker=jsonschema.FormatChecker()).iter_errors(log))
    for error in errors:
        print(f'{path}: {error.json_path}: {error.message[:200]}')
    assert not errors
    run, = log['runs']
    rules = run['tool']['driver']['rules']
    for result in run['results']:
        assert rules[result['ruleIndex']]['id'] == result['ruleId']
        place = result['locations'][0].get('physicalLocation')
        if place:
            assert place['region']['startLine'] > 0
            assert not re.search(r'[^-A-Za-z0-9/._~+%:]', place['artifactLocation']['uri'])
        else:
            assert not any('physicalLocation' in s['location'] for f in result.get('codeFlows', [])
                           for s in f['threadFlows'][0]['locations']), 'a place that is known'
        flow, = result['codeFlows'][0]['threadFlows'] if 'codeFlows' in result else [{'locations': []}]
        order = [step['executionOrder'] for step in flow['locations']]
        assert order == list(range(1, len(order) + 1))
        for step in flow['locations'] + [{'location': {'message': result['message']}}]:
            text = step['location']['message']['text']
            no_controls(text, path)
            assert '](' not in text and not re.search(r'(?<!\{)\{(\{\{)*(?!\{)', text), f'a link or a placeholder: {text}'
    print(f'{path}: {len(run["results"])} results')


def same(report, junit, sarif_path):
    """The three tell of the same tests and findings."""
    tests = json.loads(read(report))['tests']
    suite, = tree.fromstring(read(junit).encode()).findall('testsuite')
    cases = suite.findall('testcase')
    assert [t['test'] for t in tests] == [c.get('name') for c in cases]
    for test, case in zip(tests, cases):
        failure = case.find('failure')
        assert (test['verdict'] == 'fail') == (failure is not None), test['test']
        if failure is not None:
            assert failure.get('type') == test['errors'][0]['kind']
            for error in test['errors']:
                assert error['ticket'] is None or error['ticket'] in failure.text
    for attribute, element in ('tests', None), ('failures', 'failure'), ('errors', 'error'), ('skipped', 'skipped'):
        count = sum(1 for c in cases if element is None or c.find(element) is not None)
        assert int(suite.get(attribute)) == count, attribute
    results = json.loads(read(sarif_path))['runs'][0]['results']
    kinds = [e['kind'].replace(' ', '-') for t in tests for e in t['errors']]
    assert kinds == [r['ruleId'] for r in results]
    steps = [len(e['steps']) for t in tests for e in t['errors']]
    assert steps == [len(r['codeFlows'][0]['threadFlows'][0]['locations']) if 'codeFlows' in r else 0 for r in results]
    print(f'{len(tests)} tests, {len(results)} findings in all three')


if sys.argv[1] in ('shiviz', 'perfetto'):
    for name in sys.argv[2:]:
        {'shiviz': shiviz, 'perfetto': perfetto}[sys.argv[1]](name)
else:
    {'sarif': sarif, 'same': same}[sys.argv[1]](*sys.argv[2:])
