// junit.mjs: do readers of JUnit files that others use see in FILE what the JSON report says?
// usage: node junit.mjs FILE.xml FILE.json
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { parse as readJunit } from 'junit2json';

const [xml, json] = process.argv.slice(2);
const tests = JSON.parse(readFileSync(json, 'utf8')).tests;
const failed = tests.filter((test) => test.verdict === 'fail');
const { parse } = createRequire(import.meta.url)('test-results-parser');

const seen = parse({ type: 'junit', files: [resolve(xml)] });
assert.equal(seen.total, tests.length, 'tests');
assert.equal(seen.failed + seen.errors, failed.length, 'failures');
const cases = seen.suites.flatMap((suite) => suite.cases);
for (const test of failed) {
  const one = cases.find((other) => other.name === test.test);
  assert.ok(one, `${test.test} is there`);
  assert.ok(one.failure.includes(test.errors[0].message.slice(0, 20).trim()), `${test.test}: ${one.failure}`);
}

const read = await readJunit(readFileSync(xml, 'utf8'));
const suites = read.testsuite ?? [read];
const names = suites.flatMap((suite) => suite.testcase ?? []).map((one) => one.name);
assert.deepEqual(names, tests.map((test) => test.test));
console.log(`${xml}: two readers see ${tests.length} tests, ${failed.length} failed`);
