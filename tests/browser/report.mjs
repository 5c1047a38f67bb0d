/* usage: node report.mjs FINDINGS.html PROGRAM.html PASSING.html DELAYS.html MPI.html
 * Opens HTML reports in the Chromium of this machine and uses them as a person would. The reports are of
 * examples/findings (every kind of finding), tests/integration/report_program.c, a program that passes,
 * one under ses, and tests/data/mpi/exchange_head_on.c. */
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [findings, program, passing, delays, mpi] = process.argv.slice(2);
const FAST = 2000; /* milliseconds until a report of 10,000 steps can be used */

let browser;
try {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []; /* as root it does not start otherwise */
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args });
} catch (error) {
  console.error(`Chromium cannot be started, so the report cannot be tested: ${error.message}`);
  console.error('Debian: apt-get install chromium; or set CHROMIUM to its path.');
  process.exit(1);
}

/* A page of its own; whatever is wrong with it goes to `problems`: complaints, and requests for anything but the file. */
async function open(file, { hash = '', ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, ...options });
  const page = await context.newPage(), url = pathToFileURL(file).href;
  page.problems = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) page.problems.push(message.text()); });
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('dialog', (dialog) => { page.problems.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.route('**', (route) => {
    if (route.request().url().split('#')[0] !== url) page.problems.push(`request: ${route.request().url()}`);
    route.continue();
  });
  await page.goto(url + hash);
  return page;
}

async function shut(page) {
  assert.deepEqual(page.problems, []);
  await page.context().close();
}

const selected = (page) => page.locator('.row.selected').getAttribute('data-step').then(Number);
const testNumber = async (page, name) => page.evaluate((wanted) =>
  JSON.parse(document.getElementById('data').textContent).tests.findIndex((test) => test.test === wanted) + 1, name);
/* Until what was asked for has been painted. */
const painted = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))));

const tests = {
  async 'every kind of finding'() {
    const page = await open(findings);
    const report = await page.evaluate(() => JSON.parse(document.getElementById('data').textContent));
    const kinds = new Set();
    for (const [t, test] of report.tests.entries())
      for (const [f, finding] of test.errors.entries()) {
        await page.evaluate((hash) => { location.hash = hash; }, `#test=${t + 1}&finding=${f + 1}`);
        await page.waitForFunction((name) => document.querySelector('h1').textContent === name, test.test);
        assert.equal(await page.locator('.finding-head h2').textContent(), finding.message, test.test);
        assert.equal((await page.locator('.kind').textContent()).split(' \u00b7')[0], finding.kind);
        assert.equal(await page.locator('.stage').count(), finding.steps.length > 0 ? 1 : 0, test.test);
        if (finding.steps.length > 0) {
          assert.equal(await selected(page), finding.passes_if?.step ?? finding.steps.length, test.test); /* the cause */
          assert.ok(await page.locator('.picture .step').count() > 0);
          assert.equal(await page.locator('.picture .turn').count(), finding.passes_if ? 1 : 0, test.test);
          assert.equal(await page.locator('p.turn').count(), finding.passes_if ? 1 : 0, test.test);
        }
        assert.equal(await page.locator('.picture .blocked').count(), finding.steps.length > 0 ? finding.waiting.length : 0, test.test);
        kinds.add(finding.kind);
      }
    assert.deepEqual([...kinds].sort(), ['abnormal exit', 'assertion', 'crash', 'deadlock', 'depth', 'endless loop', 'exit',
      'hidden sharing', 'leak', 'liveness', 'misuse', 'nondeterminism', 'out of bounds',
      'outside', 'stack overflow', 'unhandled']);
    assert.ok(report.tests.some((test) => test.errors.some((finding) => finding.passes_if)));
    await shut(page);
  },

  async 'names on arrows, in light and dark'() {
    for (const colorScheme of ['light', 'dark']) {
      const page = await open(delays, { colorScheme });
      const names = await page.locator('.picture .message .says').allTextContents();
      assert.ok(names.includes('READ') && names.includes('REPLY'), names.join());
      const [ink, ground] = await page.evaluate(() => [getComputedStyle(document.querySelector('.says')).fill, getComputedStyle(document.body).backgroundColor]);
      const light = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
      assert.ok(Math.abs(light(ink) - light(ground)) > 150, `${ink} on ${ground}`);
      await shut(page);
    }
  },

  async 'names on arrows are clear of the rings around steps'() {
    const page = await open(delays);
    const covered = await page.evaluate(() => {
      const box = (element) => element.getBoundingClientRect();
      const rings = [...document.querySelectorAll('.picture .chosen, .picture .halo, .picture .failing')].map(box);
      const names = [...document.querySelectorAll('.picture .says')].map((element) => [element.textContent, box(element)]);
      const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
      return [rings.length, names.filter(([, name]) => rings.some((ring) => meet(ring, name))).map(([text]) => text).join()];
    });
    assert.ok(covered[0] >= 2, 'there are no rings');
    assert.equal(covered[1], '');
    for (const marked of await page.locator('.step.marked').all()) assert.equal(await marked.evaluate((element) => getComputedStyle(element).opacity), '1');
    await shut(page);
  },

  async 'a deadlock whose last step is an exit shows where a process waits'() {
    const page = await open(findings);
    await page.evaluate((hash) => { location.hash = hash; }, `#test=${await testNumber(page, 'deadlock_left_behind')}&finding=1`);
    await page.waitForFunction(() => document.querySelector('h1').textContent === 'deadlock_left_behind');
    assert.match(await page.locator('.source-title').textContent(), /findings\.c:\d+.*, where P1\.1 waits$/);
    assert.equal(await page.locator('.source .here').count(), 1);
    await shut(page);
  },

  async 'a deadlock opens on its circle, above the charts'() {
    const page = await open(program);
    const t = await testNumber(page, 'circle');
    assert.ok(t > 0);
    await page.evaluate((hash) => { location.hash = hash; }, `#test=${t}&finding=1`);
    await page.waitForFunction(() => document.querySelector('h1').textContent === 'circle');
    assert.match(await page.locator('.circle').textContent(), /P1\.1 waits for P1\.2, P1\.2 waits for P1\.1/);
    assert.equal(await page.locator('.picture .waits').count(), 2);
    assert.ok(await page.locator('.picture .waits').first().isVisible());
    const [finding, counts] = await Promise.all(['.finding-head', '.counts'].map((part) => page.locator(part).boundingBox()));
    assert.ok(finding.y < counts.y);
    await shut(page);
  },

  async 'an MPI program opens on a call that waits'() {
    const page = await open(mpi);
    assert.equal(await page.locator('.row.selected').textContent().then((text) => /sends MPI_Recv to P1/.test(text)), true);
    await shut(page);
  },

  async 'a telephone'() {
    for (const file of [findings, program, delays, mpi]) {
      const page = await open(file, { viewport: { width: 390, height: 800 } });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390);
      assert.ok(await page.locator('.finding-head h2').isVisible());
      if (await page.locator('.row .what').count() > 0) { /* there are findings without a step */
        const what = await page.locator('.row .what').first().boundingBox();
        assert.ok(what && what.x >= 0 && what.x < 340 && what.width > 100, JSON.stringify(what));
      }
      await shut(page);
    }
  },

  async 'a report without findings'() {
    const page = await open(passing);
    assert.equal(await page.locator('.badge').textContent(), 'Passed');
    assert.match(await page.locator('.meaning').textContent(), /Everything was covered/);
    assert.equal(await page.locator('.stage').count(), 0);
    await shut(page);
  },

  async 'every operation is drawn its own way'() {
    const page = await open(program, { hash: `#test=2` });
    const drawn = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll('.picture .glyph')].map((glyph) =>
      [glyph.getAttribute('class'), [...glyph.children].map((child) => child.tagName + child.getAttribute('class')).join()])));
    const kinds = ['send', 'receive', 'timeout', 'spawn', 'exit', 'link', 'monitor', 'choice', 'name', 'sleep', 'trap'];
    assert.deepEqual(Object.keys(drawn).sort(), kinds.map((kind) => `glyph k-${kind}`).sort());
    assert.ok(await page.locator('.picture .joint.k-spawn').count() >= 2);
    assert.ok(await page.locator('.picture .joint.k-monitor').count() >= 1);
    assert.equal(await page.locator('.picture .unread').count(), 1, 'the message that nobody takes');
    assert.equal(await page.locator('.picture .failing').count(), 1);
    assert.equal(await page.locator('.picture .failed').count(), 1);
    await shut(page);
  },

  async 'keyboard'() {
    const page = await open(program, { hash: '#test=2' });
    const steps = await page.evaluate(() => JSON.parse(document.getElementById('data').textContent).tests[1].errors[0].steps);
    const press = async (key, expected) => {
      await page.keyboard.press(key);
      assert.equal(await selected(page), expected, key);
    };
    assert.equal(await selected(page), steps.length);
    await press('k', steps.length - 1);
    await press('ArrowUp', steps.length - 2);
    await press('Home', 1);
    await press('j', 2);
    await press('ArrowDown', 3);
    await press('ArrowUp', 2);
    await press('End', steps.length);
    await press('j', steps.length);
    await page.keyboard.press('Home');
    const next = steps.findIndex((step, i) => i > 0 && step.process === 'P1');
    await press('ArrowRight', next + 1);
    await press('ArrowLeft', 1);
    const chosen = await selected(page);
    assert.match(await page.locator('#live').textContent(), new RegExp(`^Step ${chosen} of ${steps.length}: P1 `));
    assert.equal(await page.locator('#steps').getAttribute('aria-activedescendant'), `step-${chosen}`);
    assert.equal(await page.locator('.facts h3').textContent(), `Step ${chosen} of ${steps.length}`);
    assert.match(await page.locator('.source .here').textContent(), /eo_register\("main"/);
    assert.match(page.url(), /#test=2&finding=1&step=1$/);
    await page.keyboard.press(']');
    await page.waitForFunction(() => document.querySelector('h1').textContent === 'long_way');
    await page.keyboard.press('[');
    await page.waitForFunction(() => document.querySelector('h1').textContent === 'every_operation');
    await page.keyboard.press('?');
    assert.ok(await page.locator('#keys').isVisible());
    await page.keyboard.press('Escape');
    assert.ok(!await page.locator('#keys').isVisible());
    /* From the start of the page to the steps without a mouse. */
    await page.evaluate(() => document.activeElement.blur());
    let found = false;
    for (let i = 0; i < 60 && !found; i++) {
      await page.keyboard.press('Tab');
      found = await page.evaluate(() => document.activeElement.id === 'steps');
    }
    assert.ok(found, 'Tab leads to the steps');
    await shut(page);
  },

  async 'delays'() {
    const page = await open(delays);
    const steps = await page.evaluate(() => JSON.parse(document.getElementById('data').textContent).tests[0].errors[0].steps);
    const first = steps.findIndex((step) => step.delays > 0);
    assert.ok(first > 0 && steps.some((step) => !step.delays));
    await page.keyboard.press('Home');
    for (let i = 0; i < first; i++) await page.keyboard.press('j');
    assert.match(await page.locator('.facts').textContent(), /the explorer was delayed once/);
    assert.ok(await page.locator('.picture .delay-tip').count() > 0);
    await page.keyboard.press('Home');
    assert.doesNotMatch(await page.locator('.facts').textContent(), /was delayed/);
    await shut(page);
  },

  async 'variables'() {
    const tests = await (await open(program)).evaluate(() => JSON.parse(document.getElementById('data').textContent).tests);
    const number = tests.findIndex((test) => test.test === 'variables') + 1;
    const page = await open(program, { hash: `#test=${number}` });
    const rows = await page.locator('.variables tbody tr').allTextContents();
    assert.deepEqual(rows, ['count12', 'label"<b>"']);
    assert.equal(await page.locator('.variables .changed').count(), 1);
    await page.keyboard.press('k');
    assert.deepEqual(await page.locator('.variables tbody tr').allTextContents(), ['count01', 'label"""<b>"']);
    await page.keyboard.press('Home');
    assert.equal(await page.locator('.variables').count(), 0, 'P1 is no machine');
    await shut(page);
  },

  async 'mouse'() {
    const page = await open(program, { hash: '#test=2' });
    await page.keyboard.press('Home');
    await page.locator('.row[data-step="4"]').click();
    assert.equal(await selected(page), 4);
    await page.locator('.picture .step').nth(1).click();
    assert.equal(await selected(page), 2);
    await page.locator('.facts button.link').first().click();
    assert.equal(await selected(page), 1);
    await page.keyboard.press('End');
    await page.locator('.picture .message .touch').first().hover({ force: true });
    assert.ok(await page.locator('#tip').isVisible());
    assert.match(await page.locator('#tip').textContent(), /HELLO|tag|DOWN|EXIT/);
    await page.locator('h1').hover();
    assert.ok(!await page.locator('#tip').isVisible());
    const before = await page.locator('.row').first().evaluate((row) => row.offsetHeight);
    await page.getByRole('button', { name: 'Larger' }).click();
    assert.ok(await page.locator('.row').first().evaluate((row) => row.offsetHeight) > before);
    assert.equal(await page.locator('.zoom-text').textContent(), '125 %');
    await page.locator('nav a.finding').first().click();
    await page.waitForFunction(() => document.querySelector('h1').textContent === 'hostile');
    await shut(page);
  },

  async 'happens before'() {
    const page = await open(program, { hash: '#test=2&step=17' });
    const steps = await page.evaluate(() => JSON.parse(document.getElementById('data').textContent).tests[1].errors[0].steps);
    /* All paths, the slow way. */
    const before = steps.map((step, i) => [...step.after, steps.slice(0, i).findLastIndex((other) => other.process === step.process)].filter((index) => index >= 0));
    const past = (i) => new Set(before[i].flatMap((j) => [j, ...past(j)]));
    const at = 16, expected = [...past(at)].map((i) => i + 1).sort((a, b) => a - b);
    const future = steps.map((_, i) => i).filter((i) => past(i).has(at)).map((i) => i + 1);
    const shown = (name) => page.locator(`.row.${name}`).evaluateAll((rows) => rows.map((row) => Number(row.dataset.step)));
    assert.deepEqual(await shown('past'), expected);
    assert.deepEqual(await shown('future'), future);
    assert.equal((await shown('aside')).length, steps.length - 1 - expected.length - future.length);
    await page.keyboard.press('h');
    assert.equal((await shown('past')).length, 0);
    await shut(page);
  },

  async 'filters'() {
    const page = await open(program, { hash: '#test=2' });
    const rows = () => page.locator('.row[data-step]').evaluateAll((list) => list.map((row) => Number(row.dataset.step)));
    const steps = await page.evaluate(() => JSON.parse(document.getElementById('data').textContent).tests[1].errors[0].steps);
    const numbers = (keep) => steps.map((step, i) => (keep(step) ? i + 1 : 0)).filter(Boolean);
    await page.locator('.chip[data-kind=send]').click();
    assert.deepEqual(await rows(), numbers((step) => step.op !== 'send'));
    assert.equal(await page.locator('.picture .k-send').count(), 0);
    assert.equal(await page.locator('.chip[data-kind=send]').getAttribute('aria-pressed'), 'false');
    await page.locator('.chip[data-kind=send]').click();
    await page.locator('.menu summary').click();
    await page.getByRole('checkbox', { name: 'P1.1' }).uncheck();
    assert.deepEqual(await rows(), numbers((step) => step.process !== 'P1.1'));
    assert.equal(await page.locator('.label').count(), 2);
    await page.getByRole('button', { name: 'Only P1.2' }).click();
    assert.deepEqual(await rows(), numbers((step) => step.process === 'P1.2'));
    await page.getByRole('button', { name: 'show all' }).click();
    assert.deepEqual(await rows(), numbers(() => true));
    await page.keyboard.press('Escape');
    assert.ok(!await page.locator('.menu-body').isVisible());
    await shut(page);
  },

  async 'table'() {
    const page = await open(program, { hash: '#test=2' });
    await page.keyboard.press('t');
    assert.equal(await page.locator('table.steps tbody tr').count(), 22);
    assert.ok(!await page.locator('.stage').isVisible());
    assert.match(await page.locator('table.steps').textContent(), /hello.*taken at 17/);
    await page.locator('#as-table').click();
    assert.ok(await page.locator('.stage').isVisible());
    await shut(page);
  },

  async 'light and dark'() {
    const brightness = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3);
    const light = await open(findings), dark = await open(findings, { colorScheme: 'dark' });
    assert.ok(await brightness(light) > 200);
    assert.ok(await brightness(dark) < 60);
    await dark.locator('#theme').click();
    assert.equal(await dark.locator('#theme').textContent(), 'Theme: light');
    assert.ok(await brightness(dark) > 200);
    await light.locator('#theme').click();
    await light.locator('#theme').click();
    assert.ok(await brightness(light) < 60);
    await shut(light);
    await shut(dark);
  },

  /* Text against what is behind it: at least 4.5 to 1, as WCAG 2 asks for. */
  async 'contrast'() {
    for (const colorScheme of ['light', 'dark']) {
      const page = await open(program, { hash: '#test=2', colorScheme });
      const poor = await page.evaluate(() => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const rgb = (colour) => {
          canvas.clearRect(0, 0, 1, 1);
          canvas.fillStyle = colour;
          canvas.fillRect(0, 0, 1, 1);
          return [...canvas.getImageData(0, 0, 1, 1).data];
        };
        const luminance = ([r, g, b]) => [r, g, b].map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
          .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
        const ground = (element) => {
          for (let at = element; at; at = at.parentElement) {
            const colour = rgb(getComputedStyle(at).backgroundColor);
            if (colour[3] === 255) return colour;
          }
          return [255, 255, 255];
        };
        const found = [];
        for (const element of document.querySelectorAll('body *')) {
          const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
          if (!own || element.closest('svg, script, style, .unseen, .skip, .aside') || element.getClientRects().length === 0) continue;
          const [a, b] = [luminance(rgb(getComputedStyle(element).color)), luminance(ground(element))];
          const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          if (ratio < 4.5) found.push(`${element.className || element.tagName}: ${ratio.toFixed(2)}`);
        }
        return found;
      });
      assert.deepEqual(poor, [], colorScheme);
      await shut(page);
    }
  },

  async '10,000 steps and 200 processes'() {
    const page = await open(program);
    const number = await testNumber(page, 'long_way');
    await shut(page);
    /* Machines are noisy: the best of a few counts. */
    let long, ready = Infinity;
    for (let i = 0; i < 5 && ready >= FAST; i++) {
      if (long) await shut(long);
      const started = performance.now();
      long = await open(program, { hash: `#test=${number}` });
      await long.keyboard.press('k');
      await painted(long);
      ready = Math.min(ready, performance.now() - started);
      assert.equal(await selected(long), 9999);
    }
    console.log(`    can be used after ${Math.round(ready)} ms`);
    assert.ok(ready < FAST, `${Math.round(ready)} ms until the report can be used`);
    assert.ok(await long.evaluate(() => document.querySelectorAll('*').length) < 6000, 'only what can be seen is drawn');
    const slowest = { key: '', time: 0 };
    for (const key of ['Home', 'j', 'PageDown', 'End', 'PageUp', '-', '-', '+', 'ArrowLeft', 'h']) {
      const from = performance.now();
      await long.keyboard.press(key);
      await painted(long);
      const time = performance.now() - from;
      if (time > slowest.time) Object.assign(slowest, { key, time });
    }
    console.log(`    slowest key: ${slowest.key}, ${Math.round(slowest.time)} ms`);
    assert.ok(slowest.time < 1000);
    /* Scrolling draws what comes into view. */
    await long.locator('.stage').evaluate((stage) => { stage.scrollTop = stage.scrollHeight / 2; });
    await painted(long);
    const middle = await long.locator('.row[data-step]').evaluateAll((rows) => rows.map((row) => Number(row.dataset.step)));
    assert.ok(middle.some((step) => step > 4500 && step < 5500));
    assert.equal(await long.locator('.label').count(), 200);
    await shut(long);
  },

  async 'a hostile program is text'() {
    const page = await open(program, { hash: '#test=1' });
    const look = async () => {
      assert.equal(await page.evaluate(() => typeof window.pwned), 'undefined', 'a script of the program ran');
      assert.equal(await page.locator('img, iframe, object, embed, [onerror], [onload], main b b, #tip b').count(), 0);
      assert.equal(await page.locator('script').count(), 2);
    };
    await look();
    assert.match(await page.locator('h2').first().textContent(), /<\/script><img src='http:\/\/127.0.0.1:9\/x' onerror='pwned=1'><b>&amp; "quoted"/);
    assert.match(await page.locator('.row').nth(3).textContent(), /<script>window.pwned=1<\//);
    assert.match(await page.locator('.label').nth(1).textContent(), /<svg onload=window.pwned=1>/);
    for (const row of await page.locator('.row[data-step]').all()) await row.click();
    for (const message of await page.locator('.picture .message .touch').all()) await message.hover({ force: true });
    await page.locator('.label').first().hover();
    await page.locator('.menu summary').click();
    await page.keyboard.press('Escape');
    await page.locator('#as-table').click();
    await look();
    /* Should something of it become markup after all, the page's own policy still keeps it from running. */
    await page.evaluate(() => { document.body.insertAdjacentHTML('beforeend', '<img src=data:, onerror="window.pwned=1">'); });
    await painted(page);
    assert.equal(await page.evaluate(() => typeof window.pwned), 'undefined');
    assert.ok(page.problems.length > 0 && page.problems.every((problem) => /Content Security Policy/.test(problem)), page.problems.join('\n'));
    await page.context().close();
  },

  async 'paper'() {
    const page = await open(program, { hash: '#test=2' });
    const pdf = await page.pdf({ format: 'A4' });
    assert.ok(pdf.length > 10000);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('#print table.steps tbody tr').count(), 22);
    assert.equal(await page.locator('#print .picture .step').count(), 22);
    assert.ok(!await page.locator('.stage').isVisible() && !await page.locator('nav').isVisible());
    await shut(page);
  },

  async 'a narrow window'() {
    const page = await open(program, { hash: '#test=2', viewport: { width: 420, height: 800 } });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page is wider than the window');
    await shut(page);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}\n${error.stack}`);
  }
}
await browser.close();
console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
