// The pages of `everyorder serve`: the list of runs, one report, one ticket, a run as it goes on. Whatever comes from a file
// is put into the page as text (textContent), never as markup. No framework: each view is a function that fills <main> and
// returns what must be undone when it is left.

const LARGEST_REPORT = 24 * 1024 * 1024; // bytes of JSON that a page takes in
const MOST_STEPS = 2000;                 // of a finding that are shown at once
const MOST_FINDINGS = 300;               // of a test, or of a run as it goes on, that are shown
const REFRESH = 2000;                    // milliseconds
const CHART_POINTS = 600;

const main = document.getElementById('main');

// ---- Small tools ----------------------------------------------------------------------------------------------

// An element: el('td', {class: 'number'}, 'text', otherElement). Strings become text.
function el(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {}))
    if (key === 'onclick') made.addEventListener('click', value);
    else if (value !== undefined && value !== null) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

// Characters that would turn what stands beside them round, or hide, are shown by their numbers.
const strange = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
const visible = (chars) => chars.replace(strange, (one) => `\\u${one.codePointAt(0).toString(16).padStart(4, '0')}`);
const text = (value) => (typeof value === 'string' || typeof value === 'number' ? visible(String(value)) : '');
const raised = (exponent) => String(exponent).replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit]);
function count(value) {
  if (!Number.isFinite(value)) return '–';
  if (value < 1e11) return Math.round(value).toLocaleString('en');
  const [mantissa, exponent] = value.toExponential(1).split('e+');
  return `${mantissa} × 10${raised(exponent)}`;
}
const filePath = (path) => '/files/' + path.split('/').map(encodeURIComponent).join('/');
const pageOf = (kind, path) => `#/${kind}/${encodeURIComponent(path)}`;

function bytes(size) {
  if (size < 10000) return `${count(size)} B`;
  return size < 1e7 ? `${count(size / 1024)} KiB` : `${count(size / 1048576)} MiB`;
}

function clock(seconds) {
  if (!Number.isFinite(seconds)) return '–';
  if (seconds < 0.1) return `${(seconds * 1000).toFixed(1)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.floor(seconds), two = (n) => String(n).padStart(2, '0');
  return whole >= 3600 ? `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
                       : `${Math.floor(whole / 60)}:${two(whole % 60)}`;
}

function ago(modified) {
  const seconds = Math.max(0, Date.now() / 1000 - modified);
  if (seconds < 60) return 'just now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return new Date(modified * 1000).toISOString().slice(0, 10);
}

const words = {pass: 'passed', fail: 'failed', incomplete: 'incomplete', error: 'error', running: 'running', done: 'done',
               silent: 'no news'};
function badge(state) {
  return Object.hasOwn(words, state) ? el('span', {class: `badge ${state}`}, words[state]) : el('span', {}, text(state));
}

async function get(url) {
  const answer = await fetch(url, {headers: {Accept: 'application/json'}});
  if (!answer.ok) throw new Error((await answer.text()).trim() || `status ${answer.status}`);
  return answer;
}

// What there is, asked for once for all who want to know it about now.
let listed = {at: 0, answer: null};
function listing() {
  if (Date.now() - listed.at > REFRESH) listed = {at: Date.now(), answer: get('/api/runs').then((answer) => answer.json())};
  return listed.answer;
}

function show(...children) { main.replaceChildren(...children); }
function trouble(error) { show(el('h1', {}, 'That did not work'), el('p', {role: 'alert'}, text(error.message ?? error))); }
function connection(words) { document.getElementById('connection').textContent = words; }

// The rows that j and k move through; the current one has a link that Enter opens.
const cursor = {
  rows: () => [...main.querySelectorAll('tbody tr[data-row]')].filter((row) => !row.hidden),
  current: () => main.querySelector('tr.current'),
  set(row) {
    this.current()?.classList.remove('current');
    row.classList.add('current');
    row.scrollIntoView({block: 'nearest'});
    row.querySelector('a')?.focus({preventScroll: true});
  },
  move(by) {
    const rows = this.rows();
    if (rows.length === 0) return;
    const at = rows.indexOf(this.current());
    this.set(rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]);
  },
};

// ---- The list -------------------------------------------------------------------------------------------------

function verdictOf(tests) {
  const all = tests.map((test) => test.verdict);
  return ['fail', 'error', 'incomplete', 'pass'].find((verdict) => all.includes(verdict)) ?? '';
}

const plural = (number, word) => `${count(number)} ${word}${number === 1 ? '' : 's'}`;

// "lost_update, transfer and 2 more": names of tests that failed.
function namesOf(failed) {
  const names = failed.slice(0, 3).map(text).join(', ');
  return failed.length > 3 ? `${names} and ${count(failed.length - 3)} more` : names;
}

function about(file) {
  if (file.kind === 'report' && file.tests) {
    const findings = file.tests.reduce((sum, test) => sum + (test.findings || 0), 0);
    const failed = file.tests.filter((test) => test.verdict === 'fail').map((test) => test.test);
    const what = file.tests.length === 1 ? text(file.tests[0].test)
      : failed.length > 0 ? `${namesOf(failed)} (of ${plural(file.count, 'test')})` : plural(file.count, 'test');
    return {state: badge(verdictOf(file.tests)), what: `${what}, ${plural(findings, 'finding')}`};
  }
  if (file.kind === 'ticket')
    return file.damaged ? {state: badge('error'), what: 'damaged, or of another version'}
                        : {state: el('span', {class: 'badge fail'}, text(file.finding)),
                           what: `${text(file.test)}: ${text(file.message)}`};
  if (file.kind === 'live')
    return {state: badge(Object.hasOwn(words, file.verdict) ? file.verdict : file.state),
            what: Array.isArray(file.failed) && file.failed.length > 0 ? namesOf(file.failed)
              : `${text(file.test)}, ${plural(file.executions, 'execution')}`};
  return {state: '', what: file.large ? 'too large to be summarised' : ''};
}

const kindNames = {report: 'report', ticket: 'ticket', html: 'page', live: 'live'};

function listRow(file) {
  const link = file.kind === 'html' ? el('a', {href: filePath(file.path), target: '_blank', rel: 'noopener'}, text(file.path))
                                    : el('a', {href: pageOf(file.kind, file.path)}, text(file.path));
  const {state, what} = about(file);
  return el('tr', {'data-row': file.path}, el('td', {}, kindNames[file.kind] ?? ''), el('td', {class: 'name'}, link),
            el('td', {}, state), el('td', {class: 'name'}, what), el('td', {class: 'number'}, bytes(file.size)),
            el('td', {class: 'number'}, ago(file.modified)));
}

function listView() {
  const filter = el('input', {type: 'search', placeholder: 'Filter (/)', 'aria-label': 'Filter', id: 'filter'});
  const note = el('span', {class: 'note', role: 'status'});
  const body = el('tbody');
  const head = el('tr', {}, ...['Kind', 'Name', 'State', 'What'].map((name) => el('th', {scope: 'col'}, name)),
                  el('th', {class: 'number', scope: 'col'}, 'Size'), el('th', {class: 'number', scope: 'col'}, 'Changed'));
  const table = el('div', {class: 'table'}, el('table', {class: 'runs'}, el('thead', {}, head), body));
  show(el('h1', {}, 'Runs'), el('div', {class: 'bar'}, filter, note), table);
  let last = '';
  const choose = () => {
    const wanted = filter.value.toLowerCase();
    for (const row of body.children) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  };
  const refresh = async () => {
    if (document.hidden) return;
    try {
      const raw = await (await get('/api/runs')).text();
      connection('');
      if (raw === last) return;
      last = raw;
      const listing = JSON.parse(raw);
      document.getElementById('folder').textContent = text(listing.folder);
      const current = cursor.current()?.dataset.row, focused = body.contains(document.activeElement);
      body.replaceChildren(...listing.files.map(listRow));
      choose();
      const same = [...body.children].find((row) => row.dataset.row === current);
      if (same && focused) cursor.set(same);
      else same?.classList.add('current');
      note.textContent = listing.files.length === 0
        ? 'Nothing yet: `everyorder test PROGRAM --live run.eolive --json run.json` in this folder puts something here.'
        : `${count(listing.files.length)} files${listing.cut ? ', the newest; there are more' : ''}`;
    } catch (error) {
      connection(`No answer: ${error.message}`);
    }
  };
  filter.addEventListener('input', choose);
  const timer = setInterval(refresh, REFRESH);
  refresh();
  return () => clearInterval(timer);
}

// ---- A report -------------------------------------------------------------------------------------------------

function stepsTable(steps) {
  const rows = steps.slice(0, MOST_STEPS).map((step, index) => el('tr', {'data-row': index},
    el('td', {class: 'number'}, String(index + 1)),
    el('td', {class: 'code'}, text(step.process) + (step.name ? ` (${text(step.name)})` : '')),
    el('td', {class: 'name'}, text(step.text)),
    el('td', {class: 'code'}, step.file ? `${text(step.file)}:${text(step.line)}` : '')));
  const more = steps.length > MOST_STEPS ? el('p', {class: 'note'}, `and ${count(steps.length - MOST_STEPS)} more`) : null;
  const names = ['Process', 'What', 'Where'].map((name) => el('th', {scope: 'col'}, name));
  return el('div', {class: 'table'}, el('table', {}, el('thead', {}, el('tr', {},
    el('th', {class: 'number', scope: 'col'}, 'Step'), ...names)), el('tbody', {}, ...rows)), more);
}

function findingCard(finding, reportPath) {
  const where = finding.file ? `${text(finding.file)}:${text(finding.line)}` : '';
  return el('div', {class: 'finding'},
    el('p', {}, el('b', {class: 'fail'}, text(finding.kind)), ' ', text(finding.message)),
    el('p', {class: 'note'}, [text(finding.process), where, `${count(finding.depth)} steps`,
                              `execution ${count(finding.execution)}`].filter(Boolean).join(' · ')),
    finding.ticket ? el('p', {}, 'ticket ', ticketLink(finding.ticket, reportPath)) : null,
    Array.isArray(finding.waiting) && finding.waiting.length > 0 ? el('pre', {}, finding.waiting.map(text).join('\n')) : null,
    Array.isArray(finding.steps) && finding.steps.length > 0
      ? el('details', {}, el('summary', {}, 'The interleaving, step by step'), stepsTable(finding.steps)) : null,
    Array.isArray(finding.backtrace) && finding.backtrace.length > 0 ? el('pre', {}, finding.backtrace.map(text).join('\n')) : null);
}

// A report names a ticket as seen from where the test was run; here it is looked for by how its path ends.
function ticketLink(ticket, besidePath) {
  const link = el('span', {class: 'code'}, text(ticket));
  listing().then((all) => {
    const wanted = text(ticket).replace(/^(\.?\/)+/, '');
    const folder = besidePath.includes('/') ? besidePath.slice(0, besidePath.lastIndexOf('/') + 1) : '';
    const tickets = all.files.filter((file) => file.kind === 'ticket').map((file) => file.path);
    const found = tickets.find((path) => path === folder + wanted) ?? tickets.find((path) => path === wanted) ??
      tickets.find((path) => path.endsWith('/' + wanted) || wanted.endsWith('/' + path));
    if (found) link.replaceChildren(el('a', {href: pageOf('ticket', found)}, text(ticket)));
  }).catch(() => {});
  return link;
}

function testSection(test, path) {
  const errors = Array.isArray(test.errors) ? test.errors : [];
  return el('section', {}, el('h2', {}, text(test.test), ' ', badge(test.verdict)),
    el('p', {class: 'note'}, [text(test.program), text(test.strategy), text(test.options)].filter(Boolean).join(' · ')),
    tiles([[count(test.executions), 'executions'], [count(test.transitions), 'steps run'], [count(test.max_depth), 'longest, in steps'],
           [clock(test.elapsed_s), 'time'], [count(errors.length), 'findings']]),
    el('p', {}, [text(test.covered) && `Covered: ${text(test.covered)}.`, text(test.stopped) && `Stopped ${text(test.stopped)}.`,
                 text(test.endless) && `Cut off: ${text(test.endless)}.`,
                 text(test.error)].filter(Boolean).join(' ')),
    ...errors.slice(0, MOST_FINDINGS).map((finding) => findingCard(finding, path)),
    errors.length > MOST_FINDINGS ? el('p', {class: 'note'}, `and ${count(errors.length - MOST_FINDINGS)} more`) : null);
}

function tiles(list) {
  return el('div', {class: 'tiles'}, ...list.map(([value, name]) => el('div', {class: 'tile'}, el('b', {}, value), el('span', {}, name))));
}

function reportView(path) {
  show(el('h1', {}, text(path)), el('p', {role: 'status'}, 'Reading…'));
  const abort = new AbortController();
  (async () => {
    const head = await fetch(filePath(path), {method: 'HEAD', signal: abort.signal});
    const raw = el('a', {href: filePath(path), target: '_blank', rel: 'noopener'}, 'the file itself');
    if (!head.ok) throw new Error('There is no such report.');
    if (Number(head.headers.get('Content-Length')) > LARGEST_REPORT) {
      show(el('h1', {}, text(path)), el('p', {}, 'This report is too large for a page; here is ', raw, '.'));
      return;
    }
    const report = await (await fetch(filePath(path), {signal: abort.signal})).json();
    const tests = Array.isArray(report.tests) ? report.tests : [];
    show(el('h1', {}, text(path)), el('p', {class: 'note'}, `${count(tests.length)} tests · Everyorder ${text(report.version)} · `, raw),
         ...tests.map((test) => testSection(test, path)));
  })().catch((error) => { if (!abort.signal.aborted) trouble(error); });
  return () => abort.abort();
}

// ---- A ticket -------------------------------------------------------------------------------------------------

function ticketView(path) {
  const button = el('button', {class: 'main', type: 'button', id: 'replay'}, 'Replay (r)');
  const state = el('span', {class: 'note', role: 'status', id: 'replay-state'});
  const output = el('pre', {id: 'replay-output', hidden: '', tabindex: '0', 'aria-label': 'What the replay printed'});
  const content = el('pre', {tabindex: '0', 'aria-label': 'The ticket'});
  const abort = new AbortController();
  show(el('h1', {}, text(path)), el('div', {class: 'bar'}, button, state), output, el('h2', {}, 'The ticket'), content);
  get(filePath(path)).then((answer) => answer.text()).then((all) => {
    content.textContent = all.length > 200000 ? all.slice(0, 200000) + '\n…' : all;
  }).catch((error) => { content.textContent = error.message; });
  button.addEventListener('click', async () => {
    button.disabled = true;
    output.hidden = false;
    output.textContent = '';
    state.textContent = 'under way';
    try {
      const answer = await fetch(`/api/replay?path=${encodeURIComponent(path)}`,
                                 {method: 'POST', headers: {'X-Everyorder': 'replay'}, signal: abort.signal});
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) output.append(part.value);
      state.textContent = answer.ok ? 'ended' : 'refused';
    } catch (error) {
      if (!abort.signal.aborted) state.textContent = `broken off: ${error.message}`;
    }
    button.disabled = false;
  });
  return () => abort.abort();
}

// ---- A run as it goes on --------------------------------------------------------------------------------------

const svg = (name, attributes) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

// Executions a second over time, between one report of progress and the next.
function rateChart() {
  const line = svg('path', {class: 'rate'}), under = svg('path', {class: 'under'});
  const picture = svg('svg', {class: 'chart', viewBox: '0 0 1000 130', preserveAspectRatio: 'none', role: 'img',
                              'aria-label': 'Executions a second over time'});
  picture.append(under, line);
  const note = el('p', {class: 'note'});
  let points = [], last = null;
  return {
    picture, note,
    clear() { points = []; last = null; note.textContent = ''; line.removeAttribute('d'); under.removeAttribute('d'); },
    add(elapsed, executions) {
      if (last && elapsed > last[0]) points.push([elapsed, Math.max(0, executions - last[1]) / (elapsed - last[0])]);
      if (!last || elapsed > last[0]) last = [elapsed, executions];
      if (points.length > CHART_POINTS) points = points.filter((_, index) => index % 2 === 0);
    },
    draw() {
      picture.toggleAttribute('hidden', points.length < 2);
      if (points.length < 2) note.textContent = 'Not known yet, or over too soon.';
      if (points.length < 2) return;
      const [from, to] = [points[0][0], points.at(-1)[0]], top = Math.max(...points.map((point) => point[1]), 1);
      const path = points.map(([x, y], index) => `${index ? 'L' : 'M'}${((x - from) / (to - from) * 1000).toFixed(1)} ${
        (122 - y / top * 112).toFixed(1)}`).join('');
      note.textContent = `from 0 to ${count(top)} a second, over ${clock(to)}`;
      line.setAttribute('d', path);
      under.setAttribute('d', `${path}L1000 130L0 130Z`);
    },
  };
}

function liveView(path) {
  const title = el('h1', {}, text(path)), state = el('span', {class: 'badge running', role: 'status', id: 'live-state'}, 'waiting');
  const what = el('span', {class: 'note'}), share = el('progress', {max: '1', 'aria-label': 'Estimated share done'});
  const numbers = el('div', {id: 'live-numbers'}), chart = rateChart();
  const findings = el('section', {'aria-live': 'polite', id: 'live-findings'}), ended = el('tbody', {id: 'live-tests'});
  const table = el('div', {class: 'table'}, el('table', {}, el('thead', {}, el('tr', {},
    ...['Test', 'Verdict', 'What it means'].map((name) => el('th', {scope: 'col'}, name)),
    el('th', {class: 'number', scope: 'col'}, 'Executions'), el('th', {class: 'number', scope: 'col'}, 'Time'))), ended));
  show(title, el('div', {class: 'bar'}, state, what), share, numbers, el('h2', {}, 'Executions a second'), chart.picture, chart.note,
       el('h2', {}, 'Findings'), findings, el('h2', {}, 'Tests'), table);
  let heard = Date.now(), program = '', test = {}, latest = null, previous = null, done = false, worst = '', waiting = false, found = 0;

  const set = (name, label) => { state.className = `badge ${name}`; state.textContent = label ?? words[name] ?? name; };
  const paint = () => {
    waiting = false;
    what.textContent = [program, text(test.test), text(test.strategy), text(test.options)].filter(Boolean).join(' · ');
    if (!latest) return;
    const rate = previous && latest.elapsed_s > previous.elapsed_s
      ? (latest.executions - previous.executions) / (latest.elapsed_s - previous.elapsed_s)
      : latest.executions / latest.elapsed_s;
    const known = Number.isFinite(latest.share);
    if (known) share.value = latest.share; else share.removeAttribute('value');
    share.hidden = !known && done;
    const left = known && latest.share > 0.001 && !done ? latest.elapsed_s * (1 - latest.share) / latest.share : NaN;
    numbers.replaceChildren(tiles([[count(latest.executions), 'executions'],
      [Number.isFinite(latest.estimate) ? `~${count(latest.estimate)}` : '–', 'estimated in all'], [count(rate), 'a second'],
      [count(latest.pending), 'pending branches'], [count(latest.findings), 'findings'], [count(latest.max_depth), 'longest, in steps'],
      [count(latest.jobs), 'workers'], [clock(latest.elapsed_s), 'time'], [clock(left), 'left (estimate)']]));
    table.hidden = ended.children.length === 0;
    chart.draw();
  };
  const later = () => { if (!waiting) { waiting = true; requestAnimationFrame(paint); } };
  const clear = () => {
    findings.replaceChildren(); ended.replaceChildren(); chart.clear();
    latest = previous = null; test = {}; done = false; worst = ''; found = 0;
    set('running');
  };
  const take = {
    run(event) { program = text(event.program); },
    begin(event) { test = event; latest = previous = null; chart.clear(); set('running'); },
    progress(event) { previous = latest; latest = event; chart.add(event.elapsed_s, event.executions); },
    finding(event) {
      found++;
      if (found <= MOST_FINDINGS) findings.append(findingCard(event, path));
      else if (found === MOST_FINDINGS + 1) findings.append(el('p', {class: 'note'}, 'and more, which are not shown'));
    },
    end(event) {
      previous = latest; latest = event; chart.add(event.elapsed_s, event.executions);
      worst = verdictOf([{verdict: worst}, event]);
      const meaning = [event.covered, event.stopped, event.error].map(text).filter(Boolean).join('; ');
      ended.append(el('tr', {}, el('td', {class: 'name'}, text(event.test)), el('td', {}, badge(event.verdict)),
        el('td', {class: 'name'}, meaning), el('td', {class: 'number'}, count(event.executions)),
        el('td', {class: 'number'}, clock(event.elapsed_s))));
    },
    done(event) { done = true; set(Object.hasOwn(words, event.verdict) ? event.verdict : worst || 'done'); source.close(); },
  };
  const source = new EventSource(`/api/follow?path=${encodeURIComponent(path)}`);
  source.addEventListener('message', (message) => {
    let event;
    try { event = JSON.parse(message.data); } catch { return; }
    heard = Date.now();
    connection('');
    if (event && Object.hasOwn(take, event.event)) take[event.event](event);
    later();
  });
  source.addEventListener('restart', () => { clear(); later(); });
  source.addEventListener('error', () => { if (!done) connection('No answer: trying again'); });
  const timer = setInterval(() => { if (!done && Date.now() - heard > 10000) set('silent'); }, 1000);
  return () => { source.close(); clearInterval(timer); connection(''); };
}

// ---- Which view -----------------------------------------------------------------------------------------------

let leave = () => {};
function navigate() {
  leave();
  const [, kind, path] = /^#\/(report|ticket|live)\/(.+)$/.exec(location.hash) ?? [];
  let name = '';
  try { name = path ? decodeURIComponent(path) : ''; } catch { name = ''; }
  document.title = name ? `${name} · Everyorder` : 'Everyorder';
  leave = (kind === 'report' && name ? reportView(name) : kind === 'ticket' && name ? ticketView(name)
    : kind === 'live' && name ? liveView(name) : listView()) ?? (() => {});
  main.focus();
  listing().then((all) => { document.getElementById('folder').textContent = text(all.folder); }).catch(() => {});
}

const help = document.getElementById('help');
const keys = {
  j: () => cursor.move(1), ArrowDown: () => cursor.move(1), k: () => cursor.move(-1), ArrowUp: () => cursor.move(-1),
  u: () => { location.hash = '#/'; }, Backspace: () => { location.hash = '#/'; },
  r: () => document.getElementById('replay')?.click(),
  '/': () => document.getElementById('filter')?.focus(),
  '?': () => help.showModal(),
};
document.addEventListener('keydown', (event) => {
  const typing = event.target instanceof HTMLInputElement;
  if (event.ctrlKey || event.altKey || event.metaKey || help.open) return;
  if (typing && event.key === 'Escape') event.target.blur();
  if (typing && event.key !== 'ArrowDown') return;
  if (event.target instanceof HTMLPreElement && event.key.startsWith('Arrow')) return;
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});
document.getElementById('keys').addEventListener('click', () => help.showModal());
addEventListener('hashchange', navigate);
navigate();
