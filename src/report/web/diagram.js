/* diagram.js: the space-time diagram. Draws only the rows from `first` to `last`; `layout` says where things are:
 *   rows     indices of the steps shown, in order      rowOf    row of each step, or -1
 *   lanes    processes shown                           laneOf   lane of each process, or undefined
 *   rowHeight, laneWidth                               selected, relation (see relate), or null */

const END_ROW = 52; /* pixels below the last step, for how it ended */
const LABEL = 5.6; /* pixels of a character of a message's name */
const MOST_CROSSING = 150; /* messages that pass through what is shown and neither begin nor end there */

function drawDiagram(model, layout, first, last) {
  const { rows, rowOf, lanes, laneOf, rowHeight, laneWidth } = layout;
  const radius = clamp(rowHeight * 0.18, 3, 6);
  const x = (id) => (laneOf.get(id) + 0.5) * laneWidth;
  const y = (row) => (row + 0.5) * rowHeight;
  const bottom = rows.length * rowHeight;
  const shade = (index) => {
    const relation = layout.relation;
    if (!relation || index === layout.selected) return '';
    return relation.past[index] ? ' past' : relation.future[index] ? ' future' : ' aside';
  };
  /* Where a step that is left out would be: just before the next one that is shown. */
  const near = (index) => {
    let low = 0, high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle] < index) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  function lifelines() {
    const top = Math.max(0, first * rowHeight), end = Math.min(bottom, (last + 1) * rowHeight);
    return lanes.map((process) => {
      const from = process.birth < 0 ? 0 : rowOf[process.birth] >= 0 ? y(rowOf[process.birth]) : near(process.birth) * rowHeight;
      const to = process.death < 0 ? bottom + (layout.filtered ? 0 : END_ROW / 2) : rowOf[process.death] >= 0 ? y(rowOf[process.death]) : near(process.death) * rowHeight;
      const a = Math.max(from, top), b = Math.min(to, end >= bottom ? bottom + END_ROW / 2 : end);
      return a < b ? draw('line', { x1: x(process.id), x2: x(process.id), y1: a, y2: b, class: 'life' }) : null;
    });
  }

  function head(x1, y1, x2, y2, gap) {
    const length = Math.hypot(x2 - x1, y2 - y1) || 1, dx = (x2 - x1) / length, dy = (y2 - y1) / length;
    const px = x2 - dx * gap, py = y2 - dy * gap, size = clamp(rowHeight * 0.24, 5, 8);
    const wing = (side) => [px - dx * size - dy * side * size * 0.45, py - dy * size + dx * side * size * 0.45];
    return { px, py, sx: x1 + dx * radius, sy: y1 + dy * radius, points: polygon([[px, py], wing(1), wing(-1)]) };
  }

  function hint(message) {
    const end = message.taken >= 0 ? `taken at step ${message.taken + 1}` : 'never taken';
    return [message.text, `${message.from} \u2192 ${message.to}`, `sent at step ${message.sent + 1}, ${end}`];
  }

  /* The name of a message, beside where its arrow begins, clear of the rings around a step, as far as there is room to the
   * next lane. A steep arrow leaves its name behind in the row where it begins. */
  function says(message, x1, y1, x2, y2) {
    const ring = radius + 7, room = Math.min(Math.abs(x2 - x1), laneWidth * 1.6) - ring - radius - 6;
    const most = Math.floor(room / LABEL), name = mailName(message.text);
    if (rowHeight < 24 || most < 3 || !name) return null;
    const beside = ring + Math.min(name.length, most) * LABEL * 0.5, along = Math.min(0.5, beside / (Math.abs(x2 - x1) || 1));
    const down = clamp((y2 - y1) * along, -rowHeight * 0.4, rowHeight * 0.4);
    return draw('text', { x: x1 + Math.sign(x2 - x1) * beside, y: y1 + down - 3, class: 'says' }, name.length > most ? `${name.slice(0, most - 1)}\u2026` : name);
  }

  function wire(message, path, tip, extra, mark) {
    const selected = layout.selected;
    const near = message.sent === selected || message.taken === selected;
    const shades = near ? ' near' : shade(message.sent) === ' aside' || (message.taken >= 0 && shade(message.taken) === ' aside') ? ' aside' : '';
    return draw('g', {
      class: `message${extra}${shades}`,
      onmousemove: (event) => showTip(event, hint(message)),
      onmouseleave: hideTip,
      onclick: () => layout.select(message.taken >= 0 && selected === message.sent ? message.taken : message.sent),
    },
    draw('path', { d: path, class: 'touch' }), draw('path', { d: path, class: 'wire' }),
    tip && draw('polygon', { points: tip, class: 'tip' }), mark);
  }

  function drawMessage(message, from, to) {
    const sender = laneOf.has(message.from), receiver = laneOf.has(message.to);
    const x1 = sender ? x(message.from) : 0, x2 = receiver ? x(message.to) : 0;
    if (from >= 0 && to >= 0 && message.from === message.to) {
      const bulge = Math.min(laneWidth * 0.4, 14 + (to - from) * 4);
      const path = `M${x1 + radius} ${y(from)}C${x1 + bulge + 8} ${y(from)} ${x1 + bulge + 8} ${y(to)} ${x1 + radius} ${y(to)}`;
      return wire(message, path, head(x1 + bulge, y(to), x1, y(to), radius).points, ' self');
    }
    if (from >= 0 && to >= 0) {
      const h = head(x1, y(from), x2, y(to), radius + 1);
      return wire(message, `M${h.sx} ${h.sy}L${h.px} ${h.py}`, h.points, '', says(message, x1, y(from), x2, y(to)));
    }
    if (from >= 0 && message.taken < 0 && receiver) {
      const endX = message.from === message.to ? x1 + Math.min(22, laneWidth * 0.4) : x2, endY = y(from) + rowHeight * 0.5;
      const h = head(x1, y(from), endX, endY, 8);
      return wire(message, `M${h.sx} ${h.sy}L${h.px} ${h.py}`, h.points, ' lost', [envelope(endX, endY), says(message, x1, y(from), endX, endY)]);
    }
    /* One end is left out: a short piece towards it. */
    const [ax, ay] = from >= 0 ? [x1, y(from)] : [x2, y(to)];
    const side = sender && receiver ? Math.sign(from >= 0 ? x2 - x1 : x1 - x2) || 1 : 1;
    return wire(message, `M${ax + side * radius} ${ay}l${side * 16} ${from >= 0 ? 8 : -8}`, null, ' cut');
  }

  function messages() {
    const drawn = [], crossing = [];
    for (const message of model.messages.values()) {
      const from = rowOf[message.sent], to = message.taken >= 0 ? rowOf[message.taken] : -1;
      const begins = from >= first && from <= last, ends = to >= first && to <= last;
      if (begins || ends) drawn.push(drawMessage(message, from, to));
      else if (from >= 0 && to >= 0 && from < first && to > last) crossing.push([message, from, to]);
    }
    if (crossing.length <= MOST_CROSSING) drawn.push(...crossing.map((one) => drawMessage(...one)));
    return drawn;
  }

  function joint(step, index, kind, row) {
    if (!step.other || step.other === step.process || !laneOf.has(step.other)) return null;
    if (!['spawn', 'link', 'monitor', 'name'].includes(kind)) return null;
    const x1 = x(step.process), x2 = x(step.other), side = Math.sign(x2 - x1);
    const line = draw('line', { x1: x1 + side * radius * 1.3, x2: x2 - side * (kind === 'spawn' ? 4 : 0), y1: y(row), y2: y(row), class: `joint k-${kind}` });
    const end = kind === 'spawn' ? draw('circle', { cx: x2, cy: y(row), r: 4, class: 'birth' })
      : draw('line', { x1: x2, x2, y1: y(row) - 4, y2: y(row) + 4, class: `joint-end k-${kind}` });
    return draw('g', { class: shade(index).trim() }, line, end);
  }

  function preemption(row, index) {
    const step = model.steps[index], other = model.steps[index - 1]?.process;
    if (!step.preempts) return null;
    const top = row * rowHeight, to = x(step.process);
    return draw('g', { class: `takeover${shade(index)}` },
      laneOf.has(other) && draw('line', { x1: x(other), x2: to, y1: top, y2: top }), takeover(to, top + 1));
  }

  function delay(row, index) {
    const step = model.steps[index];
    if (!step.delays) return null;
    return draw('g', { class: `delay${shade(index)}` }, pause(x(step.process) + radius + 8, row * rowHeight + rowHeight / 2 + 3));
  }

  function drawStep(row) {
    const index = rows[row], step = model.steps[index], kind = model.kinds[index];
    const cx = x(step.process), cy = y(row);
    return draw('g', {
      class: `step${shade(index)}${index === model.failing || index === model.turn?.step || index === model.turn?.before ? ' marked' : ''}`,
      onclick: () => layout.select(index),
      onmousemove: (event) => showTip(event, [`${index + 1}. ${step.process} ${step.text}`, place(step)]),
      onmouseleave: hideTip,
    },
    index === layout.selected && draw('circle', { cx, cy, r: radius + 5, class: 'chosen' }),
    index === model.failing && draw('circle', { cx, cy, r: radius + 5, class: 'failing' }),
    draw('circle', { cx, cy, r: Math.max(radius + 4, 9), class: 'touch' }),
    glyph(kind, step, cx, cy, radius));
  }

  /* From the step that came too late to the one that it should have come before. Between two lanes the arrow leaves the one step
   * upwards and reaches the other from below, clear of the names of messages, which are beside the steps. */
  function turn() {
    if (!model.turn) return null;
    const from = rowOf[model.turn.step], to = rowOf[model.turn.before];
    if (from < 0 || to < 0 || to > last || from < first) return null;
    const x1 = x(model.steps[model.turn.step].process), x2 = x(model.steps[model.turn.before].process);
    const bend = x1 + laneWidth * 0.4, h = x1 === x2 ? head(bend, y(to), x2, y(to), radius + 6) : head(x2, y(from), x2, y(to), radius + 6);
    const start = y(from) - radius - 4, rise = Math.min(30, Math.max(8, (start - h.py) / 2));
    const path = x1 === x2 ? `M${x1} ${y(from)}C${bend} ${y(from)} ${bend} ${y(to)} ${h.px} ${h.py}`
      : `M${x1} ${start}C${x1} ${start - rise} ${x2} ${h.py + rise} ${x2} ${h.py}`;
    return draw('g', {
      class: 'turn',
      onmousemove: (event) => showTip(event, [`Passes if ${model.turn.text}`]), onmouseleave: hideTip,
    }, draw('path', { d: path, class: 'touch' }), draw('path', { d: path, class: 'wire' }), draw('polygon', { points: h.points, class: 'tip' }),
    [[x1, from], [x2, to]].map(([cx, row]) => draw('circle', { cx, cy: y(row), r: radius + 4, class: 'halo' })));
  }

  function end() {
    if (layout.filtered && lanes.length === 0) return [];
    const cy = bottom + END_ROW / 2;
    return lanes.map((process) => {
      if (model.blocked.has(process.id)) return draw('g', {
        onmousemove: (event) => showTip(event, [model.blocked.get(process.id)]), onmouseleave: hideTip,
      }, draw('circle', { cx: x(process.id), cy, r: 11, class: 'touch' }), hourglass(x(process.id), cy));
      if (process.id === model.finding.process && model.finding.kind !== 'deadlock')
        return cross(x(process.id), cy, 5);
      return null;
    });
  }

  /* Who waits for whom, below the last step. */
  function circle() {
    const ids = model.circle.filter((id) => laneOf.has(id)), cy = bottom + END_ROW / 2;
    if (ids.length < model.circle.length || ids.length === 0) return [];
    return ids.map((id, i) => {
      const x1 = x(id), x2 = x(ids[(i + 1) % ids.length]), side = x2 > x1 ? -1 : 1, bend = cy + side * 22;
      const h = head((x1 + x2) / 2, bend, x2, cy, 11);
      return draw('g', {
        class: 'waits', onmousemove: (event) => showTip(event, [circleText(model.circle), 'Each last wrote to the one it waits for.']), onmouseleave: hideTip,
      }, draw('path', { d: `M${x1} ${cy + side * 8}Q${(x1 + x2) / 2} ${bend} ${h.px} ${h.py}`, class: 'wire' }), draw('polygon', { points: h.points, class: 'tip' }));
    });
  }

  const shown = [];
  for (let row = Math.max(0, first); row <= last && row < rows.length; row++) shown.push(row);
  const keep = (list) => list.filter(Boolean);
  const band = layout.selected >= 0 && rowOf[layout.selected] >= 0
    ? draw('rect', { x: 0, y: rowOf[layout.selected] * rowHeight, width: Math.max(lanes.length * laneWidth, layout.width ?? 0), height: rowHeight, class: 'band' }) : null;
  return keep([
    band, ...lifelines(), ...shown.map((row) => preemption(row, rows[row])), ...shown.map((row) => delay(row, rows[row])),
    ...shown.map((row) => joint(model.steps[rows[row]], rows[row], model.kinds[rows[row]], row)),
    turn(), ...messages(), ...shown.map(drawStep), ...(last >= rows.length - 1 ? [...end(), ...circle()] : []),
  ]);
}
