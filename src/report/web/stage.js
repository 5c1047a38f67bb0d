/* stage.js: the diagram and the list of steps beside it, row by row in one scrolling sheet. Only what can be seen, and
 * one screen above and below it, is in the document. */

const ZOOMS = [0.5, 0.65, 0.8, 1, 1.25, 1.6, 2];
const ROW = 30, LEAST_LANE = 34, USUAL_LANE = 76, MOST_LANE = 150;
const TALL_LABELS = 58; /* lanes narrower than this have their names upright */

function openStage(model, onSelect) {
  const shown = { kinds: new Set(Object.keys(KINDS)), processes: new Set(model.processes.map((process) => process.id)) };
  const layout = { rows: [], rowOf: [], lanes: [], laneOf: new Map(), rowHeight: ROW, laneWidth: USUAL_LANE, selected: -1, relation: null, filtered: false };
  let zoom = ZOOMS.indexOf(1), order = true, drawnFirst = 0, drawnLast = -1, frame = 0, related = -2, relation = null;

  const sheet = make('div', { class: 'sheet' });
  const labels = make('div', { class: 'labels', 'aria-hidden': 'true' });
  const listHead = make('div', { class: 'list-head', 'aria-hidden': 'true' },
    make('span', { class: 'num' }, '#'), make('span', { class: 'who' }, 'process'), make('span', { class: 'what' }, 'does'), make('span', { class: 'where' }, 'where'));
  const picture = draw('svg', { class: 'picture', 'aria-hidden': 'true' });
  const list = make('div', {
    class: 'list', id: 'steps', role: 'listbox', tabindex: 0, 'aria-label': `${count(model.steps.length, 'step')} of the failing interleaving`,
  });
  const stage = make('div', { class: 'stage' }, sheet);
  sheet.append(labels, listHead, picture, list);

  /* ---- Where everything is ---- */

  function choose() {
    layout.lanes = model.processes.filter((process) => shown.processes.has(process.id));
    layout.laneOf = new Map(layout.lanes.map((process, lane) => [process.id, lane]));
    layout.rows = [];
    layout.rowOf = new Int32Array(model.steps.length).fill(-1);
    model.steps.forEach((step, index) => {
      if (!shown.processes.has(step.process) || !shown.kinds.has(model.kinds[index])) return;
      layout.rowOf[index] = layout.rows.length;
      layout.rows.push(index);
    });
    layout.filtered = layout.rows.length < model.steps.length;
  }

  function measure() {
    const width = stage.clientWidth || 1200, lanes = Math.max(1, layout.lanes.length);
    const least = width < 600 ? width * 0.62 : Math.min(width * 0.5, 560), listWidth = Math.max(least, width - lanes * MOST_LANE);
    const fits = (width - least) / lanes;
    layout.rowHeight = Math.round(ROW * ZOOMS[zoom]);
    const usual = width < 600 ? LEAST_LANE : USUAL_LANE; /* on a telephone the words come first */
    layout.laneWidth = Math.max(LEAST_LANE, clamp(fits, usual, MOST_LANE) * ZOOMS[zoom]);
    const lanesWidth = Math.max(lanes * layout.laneWidth, width - listWidth);
    layout.width = lanesWidth;
    const tall = layout.laneWidth < TALL_LABELS, height = layout.rows.length * layout.rowHeight + END_ROW;
    stage.style.setProperty('--row', `${layout.rowHeight}px`);
    stage.style.setProperty('--list', `${listWidth}px`);
    stage.style.setProperty('--num', `${Math.max(52, 28 + 8 * String(model.steps.length).length)}px`);
    stage.style.setProperty('--head', tall ? '92px' : '46px');
    stage.classList.toggle('upright', tall);
    stage.classList.toggle('small', ZOOMS[zoom] < 0.8);
    sheet.style.width = `${lanesWidth + listWidth}px`;
    labels.style.width = `${lanesWidth}px`;
    picture.setAttribute('width', lanesWidth);
    picture.setAttribute('height', height);
    list.style.height = `${height}px`;
    list.style.width = `${listWidth}px`;
    labels.replaceChildren(...layout.lanes.map(label));
  }

  function label(process, lane) {
    const element = make('div', { class: `label${model.finding.process === process.id ? ' at-fault' : ''}` },
      make('b', {}, process.id), make('i', {}, process.name || process.runs));
    element.style.left = `${lane * layout.laneWidth}px`;
    element.style.width = `${layout.laneWidth}px`;
    element.addEventListener('mousemove', (event) => showTip(event, [who(process), count(process.steps, 'step'),
      process.birth >= 0 && `spawned at step ${process.birth + 1}`, process.death >= 0 && `ends at step ${process.death + 1}`, model.blocked.get(process.id)]));
    element.addEventListener('mouseleave', hideTip);
    return element;
  }

  /* ---- Rows ---- */

  function rowClass(index) {
    let name = 'row';
    if (index === layout.selected) name += ' selected';
    else if (layout.relation) name += layout.relation.past[index] ? ' past' : layout.relation.future[index] ? ' future' : ' aside';
    if (index === model.failing) name += ' failing';
    if (index === model.turn?.step || index === model.turn?.before) name += ' turn';
    if (model.steps[index].preempts) name += ' preempts';
    return name;
  }

  function drawRow(row) {
    const index = layout.rows[row], step = model.steps[index];
    const element = make('div', {
      class: rowClass(index), id: `step-${index + 1}`, role: 'option', 'aria-selected': String(index === layout.selected),
      'aria-posinset': row + 1, 'aria-setsize': layout.rows.length, 'data-step': index + 1,
    },
    make('span', { class: 'num' }, String(index + 1)), make('span', { class: `who k-${model.kinds[index]}` }, step.process),
    make('span', { class: 'what', title: step.text }, step.text, step.delays > 0 && make('span', { class: 'unseen' }, ', after a delay'), step.preempts && make('span', { class: 'unseen' }, ', takes over from a process that could have gone on')),
    make('span', { class: 'where', title: place(step) }, step.caller ? `${step.caller} (${step.function})` : place(step)));
    element.style.top = `${row * layout.rowHeight}px`;
    return element;
  }

  function drawEnd() {
    const finding = model.finding;
    const element = make('div', { class: 'row end', role: 'presentation' },
      make('span', { class: 'num' }, '\u2022'), make('span', { class: 'who' }, finding.process), make('span', { class: 'what' }, `${finding.kind}: ${finding.message}`));
    element.style.top = `${layout.rows.length * layout.rowHeight}px`;
    return element;
  }

  function render(force) {
    frame = 0;
    const top = stage.scrollTop, height = stage.clientHeight || 600;
    const first = Math.floor(top / layout.rowHeight), last = Math.ceil((top + height) / layout.rowHeight);
    if (!force && first >= drawnFirst && last <= drawnLast) return;
    const more = Math.ceil(height / layout.rowHeight);
    drawnFirst = Math.max(0, first - more);
    drawnLast = last + more;
    const end = Math.min(drawnLast, layout.rows.length - 1), rows = [];
    for (let row = drawnFirst; row <= end; row++) rows.push(drawRow(row));
    if (drawnLast >= layout.rows.length) rows.push(drawEnd());
    list.replaceChildren(...rows);
    picture.replaceChildren(...drawDiagram(model, layout, drawnFirst, end));
    const row = layout.rowOf[layout.selected] ?? -1;
    if (row >= drawnFirst && row <= end) list.setAttribute('aria-activedescendant', `step-${layout.selected + 1}`);
    else list.removeAttribute('aria-activedescendant');
  }

  /* ---- Moving ---- */

  function reveal() {
    const row = layout.rowOf[layout.selected] ?? -1;
    if (row < 0) return;
    const head = labels.offsetHeight, top = row * layout.rowHeight, view = stage.clientHeight - head, margin = Math.min(view / 4, 2 * layout.rowHeight);
    if (top < stage.scrollTop + margin) stage.scrollTop = top - margin;
    else if (top + layout.rowHeight > stage.scrollTop + view - margin) stage.scrollTop = top + layout.rowHeight - view + margin;
    const x = layout.laneOf.get(model.steps[layout.selected].process) * layout.laneWidth, width = stage.clientWidth - list.offsetWidth;
    if (x < stage.scrollLeft) stage.scrollLeft = x - layout.laneWidth;
    else if (x + layout.laneWidth > stage.scrollLeft + width) stage.scrollLeft = x + 2 * layout.laneWidth - width;
  }

  function select(index, quiet) {
    if (index < 0 || index >= model.steps.length) return;
    layout.selected = index;
    if (related !== index) relation = relate(model, index);
    related = index;
    layout.relation = order ? relation : null;
    reveal();
    render(true);
    const step = model.steps[index];
    if (!quiet) announce(`Step ${index + 1} of ${model.steps.length}: ${step.process} ${step.text}${step.preempts ? ', takes over' : ''}${place(step) ? `, at ${place(step)}` : ''}`);
    onSelect(index, relation);
  }

  function move(by) {
    const { rows, rowOf, selected } = layout;
    if (rows.length === 0) return;
    let row = selected >= 0 ? rowOf[selected] : -1;
    if (row < 0) row = clamp(rows.findIndex((index) => index >= selected), 0, rows.length - 1);
    else row = clamp(row + by, 0, rows.length - 1);
    select(rows[row]);
  }

  function moveInProcess(by) {
    const process = model.steps[layout.selected]?.process;
    for (let row = layout.rowOf[layout.selected] + by; row >= 0 && row < layout.rows.length; row += by)
      if (model.steps[layout.rows[row]].process === process) return select(layout.rows[row]);
  }

  const page = () => Math.max(1, Math.floor((stage.clientHeight - labels.offsetHeight) / layout.rowHeight) - 2);
  const KEYS = {
    ArrowDown: () => move(1), j: () => move(1), ArrowUp: () => move(-1), k: () => move(-1),
    ArrowRight: () => moveInProcess(1), l: () => moveInProcess(1), ArrowLeft: () => moveInProcess(-1),
    PageDown: () => move(page()), PageUp: () => move(-page()), Home: () => move(-Infinity), End: () => move(Infinity),
    '+': () => setZoom(zoom + 1), '=': () => setZoom(zoom + 1), '-': () => setZoom(zoom - 1), 0: () => setZoom(ZOOMS.indexOf(1)),
  };

  function setZoom(next) {
    zoom = clamp(next, 0, ZOOMS.length - 1);
    relayout();
    announce(`Zoom ${Math.round(ZOOMS[zoom] * 100)} per cent`);
    stage.dispatchEvent(new CustomEvent('zoomed', { detail: ZOOMS[zoom] }));
  }

  function relayout() {
    choose();
    measure();
    reveal();
    render(true);
  }

  layout.select = select;
  stage.addEventListener('scroll', () => { frame ||= requestAnimationFrame(() => render(false)); }, { passive: true });
  list.addEventListener('click', (event) => {
    const row = event.target.closest('[data-step]');
    if (row) select(Number(row.dataset.step) - 1);
  });
  stage.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    setZoom(zoom + (event.deltaY < 0 ? 1 : -1));
  }, { passive: false });

  return {
    element: stage, shown, layout, select, relayout,
    start(index) {
      relayout();
      if (model.steps.length > 0) select(clamp(index, 0, model.steps.length - 1), true);
    },
    key(name) {
      KEYS[name]?.();
      return name in KEYS;
    },
    zoom: (by) => setZoom(by === 0 ? ZOOMS.indexOf(1) : zoom + by),
    toggleOrder() {
      order = !order;
      layout.relation = order ? relation : null;
      render(true);
      return order;
    },
  };
}
