import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ReportDiff } from '../../src/contracts/report/report-diff';
import { useDevProject } from './project-under-test';

const QUESTION = 'Does exercise improve sleep?';

const project = useDevProject();
const { colligate } = project;

/** Two runs over notes: in the later, one note has another number, one is gone and one has come. */
beforeAll(async () => {
  await report('before');
  await changeNotes(path.join(project.folder, 'notes'));
  await report('after');
});

async function report(id: string): Promise<void> {
  const made = await colligate(`report "${QUESTION}" --sources notes --id ${id}`);
  expect(`${made.code} ${made.stderr}`).toMatch(/^0 /);
}

async function changeNotes(notes: string): Promise<void> {
  const corrected = path.join(notes, 'note-1.md');
  await writeFile(corrected, (await readFile(corrected, 'utf8')).replace('38 minutes', '51 minutes'));
  await rm(path.join(notes, 'note-8.md'));
  await writeFile(
    path.join(notes, 'note-9.md'),
    '---\ntitle: "Exercise at weekends and \\u001b[31msleep\\u001b[0m"\nurl: https://journal.example/9\nauthor: "Jane Doe"\ndate: 2021\n---\n\n' +
      '# Exercise at weekends and sleep\n\nThis cohort study followed 700 adults in Chile for 3 years. Exercise at weekends was associated with a 12 % lower risk of insomnia.\n',
  );
}

test('tells what is new, changed and withdrawn between two real reports', async () => {
  const result = await colligate('diff before after');
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(result.stdout).toMatch(
    /^# What changed from `before` to `after`\n\n- Sources: 1 changed, 1 came, 1 went, 6 as they were\n- Findings: \d+ new, /,
  );
  const [first, second, third] = [...result.stdout.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  expect([first, second, third]).toEqual([
    'Sources that changed (1)',
    'Sources that came (1)',
    'Sources that went (1)',
  ]);
  expect(result.stdout).toMatch(
    /## New findings[\s\S]*“Exercise at weekends was associated with a 12 % lower risk[\s\S]*Doe \(2021\)/,
  );
  expect(result.stdout).toMatch(/## Changed findings[\s\S]*Figures: 38 minutes → 51 minutes/);
  expect(result.stdout).toMatch(/## Withdrawn findings[\s\S]*Exercise was associated with a 21 % lower risk/);
  expect(result.stdout).toMatch(
    /## Sources newly cited \(1\)\n\n- Doe \(2021\), “Exercise at weekends and sleep”/,
  );
  expect(result.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

test('as JSON it is one document with every change in full, the same from the other side', async () => {
  const [there, back, formatted] = await Promise.all([
    colligate('diff before after --json'),
    colligate('diff after before --json'),
    colligate('diff before after --format json'),
  ]);
  expect(there).toMatchObject({ code: 0, stderr: '' });
  expect(formatted.stdout).toBe(there.stdout);
  const found = ReportDiff.parse(JSON.parse(there.stdout));
  expect(found).toMatchObject({
    before: { id: 'before', question: QUESTION },
    after: { id: 'after' },
    notes: [],
  });
  expect(found.sources).toMatchObject({
    newlyCited: [{ author: 'Jane Doe' }],
    noLongerCited: [{ title: 'Exercise dose and sleep duration' }],
  });
  expect(found.findings.changed.flatMap(({ changes }) => changes)).toContainEqual({
    kind: 'figures',
    figures: [{ before: '38 minutes', after: '51 minutes' }],
  });
  const turned = ReportDiff.parse(JSON.parse(back.stdout));
  expect(turned.findings.withdrawn).toEqual(found.findings.new);
  expect(turned.findings.new).toEqual(found.findings.withdrawn);
  expect(turned.findings.notQuoted).toEqual(found.findings.newlyQuoted);
  expect(found.sources.read).toMatchObject({
    changed: [{ title: expect.any(String) as unknown }],
    came: [{ author: 'Jane Doe' }],
    went: [{ title: 'Exercise dose and sleep duration' }],
  });
});

test('a run over the same notes does not differ', async () => {
  await report('again');
  const result = await colligate('diff after again');
  expect(result.stdout).toMatch(
    /Nothing differs: .*\n\n- Sources: 0 changed, .*\n- Findings: 0 new, .* 0 withdrawn, [1-9]/,
  );
});

test('the same run twice, a run that is unknown and one without a report are refused', async () => {
  const twice = await colligate('diff before before');
  expect(twice).toMatchObject({ code: 2, stdout: '' });
  expect(twice.stderr).toMatch(/Both ids are "before"/);

  const unknown = await colligate('diff before nobody --json');
  expect(unknown.code).toBe(2);
  expect(JSON.parse(unknown.stdout)).toMatchObject({ error: { code: 'run-not-found' } });

  // Its worker is stopped in its tracks, so that the run has no report when it is asked for.
  const env = { ...project.env, COLLIGATE_TASK_QUEUE: 'stopped' };
  const worker = project.spawn('worker', { env });
  try {
    await worker.said(/Worker /);
    process.kill(worker.pid, 'SIGSTOP');
    expect((await colligate(`report "${QUESTION}" --sources notes --id early --detach`, { env })).code).toBe(
      0,
    );
    const early = await colligate('diff before early');
    expect(early).toMatchObject({ code: 2, stdout: '' });
    expect(early.stderr).toMatch(/Run early is (?:queued|running) and has no report/);
  } finally {
    await worker.kill();
  }
});
