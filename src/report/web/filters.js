/* filters.js: the bar above the diagram: which kinds and processes are shown (the kinds are the legend as well), zoom,
 * and what else there is to switch. */

const SEARCH_FROM = 12; /* processes */

function kindButtons(model, stage) {
  const counts = {};
  for (const kind of model.kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return Object.keys(KINDS).filter((kind) => counts[kind]).map((kind) => {
    const button = make('button', {
      type: 'button', class: 'chip', 'aria-pressed': 'true', 'data-kind': kind, title: `Show or hide: ${KINDS[kind]}`,
      onclick: () => {
        const on = button.getAttribute('aria-pressed') !== 'true';
        button.setAttribute('aria-pressed', String(on));
        if (on) stage.shown.kinds.add(kind);
        else stage.shown.kinds.delete(kind);
        stage.relayout();
        announce(`${KINDS[kind]} ${on ? 'shown' : 'hidden'}, ${count(stage.layout.rows.length, 'step')} left`);
      },
    }, glyphIcon(kind), KINDS[kind], make('span', { class: 'number' }, thousands(counts[kind])));
    return button;
  });
}

function processMenu(model, stage) {
  const title = make('summary', { class: 'quiet' });
  const boxes = new Map();
  const tell = () => {
    const all = model.processes.length, on = stage.shown.processes.size;
    title.textContent = on === all ? `Processes: all ${all}` : `Processes: ${on} of ${all}`;
  };
  const changed = () => {
    tell();
    stage.relayout();
    announce(`${count(stage.shown.processes.size, 'process', 'processes')} shown, ${count(stage.layout.rows.length, 'step')}`);
  };
  const set = (id, on) => {
    if (on) stage.shown.processes.add(id);
    else stage.shown.processes.delete(id);
    boxes.get(id).checked = on;
  };
  const rows = model.processes.map((process) => {
    const box = make('input', { type: 'checkbox', checked: true, onchange: () => { set(process.id, box.checked); changed(); } });
    boxes.set(process.id, box);
    return make('div', { class: 'menu-row', 'data-words': who(process).toLowerCase() },
      make('label', {}, box, make('b', {}, process.id), ' ', process.name || process.runs),
      make('button', { type: 'button', class: 'link', 'aria-label': `Only ${process.id}`, onclick: () => { model.processes.forEach((one) => set(one.id, one === process)); changed(); } }, 'only'));
  });
  const search = model.processes.length >= SEARCH_FROM && make('input', {
    type: 'search', placeholder: 'Find a process', 'aria-label': 'Find a process',
    oninput: (event) => rows.forEach((row) => { row.hidden = !row.dataset.words.includes(event.target.value.toLowerCase()); }),
  });
  tell();
  return make('details', { class: 'menu' }, title, make('div', { class: 'menu-body' }, search,
    make('button', { type: 'button', class: 'link', onclick: () => { model.processes.forEach((one) => set(one.id, true)); changed(); } }, 'show all'),
    make('div', { class: 'menu-rows' }, rows)));
}

function signs(model) {
  const icon = (...shapes) => draw('svg', { viewBox: '0 0 20 16', width: 20, height: 16, 'aria-hidden': 'true' }, shapes);
  const unread = [...model.messages.values()].some((message) => message.taken < 0);
  return [
    model.turn && make('span', { class: 'sign' }, icon(draw('g', { class: 'turn' }, draw('path', { d: 'M2 8H14', class: 'wire' }), draw('polygon', { points: '19,8 13,4.5 13,11.5', class: 'tip' }))), 'would pass'),
    model.steps.some((step) => step.delays) && make('span', { class: 'sign' }, icon(pause(10, 12)), 'delay'),
    model.steps.some((step) => step.preempts) && make('span', { class: 'sign' }, icon(takeover(10, 10)), 'takes over'),
    unread && make('span', { class: 'sign' }, icon(envelope(10, 8)), 'unread'),
    model.blocked.size > 0 && make('span', { class: 'sign' }, icon(hourglass(10, 8)), 'waits for ever'),
    model.finding.process && model.blocked.size === 0 && make('span', { class: 'sign' }, icon(cross(10, 8, 4)), 'fails'),
  ];
}

function toolbar(model, stage, showTable) {
  const zoomText = make('output', { class: 'zoom-text', 'aria-label': 'Zoom' }, '100 %');
  stage.element.addEventListener('zoomed', (event) => { zoomText.textContent = `${Math.round(event.detail * 100)} %`; });
  const order = make('button', {
    type: 'button', class: 'quiet toggle', id: 'order', 'aria-pressed': 'true', title: 'Show what has to come before and after the selected step (h)',
    onclick: () => order.setAttribute('aria-pressed', String(stage.toggleOrder())),
  }, 'Happens before');
  const table = make('button', {
    type: 'button', class: 'quiet toggle', id: 'as-table', 'aria-pressed': 'false', title: 'The steps as a table (t)',
    onclick: () => {
      const on = table.getAttribute('aria-pressed') !== 'true';
      table.setAttribute('aria-pressed', String(on));
      showTable(on);
    },
  }, 'Table');
  return make('div', { class: 'bar' },
    make('div', { class: 'chips', role: 'group', 'aria-label': 'Kinds of step' }, kindButtons(model, stage), signs(model)),
    make('div', { class: 'tools', role: 'toolbar', 'aria-label': 'Diagram' }, processMenu(model, stage), order, table,
      make('span', { class: 'zoom' },
        make('button', { type: 'button', class: 'quiet', 'aria-label': 'Smaller', onclick: () => stage.zoom(-1) }, '\u2212'), zoomText,
        make('button', { type: 'button', class: 'quiet', 'aria-label': 'Larger', onclick: () => stage.zoom(1) }, '+'))));
}
