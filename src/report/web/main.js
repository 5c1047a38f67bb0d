/* main.js: puts the page together. What is looked at stands in the address (#test=1&finding=1&step=14), so that a link
 * leads to it. */

const report = JSON.parse(byId('data').textContent);
const current = { test: -1, finding: -1, stage: null, model: null };

/* ---- A finding ---- */

function findingView(test, index, step) {
  const finding = test.errors[index], model = modelOf(finding);
  const detail = make('div', { class: 'detail' });
  let bar = null, started = false;
  const stage = openStage(model, (selected, relation) => {
    detail.replaceChildren(...detailView(model, report.sources, selected, relation, (other) => stage.select(other)));
    remember(selected);
    if (started && detail.getBoundingClientRect().bottom > innerHeight) bar.scrollIntoView({ block: 'start' });
  });
  current.stage = stage;
  current.model = model;
  const view = make('section', { class: 'finding', 'aria-label': `${finding.kind}: ${finding.message}` }, findingHead(finding, test, index, (other) => stage.select(other)));
  if (model.steps.length === 0) {
    detail.append(...detailView(model, report.sources, -1, null, () => {}));
    current.stage = null;
    view.append(make('p', { class: 'muted' }, 'It happens at once, before the first step.'), detail);
    return [view, () => {}];
  }
  bar = toolbar(model, stage, (on) => {
    if (on && tableBox.childElementCount === 0) tableBox.append(stepTable(model, model.steps.map((_, i) => i)));
    tableBox.hidden = !on;
    stage.element.hidden = on;
    if (on) tableBox.focus();
    else stage.relayout();
  });
  const tableBox = make('div', { class: 'table-box', hidden: true, tabindex: 0, role: 'region', 'aria-label': 'Steps as a table' });
  view.append(bar, stage.element, tableBox, detail);
  return [view, () => {
    stage.start(step > 0 ? step - 1 : causeOf(model));
    started = true;
  }];
}

/* ---- Which one ---- */

function show(test, finding, step) {
  const chosen = report.tests[test];
  const main = byId('main');
  hideTip();
  if (test !== current.test || finding !== current.finding) {
    Object.assign(current, { test, finding, stage: null, model: null });
    byId('tests').replaceChildren(...testList(report, current));
    byId('tests').querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
    main.replaceChildren(summary(chosen));
    if (chosen.errors[finding]) {
      const [view, start] = findingView(chosen, finding, step);
      main.append(view, counts(chosen));
      start();
    } else {
      main.append(counts(chosen));
    }
    document.title = `${chosen.test} \u2013 Everyorder report`;
    scrollTo(0, 0);
    byId('steps')?.focus({ preventScroll: true });
  } else if (step > 0) {
    current.stage?.select(step - 1);
  }
}

function remember(step) {
  const hash = `#test=${current.test + 1}&finding=${current.finding + 1}&step=${step + 1}`;
  if (location.hash !== hash) history.replaceState(null, '', hash);
}

function fromAddress() {
  const words = new URLSearchParams(location.hash.slice(1)), number = (name) => Number.parseInt(words.get(name), 10) || 0;
  let test = number('test') - 1;
  if (!report.tests[test]) test = report.tests.findIndex((one) => one.errors.length > 0);
  test = Math.max(0, test);
  const errors = report.tests[test].errors.length;
  show(test, errors > 0 ? clamp(number('finding') - 1, 0, errors - 1) : -1, number('step'));
}

/* The next or the last finding, in whatever test. */
function otherFinding(by) {
  const all = report.tests.flatMap((test, t) => test.errors.map((_, f) => [t, f]));
  const at = all.findIndex(([t, f]) => t === current.test && f === current.finding);
  const next = all[at + by];
  if (!next) return;
  location.hash = `#test=${next[0] + 1}&finding=${next[1] + 1}`;
}

/* ---- Keys ---- */

const HELP = [
  ['\u2193 \u2191  or  j k', 'next, previous step'], ['\u2192 \u2190', 'next, previous step of the same process'],
  ['Page Down, Page Up', 'a screen further, back'], ['Home, End', 'first, last step'], ['+ \u2212 0', 'zoom'],
  ['h', 'show or hide what happens before'], ['t', 'diagram or table'], ['] [', 'next, previous finding'], ['?', 'this list'],
];

function showKeys() {
  const dialog = byId('keys');
  dialog.replaceChildren(make('h2', { id: 'keys-title' }, 'Keys'),
    make('dl', {}, HELP.map(([keys, what]) => [make('dt', {}, keys), make('dd', {}, what)])),
    make('button', { type: 'button', class: 'quiet', onclick: () => dialog.close() }, 'Close'));
  dialog.showModal();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') document.querySelectorAll('details.menu[open]').forEach((menu) => { menu.open = false; });
  const target = event.target;
  if (byId('keys').open || target.closest('input, details.menu, .table-box, nav')) return;
  if (target.closest('button, pre') && /^(Arrow|Page|Home|End)/.test(event.key)) return;
  const others = {
    '?': showKeys, h: () => byId('order')?.click(), t: () => byId('as-table')?.click(), ']': () => otherFinding(1), '[': () => otherFinding(-1),
  };
  const shown = current.stage && !current.stage.element.hidden;
  if (others[event.key]) others[event.key]();
  else if (!shown || !current.stage.key(event.key)) return;
  event.preventDefault();
}

/* ---- Light and dark ---- */

const THEMES = ['auto', 'light', 'dark'];

function setTheme(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId('theme').textContent = `Theme: ${theme}`;
  try {
    localStorage.setItem('everyorder-theme', theme);
  } catch { /* not where storage is forbidden */ }
}

function firstTheme() {
  try {
    const kept = localStorage.getItem('everyorder-theme');
    return THEMES.includes(kept) ? kept : 'auto';
  } catch {
    return 'auto';
  }
}

/* ---- Start ---- */

function start() {
  let theme = firstTheme(), resizing = 0;
  setTheme(theme);
  byId('theme').addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    setTheme(theme);
  });
  byId('keys-button').addEventListener('click', showKeys);
  byId('program').textContent = report.tests[0]?.program ?? '';
  document.addEventListener('keydown', onKey);
  document.addEventListener('click', (event) => {
    document.querySelectorAll('details.menu[open]').forEach((menu) => { if (!menu.contains(event.target)) menu.open = false; });
  });
  addEventListener('hashchange', fromAddress);
  addEventListener('resize', () => {
    cancelAnimationFrame(resizing);
    resizing = requestAnimationFrame(() => current.stage?.relayout());
  });
  addEventListener('beforeprint', () => { if (current.model) byId('print').replaceChildren(...printed(current.model).filter(Boolean)); });
  addEventListener('afterprint', () => byId('print').replaceChildren());
  if (report.tests.length > 0) fromAddress();
  else byId('main').append(make('p', { class: 'muted' }, 'No test was run.'));
}

start();
