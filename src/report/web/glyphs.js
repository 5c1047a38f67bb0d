/* glyphs.js: how each kind of step is drawn, around (x, y) and about 2r wide. The shape tells it without the colour. */

const polygon = (points) => points.map((point) => point.join(',')).join(' ');

const GLYPHS = {
  send: (x, y, r) => [draw('circle', { cx: x, cy: y, r, class: 'solid' })],
  receive: (x, y, r) => [draw('circle', { cx: x, cy: y, r: r - 0.5, class: 'ring' })],
  timeout: (x, y, r) => [
    draw('circle', { cx: x, cy: y, r, class: 'ring' }),
    draw('path', { d: `M${x} ${y - r * 0.6}V${y}H${x + r * 0.5}`, class: 'stroke' }),
  ],
  spawn: (x, y, r) => [
    draw('polygon', { points: polygon([[x, y - r * 1.25], [x + r * 1.25, y], [x, y + r * 1.25], [x - r * 1.25, y]]), class: 'solid' }),
  ],
  exit: (x, y, r) => [draw('rect', { x: x - r * 1.6, y: y - r * 0.4, width: r * 3.2, height: r * 0.8, rx: 1, class: 'solid' })],
  link: (x, y, r) => [
    draw('circle', { cx: x - r * 0.5, cy: y, r: r * 0.75, class: 'ring' }),
    draw('circle', { cx: x + r * 0.5, cy: y, r: r * 0.75, class: 'ring' }),
  ],
  monitor: (x, y, r) => [
    draw('path', { d: `M${x - r * 1.5} ${y}Q${x} ${y - r * 1.7} ${x + r * 1.5} ${y}Q${x} ${y + r * 1.7} ${x - r * 1.5} ${y}Z`, class: 'ring' }),
    draw('circle', { cx: x, cy: y, r: r * 0.42, class: 'solid' }),
  ],
  choice: (x, y, r) => [draw('rect', { x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: r * 0.45, class: 'solid' })],
  name: (x, y, r) => [
    draw('polygon', { points: polygon([[x - r * 1.2, y - r * 0.8], [x + r * 0.4, y - r * 0.8], [x + r * 1.3, y], [x + r * 0.4, y + r * 0.8], [x - r * 1.2, y + r * 0.8]]), class: 'ring' }),
  ],
  sleep: (x, y, r) => [
    draw('circle', { cx: x, cy: y, r: r - 0.5, class: 'ring' }),
    draw('path', { d: `M${x} ${y - r + 0.5}A${r - 0.5} ${r - 0.5} 0 0 1 ${x} ${y + r - 0.5}Z`, class: 'solid' }),
  ],
  trap: (x, y, r) => [
    draw('path', { d: `M${x - r} ${y - r}H${x + r}V${y}Q${x + r} ${y + r} ${x} ${y + r * 1.4}Q${x - r} ${y + r} ${x - r} ${y}Z`, class: 'ring' }),
  ],
  other: (x, y, r) => [draw('rect', { x: x - r * 0.8, y: y - r * 0.8, width: r * 1.6, height: r * 1.6, class: 'ring' })],
};

/* Taking back what the same sign without the bar did. */
const UNDOES = new Set(['unlink', 'demonitor', 'unregister']);

function glyph(kind, step, x, y, r) {
  const group = draw('g', { class: `glyph k-${kind}` }, GLYPHS[kind](x, y, r));
  if (UNDOES.has(step?.op)) group.append(draw('path', { d: `M${x - r * 1.3} ${y + r * 1.3}L${x + r * 1.3} ${y - r * 1.3}`, class: 'stroke' }));
  if (kind === 'choice' && step && r >= 4)
    group.append(draw('text', { x, y: y + 0.5, class: 'inside', 'font-size': r * 1.5 }, String(step.value)));
  return group;
}

function glyphIcon(kind) {
  return draw('svg', { viewBox: '0 0 20 16', width: 20, height: 16, 'aria-hidden': 'true' }, glyph(kind, null, 10, 8, 4.5));
}

function envelope(x, y) {
  return draw('g', { class: 'unread' },
    draw('rect', { x: x - 6, y: y - 4, width: 12, height: 8, rx: 1.2, class: 'ring' }),
    draw('path', { d: `M${x - 5.5} ${y - 3.5}L${x} ${y + 0.8}L${x + 5.5} ${y - 3.5}`, class: 'stroke' }));
}

function hourglass(x, y) {
  return draw('g', { class: 'blocked' },
    draw('path', { d: `M${x - 5} ${y - 7}H${x + 5}L${x - 5} ${y + 7}H${x + 5}Z`, class: 'ring' }));
}

function cross(x, y, r) {
  return draw('g', { class: 'failed' },
    draw('circle', { cx: x, cy: y, r: r + 3, class: 'solid' }),
    draw('path', { d: `M${x - r * 0.6} ${y - r * 0.6}L${x + r * 0.6} ${y + r * 0.6}M${x - r * 0.6} ${y + r * 0.6}L${x + r * 0.6} ${y - r * 0.6}`, class: 'stroke' }));
}

function takeover(x, y) {
  return draw('polygon', { points: polygon([[x - 4.5, y - 5], [x + 4.5, y - 5], [x, y + 1]]), class: 'takeover-tip' });
}

/* The explorer was delayed here: two bars, as on a button that makes something wait. */
function pause(x, y) {
  return draw('path', { d: `M${x - 3} ${y - 6}v7M${x + 3} ${y - 6}v7`, class: 'delay-tip' });
}
