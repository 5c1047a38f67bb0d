/* usage: node pictures.mjs FOLDER SCRATCH JOBS
 * Takes the pictures of doc/img in the Chromium of this machine. The folder SCRATCH is shown as ~. JOBS is JSON: a list of [name, address, options], with the
 * options width, height, dark, and keys to press before the picture is taken. */
import { chromium } from 'playwright-core';

const [folder, scratch, jobs] = process.argv.slice(2);
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []; /* as root it does not start otherwise */
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args });
for (const [name, address, { width = 1180, height = 900, dark = false, keys = [] }] of JSON.parse(jobs)) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' });
  const page = await context.newPage();
  await page.goto(address);
  for (const key of keys) await page.keyboard.press(key);
  await page.waitForTimeout(500);
  await page.evaluate((path) => {
    const shown = document.getElementById('folder');
    if (shown) shown.textContent = shown.textContent.replace(path, '~');
  }, scratch);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await context.close();
}
await browser.close();
