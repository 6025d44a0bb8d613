import path from 'node:path';
import { Report } from '../../src/contracts/report';
import type { Hold } from '../support/kills/hold';
import { type KillBench, openKillBench } from '../support/kills/kill-bench';
import { NOTES } from '../support/kills/material';
import { openToOthers } from '../support/open-to-others';
import { until } from '../support/until';
import type { CommandResult, RunningCommand } from './command-line-under-test';
import { writeNotes } from './notes';
import { useDevProject, useProject } from './project-under-test';

describe('runs', () => {
  const QUESTION = 'Does exercise improve sleep?';
  const REPORT = `report "${QUESTION}" --sources notes`;

  const project = useDevProject();
  const { colligate, json } = project;
  /** What `report` said of the run that the tests ask about. */
  let first: CommandResult;
  beforeAll(async () => {
    first = await colligate(`${REPORT} --id first`);
  });

  const written = async (id: string): Promise<Report> =>
    Report.parse(JSON.parse(await project.read(`reports/${id}/report.json`)));
  const shown = async (id: string): Promise<Report> => Report.parse(await json(`show ${id} --json`));

  test('report writes its files, says what is in them, and leaves standard output to that', async () => {
    expect(first.stderr).toMatch(/Pass [1-4]\/4 · .* · \d+:\d\d/);
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(
      /\d+ sections? · [\d,]+ words · \d+ of 8 sources cited · \d+ conflicts? · \d+ gaps? · \d+ of \d+ claims? supported/,
    );
    expect(first.stdout).toContain('reports/first/report.md');
    expect(first.stdout).not.toMatch(/Pass \d/);
    const report = await written('first');
    expect(report).toMatchObject({ id: 'first', question: QUESTION, status: 'completed' });
    expect(await project.read('reports/first/report.md')).toBe(report.markdown);
  });

  test('show --claims lists every claim with what was found of it', async () => {
    const report = await shown('first');
    expect(await json('show first --claims --json')).toMatchObject({
      kind: 'claims',
      id: 'first',
      audit: report.audit,
      claims: report.claims.map(({ id, verdict, citations }) => ({ id, verdict, citations })),
    });
    const { code, stdout } = await colligate('show first --claims');
    expect(code).toBe(0);
    expect(stdout).toContain(`${report.audit.claims} claims · ${report.audit.supported} of`);
    expect(stdout).toMatch(
      /^supported · claim-1 · .*\n {2}.*\n {2}Why: .*\n {2}Cites: \[1\].*\n {2}Passage: “/m,
    );
    expect(report.markdown).toContain(
      `How this was checked: all ${report.audit.claims} statements are quotations that stand word for word in the source;`,
    );
  });

  test('everything that runs leave in the data folder is for its owner alone', () => {
    expect(openToOthers(path.join(project.folder, '.colligate'))).toEqual([]);
  });

  test('--citations url cites by address, as document 002 does', async () => {
    const { code } = await colligate(`${REPORT} --id by-url --citations url`);
    expect(code).toBe(0);
    const { markdown, citations, sections, claims } = await written('by-url');
    const cited = [...markdown.matchAll(/\[(https?:\/\/[^\]]+)\]/g)].map(([, url]) => url);
    expect(new Set(cited)).toEqual(new Set(citations.map(({ url }) => url)));
    for (const { text, sectionId, start, end } of claims) {
      expect(text).toMatch(/\[https:\/\/journal\.example\/\d\]/);
      expect(sections.find(({ id }) => id === sectionId)?.markdown.slice(start, end)).toBe(text);
    }
  });

  test('an ended id is refused, and runs anew with --again', async () => {
    const refused = await colligate(`${REPORT} --id first --json`);
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'run-closed' } });
    const again = await colligate(`${REPORT} --id first --again --json`);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ id: 'first', status: 'completed' });
  });

  test('what asks about a run answers with one JSON document', async () => {
    const answers: [string, object][] = [
      ['status first', { runId: 'first', status: 'completed', percent: 100 }],
      [
        'list',
        { runs: expect.arrayContaining([expect.objectContaining({ runId: 'first', question: QUESTION })]) },
      ],
      ['show first', { id: 'first', claims: expect.any(Array) }],
      ['watch first', { id: 'first', status: 'completed', files: null }],
      ['doctor', { ok: true }],
    ];
    for (const [line, expected] of answers) {
      const { code, stdout } = await colligate(`${line} --json`);
      expect({ line, code }).toEqual({ line, code: 0 });
      expect(JSON.parse(stdout)).toMatchObject(expected);
    }
  });

  test('show prints the report as it was written to the file', async () => {
    const { stdout } = await colligate('show first');
    expect(stdout.trimEnd()).toBe((await project.read('reports/first/report.md')).trimEnd());
  });

  test('watch tells the phases and sections of an ended run, and writes its files', async () => {
    const { code, stdout } = await colligate('watch first --out watched');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /Started: Does exercise improve sleep\?[\s\S]*Pass 1[\s\S]*Outline[\s\S]*findings? from[\s\S]*Ended: completed/,
    );
    expect(await project.read('watched/first/report.md')).toBe(await project.read('reports/first/report.md'));
  });

  test('a detached run is followed by its id until it ends', async () => {
    const detached = await colligate(`${REPORT} --id second --detach`);
    expect(detached).toMatchObject({ code: 0, stdout: 'second\n' });
    expect(await json('watch second --json')).toMatchObject({ id: 'second', status: 'completed' });
  });

  test('a run that waits for its worker can be joined, paused and resumed, and is not deleted', async () => {
    // Its worker is stopped in its tracks, so that the run does not end before it is steered.
    const env = { ...project.env, COLLIGATE_TASK_QUEUE: 'stopped' };
    const worker = project.spawn('worker', { env });
    await worker.said(/Worker /);
    // It says so before the server has heard of its first poll.
    type Finding = { name: string; state: string };
    await until(
      async () =>
        (JSON.parse((await colligate('doctor --json', { env })).stdout) as { checks: Finding[] }).checks,
      (checks) => checks.filter(({ name }) => name === 'worker').every(({ state }) => state === 'ok'),
    );
    process.kill(worker.pid, 'SIGSTOP');
    let joined: RunningCommand;
    try {
      const detached = await colligate(`${REPORT} --id steered --detach`, { env });
      expect(detached.code).toBe(0);
      const [paused, deleted] = await Promise.all([
        colligate('pause steered --json'),
        colligate('delete steered --json'),
      ]);
      expect(JSON.parse(paused.stdout)).toEqual({ id: 'steered', requested: 'pause' });
      expect(deleted.code).toBe(2);
      expect(JSON.parse(deleted.stdout)).toMatchObject({ error: { code: 'run-still-running' } });
      const refused = await colligate('report "Is it dear?" --sources notes --id steered --json', { env });
      expect(refused.code).toBe(2);
      expect(JSON.parse(refused.stdout)).toMatchObject({
        error: {
          code: 'run-differs',
          message: expect.stringMatching(/its question is “Does exercise improve sleep\?”/) as unknown,
        },
      });
      joined = project.start(`${REPORT} --id steered --json`, { env });
      await joined.said(/running already/);
    } finally {
      process.kill(worker.pid, 'SIGCONT');
    }
    await joined.said(/paused/);
    expect(await json('status steered --json')).toMatchObject({ status: 'paused' });
    expect((await colligate('resume steered')).code).toBe(0);
    const result = await joined.ended;
    expect(JSON.parse(result.stdout)).toMatchObject({ id: 'steered', status: 'completed' });
    expect(result.code).toBe(0);
    worker.stop('SIGTERM');
    await worker.ended;
  });

  test('an unknown run is said to be unknown by every command', async () => {
    await Promise.all(
      ['status', 'watch', 'show', 'pause', 'resume', 'cancel', 'delete'].map(async (command) => {
        const { code, stdout } = await colligate(`${command} nobody --json`);
        expect({ command, code }).toEqual({ command, code: 2 });
        expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'run-not-found' } });
      }),
    );
  });

  test('a report that cannot be written is safe in the store, and the command says how to get it', async () => {
    await project.write('reports/blocked', 'not a folder');
    const result = await colligate(`${REPORT} --id blocked`);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/could not be written to .*It is safe in the store: ".*show blocked/);
    expect(result.stderr).not.toMatch(/should not have happened/);
    expect((await colligate('show blocked')).stdout).toMatch(/^# /);
  });

  test('bad files in a folder are skipped with a line each, and stop everything when named or with --strict', async () => {
    await writeNotes(path.join(project.folder, 'mixed'));
    await project.write('mixed/~$plan.docx', Buffer.alloc(162));
    await project.write('mixed/empty.md', '\n');
    const report = `report "${QUESTION}" --id mixed --sources mixed`;
    for (const stopping of [`${report} mixed/empty.md`, `${report} --strict`]) {
      const refused = await colligate(stopping);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain('mixed/empty.md: the file is empty');
    }
    const both = await colligate(`${report} --strict --skip-invalid`);
    expect(both.code).toBe(2);
    expect(both.stderr).toMatch(/--strict.*--skip-invalid/);
    const skipped = await colligate(`${report} mixed/empty.md --skip-invalid --json`);
    expect(skipped.code).toBe(0);
    expect(skipped.stderr).toMatch(
      /^Skipped mixed\/empty\.md: the file is empty\nSkipped mixed\/~\$plan\.docx: a lock file of Office, not a document\nRead \d+ sources; skipped 2 files\.$/m,
    );
    expect(JSON.parse(skipped.stdout)).toMatchObject({
      warnings: expect.arrayContaining([
        { code: 'source-skipped', message: 'mixed/empty.md: the file is empty' },
      ]),
    });
  });

  test('import reads a folder as it is, and tells what it skipped', async () => {
    await project.write('as-it-is/good.md', 'Walking improved sleep in 40 adults.');
    await project.write('as-it-is/copy.md', 'Walking improved sleep in 40 adults.');
    await project.write('as-it-is/empty.md', '');
    const { code, stdout, stderr } = await colligate('import as-it-is');
    expect(code).toBe(0);
    expect(stdout).toContain('sourceCount  1');
    expect(stderr).toContain(
      'Skipped as-it-is/empty.md: the file is empty\nRead 1 source; skipped 1 file.\n' +
        'Warning: as-it-is/good.md: the same as as-it-is/copy.md, and counts once\n',
    );
  });
});

describe('the log', () => {
  const { colligate } = useProject();

  test('the log has the store at each pass and the citations at the end, with the run, for whoever asks for details', async () => {
    const line = 'report "Does exercise improve sleep?" --sources notes --id detailed';
    const { code, stderr } = await colligate(line, { env: { COLLIGATE_LOG_LEVEL: 'debug' } });
    expect(code).toBe(0);
    const logged = stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ runId }) => runId === 'detailed');
    const stores = logged.filter(({ msg }) => msg === 'Content store');
    expect(stores.map(({ phase }) => phase).join(' ')).toBe(
      'gather overview deep-dive cross-reference report',
    );
    for (const { artifacts, totalChars, found } of stores)
      for (const amount of [artifacts, totalChars, found]) expect(amount).toBeGreaterThan(0);
    expect(logged.filter(({ msg }) => msg === 'Citations')).toEqual([
      expect.objectContaining({ citations: expect.any(Number) as number }),
    ]);
  });
});

describe('an unfinished run', () => {
  /** One section is held when its findings are to be extracted. */
  const HELD: Hold = { runId: 'held', at: 'asked', step: 'extract-findings' };

  /** What a line tells where no line can be redrawn. */
  const COUNTED = /^Pass 2\/4 · .* · (\d+ of \d+) sections read · [\d:]+ · (.+)$/m;

  let bench: KillBench;

  beforeAll(async () => {
    bench = await openKillBench();
    const worker = await bench.startHoldingWorker([HELD]);
    await bench.start('held', NOTES);
    await worker.holds(HELD);
    await until(
      () => bench.pending('held'),
      (activities) => activities.length === 1,
    );
  });
  afterAll(() => bench.close());

  async function statusOf(id: string): Promise<string> {
    return (await bench.commandHere('status', id).ended).stdout;
  }

  test('a run in the midst of a pass is told alike by watch and status', async () => {
    const watching = bench.commandHere('watch', 'held');
    await watching.said(COUNTED);
    watching.stop();
    const said = (await watching.ended).stderr;
    const [, done = '', section = ''] = COUNTED.exec(said) ?? [];
    const status = await statusOf('held');
    expect(status).toMatch(/^At +Pass 2: Deep diving into top 16 sources… \(2 of 4\)$/m);
    expect(status).toContain(`Sections ${done} read, now “${section}”`);
    expect(status).toMatch(/^Used +no call to a model$/m);
    expect(`${said}${status}`).not.toMatch(/\d %/);
  });

  test('a pause is told with since when, and a cancelled run has its report', async () => {
    const run = bench.colligate.run('held');
    await run.pause();
    await until(async () => (await run.progress()).status === 'pausing');
    const status = await statusOf('held');
    expect(status).toMatch(/^Status +pausing$/m);
    expect(status).toMatch(/^Waiting +for somebody to resume it since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/m);
    await run.cancel();
    await run.waitUntilClosed();
    const { code, stdout } = await bench.commandHere('export', 'held', '--format', 'html').ended;
    expect(code).toBe(0);
    expect(stdout).toContain('id="sources"');
  });

  test('a failed run without a report says so, and why', async () => {
    await bench.client.workflow.start('report', {
      taskQueue: bench.config().temporal.taskQueue,
      workflowId: 'half',
      args: [{ question: 'Half a question?' }],
    });
    await bench.colligate.run('half').waitUntilClosed();
    expect(await statusOf('half')).toMatch(/^Because +.*manifestRef is missing/m);
    const { code, stderr } = await bench.commandHere('export', 'half', '--format', 'csv').ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(/Run half is failed and has no report/);
  });
});
