/* usage: node serve.mjs URL FOLDER EVERYORDER PROGRAM [IMAGES]
 * Uses the pages of `everyorder serve FOLDER` as a person would, in the Chromium of this machine. PROGRAM is examples/bank.
 * With IMAGES, pictures of the main views are put into that folder. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync, appendFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const [url, folder, everyorder, program, images] = process.argv.slice(2);

let browser;
try {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []; /* as root it does not start otherwise */
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args });
} catch (error) {
  console.error(`Chromium cannot be started, so the pages cannot be tested: ${error.message}`);
  console.error('Debian: apt-get install chromium; or set CHROMIUM to its path.');
  process.exit(1);
}

/* A page; what is wrong with it goes to `problems`: complaints, dialogs, requests elsewhere, scripts that got in. */
async function open(hash = '', options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.problems = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) page.problems.push(message.text()); });
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('dialog', (dialog) => { page.problems.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) page.problems.push(`request: ${request.url()}`);
  });
  await page.goto(url + hash);
  return page;
}

async function shut(page) {
  assert.deepEqual(page.problems, []);
  assert.equal(await page.evaluate(() => globalThis.taken), undefined, 'a script of the program under test ran');
  await page.context().close();
}

const picture = async (page, name) => { if (images) await page.screenshot({ path: `${images}/${name}.png` }); };
const row = (page, name) => page.locator('tbody tr', { hasText: name });
function run(...words) {
  return new Promise((done) => spawn(everyorder, words, { cwd: folder, stdio: 'ignore' }).on('close', done));
}

const EVIL = '<img src=x onerror="globalThis.taken=1;alert(1)"><script>globalThis.taken=1</script>\u202e"\'&';

const tests = {
  async 'the list, by keyboard'() {
    const page = await open();
    await row(page, 'bank.json').waitFor();
    assert.equal(await row(page, 'bank.json').locator('.badge').textContent(), 'failed');
    assert.match(await row(page, 'lost_update-assertion-1.ticket').textContent(), /assertion/);
    for (const run of ['bank.json', 'bank.eolive']) /* a failed run names the test that failed */
      assert.match(await row(page, run).textContent(), /lost_update/, run);
    const names = await page.locator('tbody a').allTextContents();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.locator('tr.current a').textContent(), names[1]);
    await page.keyboard.press('/');
    await page.keyboard.type('bank.json');
    assert.equal(await page.locator('tbody tr:visible').count(), 1);
    await picture(page, 'serve-list');
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash === '#/report/bank.json');
    await page.locator('h2', { hasText: 'lost_update' }).waitFor();
    await page.keyboard.press('?');
    assert.ok(await page.locator('#help').evaluate((dialog) => dialog.open));
    await page.keyboard.press('Escape');
    await page.keyboard.press('u');
    await row(page, 'bank.json').waitFor();
    await shut(page);
  },

  async 'a report, and from its finding to the ticket'() {
    const page = await open('#/report/bank.json');
    await page.locator('.finding summary').click();
    assert.ok(await page.locator('.finding tbody tr').count() > 5);
    await picture(page, 'serve-report');
    await page.locator('.finding a').click();
    await page.locator('#replay').waitFor();
    await page.keyboard.press('r');
    await page.waitForFunction(() => document.getElementById('replay-state').textContent === 'ended');
    const printed = await page.locator('#replay-output').textContent();
    assert.match(printed, /reproduced: assertion/);
    assert.match(printed, /\[exit status 1\]/);
    await picture(page, 'serve-replay');
    await shut(page);
  },

  async 'a run is followed to its end'() {
    writeFileSync(`${folder}/now.eolive`, '');
    const page = await open('#/live/now.eolive');
    await page.waitForFunction(() => document.getElementById('live-state').textContent === 'waiting');
    const over = run('test', program, '--quiet', '--keep-going', '--tickets', 'none', '--strategy', 'random', '--executions',
                     '100000000', '--time', '5s', '--live', 'now.eolive');
    await page.waitForFunction(() => document.getElementById('live-state').textContent === 'running');
    await page.locator('.finding').first().waitFor();
    const number = () => page.locator('.tile', { hasText: 'executions' }).first().locator('b').textContent()
      .then((text) => Number(text.replaceAll(',', '')));
    const early = await number();
    await page.waitForTimeout(3000);
    assert.ok(await number() > early, 'the numbers do not move');
    await picture(page, 'serve-live');
    assert.equal(await over, 1);
    await page.waitForFunction(() => document.getElementById('live-state').textContent === 'failed', null, { timeout: 10000 });
    assert.ok(await page.locator('#live-tests tr').count() >= 1);
    assert.ok((await page.locator('.chart .rate').getAttribute('d')).length > 20);
    await shut(page);
  },

  async 'a log that is begun again'() {
    writeFileSync(`${folder}/again.eolive`, '{"event":"run","program":"first"}\n{"event":"finding","kind":"crash","message":"old"}\n');
    const page = await open('#/live/again.eolive');
    await page.locator('.finding', { hasText: 'old' }).waitFor();
    writeFileSync(`${folder}/again.eolive`, '{"event":"run","program":"second"}\n');
    await page.waitForFunction(() => document.querySelectorAll('.finding').length === 0);
    appendFileSync(`${folder}/again.eolive`, '{"event":"begin","test":"t"}\nnot json\n{"event":"end","test":"t","verdict":"pass"}\n{"event":"done"}\n');
    await page.waitForFunction(() => document.getElementById('live-state').textContent === 'passed');
    await shut(page);
  },

  async 'what comes from a program is text'() {
    const finding = { kind: EVIL, message: EVIL, process: EVIL, file: EVIL, line: EVIL, ticket: EVIL, depth: EVIL,
                      waiting: [EVIL], backtrace: [EVIL], steps: [{ process: EVIL, name: EVIL, text: EVIL, file: EVIL, line: 1 }] };
    const test = { test: EVIL, program: EVIL, strategy: EVIL, options: EVIL, verdict: EVIL, covered: EVIL, stopped: EVIL,
                   error: EVIL, executions: EVIL, errors: [finding] };
    const name = 'a<img src=x onerror=alert(1)>&"\'#%3f.json';
    writeFileSync(`${folder}/${name}`, JSON.stringify({ everyorder: 1, version: EVIL, tests: [test] }));
    writeFileSync(`${folder}/evil.eolive`, [{ event: 'run', program: EVIL }, { event: 'begin', ...test }, { event: 'progress',
      executions: EVIL, elapsed_s: EVIL, share: EVIL }, { event: 'finding', ...finding }, { event: '__proto__' },
      { event: 'constructor' }, { event: 'end', ...test }, { event: 'done' }].map((line) => JSON.stringify(line)).join('\n') + '\n');
    let page = await open();
    await row(page, 'onerror=alert(1)').first().waitFor();
    assert.equal(await page.locator('main img, main script').count(), 0);
    await page.locator('tbody a', { hasText: 'onerror=alert(1)' }).click();
    await page.locator('.finding summary').click();
    assert.equal(await page.locator('main img, main script').count(), 0);
    assert.ok((await page.locator('.finding').textContent()).includes(EVIL.replace('\u202e', '\\u202e')));
    await shut(page);
    page = await open('#/live/evil.eolive');
    await page.locator('#live-tests tr').waitFor();
    assert.equal(await page.locator('main img, main script').count(), 0);
    await shut(page);
  },

  async 'a hostile HTML report can ask for nothing'() {
    writeFileSync(`${folder}/hostile.html`, `<!doctype html><title>Everyorder</title><p id="out">nothing</p><script>
      (async () => {
        const tries = {};
        for (const [name, attempt] of Object.entries({
          read: () => fetch('/api/runs').then((answer) => answer.text()),
          replay: () => fetch('/api/replay?path=x', {method: 'POST', headers: {'X-Everyorder': '1'}}),
          storage: () => localStorage.length, cookie: () => document.cookie, opener: () => window.opener.location.href,
        })) try { await attempt(); tries[name] = 'worked'; } catch { tries[name] = 'refused'; }
        document.getElementById('out').textContent = JSON.stringify(tries);
      })();
    </script>`);
    const page = await open();
    await row(page, 'hostile.html').waitFor();
    const [tab] = await Promise.all([page.waitForEvent('popup'), page.locator('a', { hasText: 'hostile.html' }).click()]);
    await tab.waitForFunction(() => document.getElementById('out')?.textContent !== 'nothing');
    const tries = JSON.parse(await tab.locator('#out').textContent());
    assert.deepEqual(tries, { read: 'refused', replay: 'refused', storage: 'refused', cookie: 'refused', opener: 'refused' });
    await shut(page);
  },

  async 'a telephone'() {
    const page = await open('', { viewport: { width: 390, height: 800 } });
    await row(page, 'bank.json').waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390);
    for (const run of ['bank.json', 'bank.eolive', 'lost_update-assertion-1.ticket']) {
      const [name, what] = await Promise.all([2, 4].map((column) => row(page, run).locator(`td:nth-child(${column})`).boundingBox()));
      assert.ok(name.width >= 150 && what.width >= 300 && what.x + what.width <= 390, `${run}: ${JSON.stringify([name, what])}`);
      assert.ok(what.height <= 80, `${run} takes too many lines`);
    }
    await picture(page, 'serve-list-phone');
    await shut(page);
  },

  async 'light and dark'() {
    const colours = [];
    for (const colorScheme of ['light', 'dark']) {
      const page = await open('', { colorScheme });
      await row(page, 'bank.json').waitFor();
      colours.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
      if (colorScheme === 'dark') await picture(page, 'serve-list-dark');
      await shut(page);
    }
    assert.notEqual(colours[0], colours[1]);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}: ${error.stack}`);
  }
}
await browser.close();
process.exit(failed > 0 ? 1 : 0);
