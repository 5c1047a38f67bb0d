/* dom.js: elements. Text only ever becomes text: there is no way in here from a string to markup. */

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== ''));
  return element;
}

function make(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

const byId = (id) => document.getElementById(id);
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
const thousands = (number) => Math.round(number).toLocaleString('en-GB');

/* "1 step", "2,345 steps" */
function count(number, what, many) {
  return `${thousands(number)} ${number === 1 ? what : (many ?? what + 's')}`;
}

function seconds(value) {
  if (value < 0.0995) return `${Math.max(1, Math.round(value * 1000))} ms`;
  if (value < 99.5) return `${value.toPrecision(value < 9.995 ? 2 : 3)} s`;
  const minutes = Math.floor(value / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(value % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/* 2.5e20 as 2.5 x 10^20, written as in print. */
function power(number) {
  const [digits, exponent] = number.toExponential(1).split('e+');
  return `${digits} \u00d7 10${[...exponent].map((digit) => '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079'[digit]).join('')}`;
}

/* 1234567 as "1.2 M", for charts and cards. */
function short(number) {
  if (number < 10000) return thousands(number);
  const units = [' k', ' M', ' G', ' T', ' P'];
  let unit = -1;
  while (number >= 1000 && unit < units.length - 1) {
    number /= 1000;
    unit++;
  }
  if (number >= 1000) return power(number * 1e15);
  return number.toPrecision(number < 100 ? 2 : 3) + units[unit];
}

/* ---- The hint beside the pointer ---- */

function showTip(event, lines) {
  const tip = byId('tip');
  tip.replaceChildren(...lines.filter(Boolean).map((line, i) => make('div', { class: i === 0 ? 'first' : '' }, line)));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${clamp(event.clientX + 14, 4, innerWidth - box.width - 4)}px`;
  tip.style.top = `${event.clientY + 18 + box.height < innerHeight ? event.clientY + 18 : event.clientY - box.height - 10}px`;
}

function hideTip() {
  byId('tip').hidden = true;
}

function announce(text) {
  byId('live').textContent = text;
}
