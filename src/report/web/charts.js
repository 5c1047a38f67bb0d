/* charts.js: how a run went over its time. */

function chart(title, unit, xs, ys) {
  const width = 260, height = 84, left = 2, top = 8, bottom = 18;
  const mostX = xs[xs.length - 1] || 1, mostY = Math.max(...ys, 0) || 1;
  const x = (value) => left + (value / mostX) * (width - 2 * left);
  const y = (value) => top + (1 - value / mostY) * (height - top - bottom);
  const line = xs.map((value, i) => `${i === 0 ? 'M' : 'L'}${x(value).toFixed(1)} ${y(ys[i]).toFixed(1)}`).join('');
  const base = y(0), last = ys[ys.length - 1];
  const svg = draw('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${title}: at most ${short(mostY)}${unit}, at the end ${short(last)}${unit}` },
    draw('line', { x1: left, x2: width - left, y1: base, y2: base, class: 'axis' }),
    draw('path', { d: `${line}L${x(mostX)} ${base}L${x(xs[0])} ${base}Z`, class: 'area' }), draw('path', { d: line, class: 'curve' }),
    draw('text', { x: left, y: height - 4, class: 'tick' }, '0'), draw('text', { x: width - left, y: height - 4, class: 'tick right' }, seconds(mostX)));
  svg.addEventListener('mousemove', (event) => {
    const at = ((event.clientX - svg.getBoundingClientRect().left) / svg.getBoundingClientRect().width) * mostX;
    let best = 0;
    xs.forEach((value, i) => { if (Math.abs(value - at) < Math.abs(xs[best] - at)) best = i; });
    showTip(event, [`${short(ys[best])}${unit}`, `after ${seconds(xs[best])}`]);
  });
  svg.addEventListener('mouseleave', hideTip);
  return make('figure', { class: 'chart' }, make('figcaption', {}, title, make('span', {}, `up to ${short(mostY)}${unit}`)), svg);
}

function charts(test) {
  const history = test.history;
  if (!history || history.seconds.length < 5 || test.executions < 100) return null;
  const at = history.seconds;
  const rate = history.executions.map((total, i) => (i === 0 ? total / (at[0] || 1) : (total - history.executions[i - 1]) / (at[i] - at[i - 1] || 1)));
  return make('div', { class: 'charts' },
    chart('Executions a second', '/s', at, rate),
    history.pending.some((value) => value > 0) && chart('Pending branches', '', at, history.pending),
    chart('Steps in the execution under way', ' steps', at, history.depth));
}
