/* summary.js: what was run, and what that means. */

const VERDICTS = {
  pass: ['Passed', 'Everything was covered and is clean.'],
  fail: ['Failed', ''],
  incomplete: ['Incomplete', 'Nothing was found, but not everything was covered.'],
  error: ['Error', 'It could not be run.'],
};

function badge(verdict) {
  return make('span', { class: `badge v-${verdict}` }, VERDICTS[verdict]?.[0] ?? verdict);
}

function estimateText(test) {
  const estimate = test.estimate;
  if (!estimate || test.complete || test.executions >= estimate.executions) return null;
  const width = Math.round(((estimate.high - estimate.executions) / estimate.executions) * 100);
  const share = (test.executions / estimate.executions) * 100;
  const done = share < 0.1 ? 'less than 0.1' : share.toPrecision(2);
  return [`about ${short(estimate.executions)}${width > 0 ? ` (\u00b1${thousands(width)} %)` : ''}`, `${done} % done`];
}

function figures(test) {
  const rate = test.elapsed_s > 0 ? test.executions / test.elapsed_s : 0, estimate = estimateText(test);
  const list = [
    ['Executions', short(test.executions), test.pruned > 0 ? `${short(test.pruned)} given up early` : test.executions >= 100 ? `${short(rate)} a second` : ''],
    ['Failing', short(test.failures), count(test.errors.length, 'distinct finding')],
    ['Steps run', short(test.transitions), test.skipped > 0 ? `${short(test.skipped)} saved by checkpoints` : ''],
    ['Longest', short(test.max_depth), test.max_depth === 1 ? 'step' : 'steps'],
    test.states > 0 && ['States', short(test.states), 'distinct'],
    ['Time', seconds(test.elapsed_s), test.jobs > 1 ? `${test.jobs} workers` : ''],
    estimate && ['Estimated in all', estimate[0], estimate[1]],
  ];
  return make('dl', { class: 'figures' }, list.filter(Boolean).map(([title, value, note]) =>
    make('div', {}, make('dt', {}, title), make('dd', {}, value, note && make('span', {}, note)))));
}

/* What it is called and what came of it: above the finding. */
function summary(test) {
  const sentence = [];
  if (test.verdict === 'error') sentence.push(test.error);
  else {
    const meaning = VERDICTS[test.verdict]?.[1];
    if (meaning) sentence.push(meaning);
    if (test.covered) sentence.push(`Covered: ${test.covered}.`);
    if (test.stopped) sentence.push(`Stopped: ${test.stopped}.`);
    if (test.endless) sentence.push(`Cut off: ${test.endless}.`);
  }
  return make('section', { class: 'summary', 'aria-label': 'Summary' },
    make('div', { class: 'title' }, make('h1', {}, test.test), badge(test.verdict), make('span', { class: 'strategy' }, make('code', {}, `${test.strategy}${test.options ? ' ' + test.options : ''}`))),
    sentence.length > 0 && make('p', { class: 'meaning' }, sentence.join(' ')));
}

/* How much was run: below it. */
function counts(test) {
  return make('section', { class: 'counts', 'aria-label': 'What was run' }, test.verdict !== 'error' && figures(test), charts(test));
}

/* The two steps that need only come the other way round. */
function turnText(finding, go) {
  const turn = finding.passes_if, step = (number) => stepLink(number - 1, go);
  return turn && make('p', { class: 'turn' }, `Passes if ${turn.text}: `, step(turn.step), ' before ', step(turn.before), make('span', {}, ' (it was run that way, and passed)'));
}

function findingHead(finding, test, index, go) {
  const facts = [
    count(finding.depth, 'step'), `${count(finding.switches, 'context switch', 'context switches')}${finding.fewest ? ' (fewest possible)' : ''}`,
    count(finding.preemptions, 'preemption'), finding.delays > 0 && `found with ${count(finding.delays, 'delay')}`, `first seen in execution ${thousands(finding.execution)}`,
  ];
  const list = (title, lines) => lines.length > 0 && make('div', { class: 'lines' }, make('h3', {}, title), make('ul', {}, lines.map((line) => make('li', {}, line))));
  return make('header', { class: 'finding-head' },
    make('p', { class: 'kind' }, finding.kind, test.errors.length > 1 && ` \u00b7 finding ${index + 1} of ${test.errors.length}`),
    make('h2', {}, finding.message),
    make('p', { class: 'facts-line' }, [finding.process && `in ${finding.process}`, place(finding) && `at ${place(finding)}`, ...facts].filter(Boolean).join(' \u00b7 ')),
    turnText(finding, go),
    finding.circle && make('p', { class: 'circle' }, make('b', {}, 'A circle: '), `${circleText(finding.circle)}.`),
    list('At the end', finding.waiting), finding.values && list('What variables and channels hold', finding.values), list(finding.kind === 'hidden sharing' ? 'Who shares it' : 'Called from', finding.backtrace),
    finding.ticket && make('p', { class: 'replay' }, make('span', {}, 'Run it again:'), ' ', make('code', {}, `everyorder replay ${finding.ticket}`)));
}

/* ---- The list of tests ---- */

/* A row of parameters stands below the name, so that it can be read where rows differ. */
function testName(name) {
  const at = name.endsWith(']') ? name.indexOf('[') : -1;
  if (at < 0) return make('span', { class: 'name' }, name);
  const values = name.slice(at + 1, -1).split(',');
  return make('span', { class: 'name' }, name.slice(0, at), make('span', { class: 'unseen' }, '['), make('span', { class: 'values' }, values.map((value, i) => [i > 0 && ', ', make('span', {}, value)])), make('span', { class: 'unseen' }, ']'));
}

function testList(report, current) {
  const here = (test, finding) => current.test === test && (finding === undefined || current.finding === finding);
  const counts = {};
  for (const test of report.tests) counts[test.verdict] = (counts[test.verdict] ?? 0) + 1;
  const words = Object.keys(VERDICTS).filter((verdict) => counts[verdict]).map((verdict) => `${counts[verdict]} ${VERDICTS[verdict][0].toLowerCase()}`);
  return [
    make('p', { class: 'nav-title' }, count(report.tests.length, 'test'), make('span', {}, words.join(', '))),
    make('ul', {}, report.tests.map((test, t) => make('li', {},
      make('a', { href: `#test=${t + 1}`, class: `test v-${test.verdict}`, 'aria-current': here(t) && test.errors.length === 0 ? 'page' : null },
        make('span', { class: 'dot', 'aria-hidden': 'true' }), testName(test.test), make('span', { class: 'unseen' }, `, ${VERDICTS[test.verdict]?.[0] ?? test.verdict}`)),
      test.errors.length > 0 && make('ul', {}, test.errors.map((finding, f) => make('li', {},
        make('a', { href: `#test=${t + 1}&finding=${f + 1}`, class: 'finding', 'aria-current': here(t, f) ? 'page' : null },
          make('b', {}, finding.kind), ' ', finding.message))))))),
  ];
}
