/* detail.js: the step that is selected: its source, its messages, and what it has to come after. */

function sourceLines(sources, file, line) {
  const lines = sources?.[file]?.lines, around = 5;
  if (!lines) return null;
  const shown = [];
  for (let number = line - around; number <= line + around; number++)
    if (lines[number] !== undefined) shown.push([number, lines[number]]);
  return shown.length > 0 ? shown : null;
}

/* Where nothing is indented less, the indentation is of no use. */
function indentation(lines) {
  const depths = lines.filter(([, text]) => text.trim() !== '').map(([, text]) => /^[ \t]*/.exec(text)[0].length);
  return depths.length > 0 ? Math.min(...depths) : 0;
}

function sourceView(sources, thing, note) {
  const lines = thing.file ? sourceLines(sources, thing.file, thing.line) : null;
  const title = make('div', { class: 'source-title' }, place(thing) || 'This step stands in no line of the source.', thing.function && make('span', {}, ` in ${thing.function}`), note && make('span', {}, `, ${note}`));
  if (!lines) return make('div', { class: 'source' }, title, make('p', { class: 'muted' }, thing.file ? 'The source could not be read when this report was written.' : ''));
  const cut = indentation(lines);
  return make('div', { class: 'source' }, title,
    sources[thing.file].newer && make('p', { class: 'muted' }, 'This file was changed after the program was built: lines may have moved.'),
    make('pre', { tabindex: 0, 'aria-label': `Source of ${place(thing)}` }, lines.map(([number, text]) =>
      make('code', { class: number === thing.line ? 'here' : '' }, make('span', { class: 'line-number' }, String(number)), `${text.slice(cut) || ' '}\n`))));
}

function stepLink(index, go, text) {
  return make('button', { type: 'button', class: 'link', onclick: () => go(index) }, text ?? `step ${index + 1}`);
}

function messageFacts(model, step, go) {
  const facts = [];
  for (const mail of step.sends ?? []) {
    const message = model.messages.get(mail.number);
    if (!message) facts.push(make('li', {}, `to ${mail.other}, which had ended: nobody gets it`));
    else facts.push(make('li', {}, make('code', {}, message.text), ` to ${message.to}, `,
      message.taken >= 0 ? ['taken at ', stepLink(message.taken, go)] : make('span', { class: 'warn' }, 'never taken')));
  }
  for (const mail of step.takes ?? []) {
    const message = model.messages.get(mail.number);
    facts.push(make('li', {}, make('code', {}, mail.text || message?.text || '?'), ` from ${mail.other}`, message && [', sent at ', stepLink(message.sent, go)]));
  }
  return facts;
}

/* Those that the step changed come first, with both values. */
function variableRows(step) {
  const changed = (one) => one.before !== one.after;
  const variables = [...(step.variables ?? [])].sort((a, b) => changed(b) - changed(a));
  return variables.map((one) => make('tr', { class: changed(one) ? 'changed' : '' },
    make('th', { scope: 'row' }, one.name), make('td', {}, changed(one) ? one.before : ''), make('td', {}, one.after)));
}

function variablesView(step) {
  const rows = variableRows(step);
  return make('table', { class: 'variables' },
    make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, ''), make('th', { scope: 'col' }, 'before'), make('th', { scope: 'col' }, 'after'))),
    make('tbody', {}, rows));
}

function detailView(model, sources, index, relation, go) {
  if (index < 0) return [sourceView(sources, model.finding)];
  const step = model.steps[index], process = model.processes.find((one) => one.id === step.process);
  const mails = messageFacts(model, step, go), direct = [...model.before[index]].sort((a, b) => a - b);
  const row = (title, ...content) => [make('dt', {}, title), make('dd', {}, ...content)];
  const facts = make('div', { class: 'facts' },
    make('h3', {}, `Step ${index + 1}`, make('span', { class: 'of' }, ` of ${thousands(model.steps.length)}`)),
    make('p', { class: 'does' }, make('b', {}, who(process)), ` ${step.text}`),
    make('dl', {},
      mails.length > 0 && row('Messages', make('ul', {}, mails)),
      step.printed && row('Prints', make('pre', {}, step.printed)),
      step.variables?.length > 0 && row('Variables', variablesView(step)),
      row('Directly after', direct.length === 0 ? 'the start' : direct.map((earlier, i) => [i > 0 && ', ', stepLink(earlier, go), model.steps[earlier].process !== step.process && ` (${model.steps[earlier].process})`])),
      relation && row('Order', make('span', { class: 'past-text' }, `${thousands(relation.before)} before it`), ', ', make('span', { class: 'future-text' }, `${thousands(relation.after)} because of it`), `, ${thousands(relation.aside)} independent`),
      model.turn?.step === index && row('Passes', 'if it comes before ', stepLink(model.turn.before, go)),
      model.turn?.before === index && row('Passes', 'if ', stepLink(model.turn.step, go), ' comes before it'),
      step.delays > 0 && row('Delay', `the explorer was delayed ${step.delays === 1 ? 'once' : `${step.delays} times`}: it would have done something else`),
      step.preempts && row('Takes over', `from ${model.steps[index - 1]?.process ?? 'a process'}, which could have gone on`),
      index === model.failing && row('Then', make('span', { class: 'bad' }, `${model.finding.kind}: ${model.finding.message}`))));
  /* A process that returned from its function stands nowhere: at the end of a deadlock, show who waits instead. */
  const waits = !step.file && index === model.steps.length - 1 && model.blocked.has(model.finding.process);
  return [waits ? sourceView(sources, model.finding, `where ${model.finding.process} waits`) : sourceView(sources, step), facts];
}
