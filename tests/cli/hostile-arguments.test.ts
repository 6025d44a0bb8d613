import { useProject } from './project-under-test';

const project = useProject(({ write }) =>
  write('note.md', '# Note\n\nSleep improved by 12 % in 40 adults.\n'),
);

/** As much as the system lets an argument have, nearly. */
const LONG = 'x'.repeat(100_000);
const REPORT = 'report "Does it help?" --sources note.md';

test.each<[string, string, RegExp]>([
  [
    'no end of patience',
    `${REPORT} --patience Infinity`,
    /--patience .*"Infinity"; allowed: a number of minutes from 0 to 10080$/m,
  ],
  [
    'more minutes than there are',
    `${REPORT} --max-time 99999999999999`,
    /--max-time .*is 99999999999999; allowed: a number of minutes above 0 and up to 5,256,000$/m,
  ],
  [
    'more money than there is',
    `${REPORT} --max-cost 1e300`,
    /--max-cost .*is 1e300; allowed: a number above 0 and up to/,
  ],
  [
    'a negative wait',
    `${REPORT} --approve-outline --approval-timeout -1`,
    /--approval-timeout is "-1"; allowed: a number of minutes above 0/,
  ],
  ['an endless id', `${REPORT} --id ${LONG}`, /--id is "x{80}…" \(100,000 characters\): an id has 1–255/],
  [
    'an endless question',
    `report ${LONG} --sources note.md`,
    /QUESTION has 100,000 characters; at most 4,000/,
  ],
  [
    'an endless path',
    `report Q? --sources ${LONG}`,
    /--sources x{100}… \(100,000 characters\)|--sources x+… \(/,
  ],
  ['an endless folder', `${REPORT} --out ${LONG}`, /--out .*characters\).* no files can be written there/],
  ['an endless command', LONG, /unknown command 'x+… \(100,00\d characters\)/],
  ['an endless flag', `--${LONG}`, /unknown option '--x+… \(100,00\d characters\)/],
  [
    'an endless choice',
    `show a --format ${LONG}`,
    /--format .* \(100,00\d characters\) is invalid\. Allowed choices are md, json/,
  ],
  ['an endless template', `brief Q? --subtopics note.md --template ${LONG}`, /--template x+… \(/],
  ['words of a megabyte', `show a --format "${'a '.repeat(50_000)}"`, / … .*Allowed choices are md, json/],
  [
    'a folder that is a device',
    `${REPORT} --out /dev/full`,
    /--out \/dev\/full: no files can be written there: something else than a folder has its name/,
  ],
  ['paths that are not there', 'add-sources a nowhere', /PATHS nowhere: there is no such file/],
  [
    'limits that are none',
    'budget a --max-tokens Infinity --max-time 1e30',
    /--max-tokens is "Infinity"[\s\S]*--max-time is "1e30"; allowed: a number of minutes/,
  ],
  [
    'an age beyond all',
    'delete --older-than 999999w',
    /--older-than is "999999w"; allowed: a duration of up to 520w/,
  ],
  [
    'a jitter above the interval',
    `schedule create a --every 1h --jitter 5w ${REPORT}`,
    /jitter is 5w; allowed: from 0s to less than the interval, 1h/,
  ],
  ['a terminal sequence in an id', 'status "" --json \u001b[31m', /too many arguments/],
])('%s is told in a few lines, and starts nothing', async (_what, line, told) => {
  const { code, stderr } = await project.colligate(line);
  expect(stderr).toMatch(told);
  expect(stderr).not.toMatch(/should not have happened|zod|\n\s+at |server/i);
  expect(stderr.length).toBeLessThan(4_000);
  expect(code).toBe(2);
});

test('doctor tells a setting that nothing uses', async () => {
  const { stdout } = await project.colligate('doctor', { env: { REDIS_URL: 'redis://127.0.0.1:1' } });
  expect(stdout).toMatch(
    /note +setting +REDIS_URL \(environment\) is set, and has no effect: no store is kept in redis/,
  );
  expect(stdout).toMatch(/→ .*COLLIGATE_STORES=redis, or leave out REDIS_URL\./);
});
