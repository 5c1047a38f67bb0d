/* table.js: the steps as a plain table, for reading aloud, for copying and for paper. */

function mailText(model, step) {
  const parts = [];
  for (const mail of step.sends ?? []) {
    const message = model.messages.get(mail.number);
    parts.push(message ? `${message.text} to ${message.to}, ${message.taken >= 0 ? `taken at ${message.taken + 1}` : 'never taken'}` : `to ${mail.other}, which had ended`);
  }
  for (const mail of step.takes ?? []) {
    const message = model.messages.get(mail.number);
    if (message) parts.push(`sent at ${message.sent + 1}`);
  }
  return parts.join('; ');
}

function stepTable(model, rows) {
  const body = rows.map((index) => {
    const step = model.steps[index];
    return make('tr', { class: index === model.failing ? 'failing' : '' }, make('th', { scope: 'row' }, String(index + 1)),
      make('td', {}, step.process, step.name && ` (${step.name})`), make('td', {}, step.text, step.preempts && make('span', { class: 'warn' }, ' takes over')),
      make('td', {}, mailText(model, step)), make('td', {}, step.after.map((one) => one + 1).join(', ')), make('td', { class: 'where' }, place(step)));
  });
  const heads = ['Step', 'Process', 'Does', 'Messages', 'Comes after', 'Where'];
  return make('table', { class: 'steps' }, make('caption', {}, `${model.finding.kind}: ${model.finding.message}`),
    make('thead', {}, make('tr', {}, heads.map((head) => make('th', { scope: 'col' }, head)))), make('tbody', {}, body));
}

/* ---- Paper ---- */

const PRINTED_ROWS = 400, PRINTED_LANES = 24, PAPER = 720;

/* The whole interleaving, or of a long one its end: that is where it fails. */
function printed(model) {
  const steps = model.steps.length, first = Math.max(0, steps - PRINTED_ROWS), rows = [];
  for (let index = first; index < steps; index++) rows.push(index);
  const rowOf = new Int32Array(steps).fill(-1);
  rows.forEach((index, row) => { rowOf[index] = row; });
  const parts = [first > 0 && make('p', {}, `The last ${PRINTED_ROWS} of ${thousands(steps)} steps.`)];
  if (model.processes.length <= PRINTED_LANES && rows.length > 0) {
    const laneWidth = clamp(PAPER / model.processes.length, 20, 110), rowHeight = 20;
    const layout = {
      rows, rowOf, lanes: model.processes, laneOf: new Map(model.processes.map((process, lane) => [process.id, lane])),
      rowHeight, laneWidth, selected: -1, relation: null, filtered: first > 0, select: () => {},
    };
    const width = model.processes.length * laneWidth + 40, height = rows.length * rowHeight + END_ROW + 24;
    const names = model.processes.map((process, lane) => draw('text', { x: (lane + 0.5) * laneWidth, y: 12, class: 'print-label' }, process.id));
    const numbers = rows.map((index, row) => draw('text', { x: model.processes.length * laneWidth + 8, y: 24 + (row + 0.7) * rowHeight, class: 'print-number' }, String(index + 1)));
    parts.push(draw('svg', { width, height, viewBox: `0 0 ${width} ${height}`, class: 'picture' }, names,
      draw('g', { transform: 'translate(0 24)' }, drawDiagram(model, layout, 0, rows.length - 1)), numbers));
  }
  parts.push(stepTable(model, rows));
  return parts;
}
