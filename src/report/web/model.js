/* model.js: a finding as the page needs it: processes, messages from where they are sent to where they are taken, and
 * which step comes after which. */

/* What a person would want to see or leave out together. */
const KINDS = {
  send: 'send',
  receive: 'receive',
  timeout: 'time-out',
  spawn: 'spawn',
  exit: 'exit',
  link: 'link',
  monitor: 'monitor',
  choice: 'choice',
  name: 'name',
  sleep: 'sleep',
  trap: 'trap exits',
  other: 'other',
};

function kindOf(step) {
  switch (step.op) {
    case 'receive': return step.takes?.length ? 'receive' : 'timeout';
    case 'choose': return 'choice';
    case 'unlink': return 'link';
    case 'demonitor': return 'monitor';
    case 'register':
    case 'unregister':
    case 'whereis': return 'name';
    case 'trap_exit': return 'trap';
    default: return step.op in KINDS ? step.op : 'other';
  }
}

/* P1.2 before P1.10, a parent before its children. */
function compareIds(a, b) {
  const as = a.slice(1).split('.').map(Number), bs = b.slice(1).split('.').map(Number);
  for (let i = 0; i < as.length && i < bs.length; i++) if (as[i] !== bs[i]) return as[i] - bs[i];
  return as.length - bs.length;
}

function collectProcesses(steps, extra) {
  const processes = new Map();
  const meet = (id) => {
    if (id && !processes.has(id)) processes.set(id, { id, name: '', runs: '', birth: -1, death: -1, steps: 0, last: -1 });
    return processes.get(id);
  };
  steps.forEach((step, index) => {
    const process = meet(step.process);
    process.steps++;
    process.last = index;
    if (step.name) process.name = step.name;
    if (step.op === 'exit') process.death = index;
    if (step.op === 'spawn' && step.other) {
      const child = meet(step.other);
      child.birth = index;
      child.runs = / to run (.+)$/.exec(step.text)?.[1] ?? '';
    }
    if (step.other) meet(step.other);
    for (const mail of step.sends ?? []) meet(mail.other);
  });
  extra.forEach(meet);
  return [...processes.values()].sort((a, b) => compareIds(a.id, b.id));
}

function collectMessages(steps) {
  const messages = new Map();
  steps.forEach((step, index) => {
    for (const mail of step.sends ?? [])
      if (mail.text)
        messages.set(mail.number, { number: mail.number, text: mail.text, from: step.process, to: mail.other, sent: index, taken: -1 });
    for (const mail of step.takes ?? []) {
      const message = messages.get(mail.number);
      if (message) message.taken = index;
    }
  });
  return messages;
}

function modelOf(finding) {
  const steps = finding.steps;
  const blocked = new Map(); /* who waits at the end: what for */
  for (const line of finding.waiting) blocked.set(line.split(' ', 1)[0], line);
  const extra = [...blocked.keys()];
  if (finding.process) extra.push(finding.process);
  const before = steps.map((step) => [...step.after]);
  const own = new Map();
  steps.forEach((step, index) => {
    if (own.has(step.process)) before[index].push(own.get(step.process));
    own.set(step.process, index);
  });
  const later = steps.map(() => []);
  before.forEach((list, index) => list.forEach((earlier) => later[earlier].push(index)));
  const last = steps.length - 1;
  return {
    finding, steps, before, later, blocked,
    kinds: steps.map(kindOf),
    processes: collectProcesses(steps, extra),
    messages: collectMessages(steps),
    turn: finding.passes_if ? { step: finding.passes_if.step - 1, before: finding.passes_if.before - 1, text: finding.passes_if.text ?? '' } : null,
    circle: finding.circle ?? [],
    failing: last >= 0 && blocked.size === 0 && steps[last].process === finding.process ? last : -1,
  };
}

/* What a message is called: VOTE of "VOTE {term = 3}", tag 3 of "tag 3 [01]". */
function mailName(text) {
  return /^(tag -?\d+|\S+)/.exec(text)?.[0] ?? '';
}

/* Where to look first: at the circle of a deadlock, which is below the last step; at the step that came too late; of an MPI
 * program, whose world notices a failure steps later, at the last call in the line of the finding, or the next one in its file: the world
 * hears of a send that need not wait with the call after it. */
function causeOf(model) {
  const { finding, steps } = model;
  if (model.turn && model.circle.length === 0) return model.turn.step;
  if (finding.kind !== 'mpi') return steps.length - 1;
  const calls = steps.map((step, index) => ({ ...step, index })).filter((step) => step.sends && step.file === finding.file);
  const call = calls.findLast((step) => step.line === finding.line) ?? calls.find((step) => step.line > finding.line);
  return call ? call.index : steps.length - 1;
}

/* "P1 waits for P1.2, P1.2 waits for P1" */
function circleText(circle) {
  return circle.map((id, i) => `${id} waits for ${circle[(i + 1) % circle.length]}`).join(', ');
}

/* All that can be reached from a step; the step itself is not in it. */
function reach(edges, from) {
  const marks = new Uint8Array(edges.length);
  const open = [from];
  while (open.length > 0)
    for (const next of edges[open.pop()])
      if (!marks[next]) {
        marks[next] = 1;
        open.push(next);
      }
  return marks;
}

function relate(model, index) {
  if (index < 0) return null;
  const past = reach(model.before, index), future = reach(model.later, index);
  const sum = (marks) => marks.reduce((total, mark) => total + mark, 0);
  const before = sum(past), after = sum(future);
  return { past, future, before, after, aside: model.steps.length - 1 - before - after };
}

function place(thing) {
  return thing.file ? `${thing.file}:${thing.line}` : '';
}

function who(process) {
  const called = process.name || process.runs;
  return called ? `${process.id} (${called})` : process.id;
}
