import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Brief } from '../../../src/contracts/brief';
import {
  type CommandResult,
  newProjectFolder,
  processesOf,
  runCommand,
  spawnCommand,
  type SpawnedCommand,
} from '../../cli/command-line-under-test';
import { writeNotes } from '../../cli/notes';

const ROOT = path.resolve(__dirname, '../../..');
const QUESTION = 'How fast does the universe expand, and why do measurements disagree?';

/** One server and worker for the whole file; every command runs in their folder. */
let folder: string;
let dev: SpawnedCommand;

beforeAll(async () => {
  folder = await newProjectFolder();
  await cp(path.join(ROOT, 'examples/hubble-constant'), path.join(folder, 'hubble'), { recursive: true });
  await writeNotes(path.join(folder, 'notes'));
  dev = spawnCommand(['dev'], { cwd: folder });
  await dev.said(/Worker /);
});

afterAll(async () => {
  dev.child.kill('SIGTERM');
  expect((await dev.ended).code).toBe(0);
  expect(await processesOf(folder)).toEqual([]);
});

const colligate = (...args: string[]): Promise<CommandResult> => runCommand(args, { cwd: folder });

/** Has a brief made of it, with these options. */
const brief = (question: string, options: string): Promise<CommandResult> =>
  colligate('brief', question, ...options.split(' '));

const shown = async (options: string): Promise<string> =>
  (await colligate('show', ...options.split(' '))).stdout;

async function written(id: string): Promise<Brief> {
  return Brief.parse(JSON.parse(await readFile(path.join(folder, 'reports', id, 'report.json'), 'utf8')));
}

test('a folder of notes becomes a brief with its files, which show prints again', async () => {
  const { code, stdout, stderr } = await brief(QUESTION, '--subtopics hubble --id hubble');
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('Run hubble: completed') as string,
  });
  expect(stderr).toMatch(/^4 subtopics with 9 sources read, extractive engine\.$/m);
  expect(stderr).toMatch(/^Audited “\d\. The value from the early universe”: /m);
  expect(stdout).toContain('No text of a source was given: claims are checked against the summaries alone.');
  expect(stdout).toMatch(/^The brief is in\n {2}reports\/hubble\/report\.md /m);

  const made = await written('hubble');
  const markdown = await readFile(path.join(folder, 'reports/hubble/report.md'), 'utf8');
  expect(made).toMatchObject({ id: 'hubble', question: QUESTION, status: 'completed', markdown });
  expect(made.metadata).toMatchObject({
    reportPath: path.join(folder, 'reports/hubble/report.md'),
    citationCount: 9,
  });
  expect(made.citations.map(({ url }) => url)).toContain('https://arxiv.org/abs/2112.04510');
  const disagreements = made.conflicts.map(({ viewpoints }) =>
    viewpoints.map(({ statement, citations }) => ({
      value: /\d\d\.\d+ ± \d\.\d+ km\/s\/Mpc/.exec(statement)?.[0],
      sources: citations.map((n) => made.citations.find((citation) => citation.n === n)?.url),
    })),
  );
  expect(disagreements).toContainEqual([
    { value: '67.4 ± 0.5 km/s/Mpc', sources: ['https://arxiv.org/abs/1807.06209'] },
    {
      value: '73.04 ± 1.04 km/s/Mpc',
      sources: ['https://arxiv.org/abs/2112.04510', 'https://arxiv.org/abs/1907.04869'],
    },
  ]);
  expect((await shown('hubble')).trim()).toBe(markdown.trim());
  expect(Brief.parse(JSON.parse(await shown('hubble --json')))).toEqual({
    ...made,
    metadata: { ...made.metadata, reportPath: null },
  });
  expect(JSON.parse(await shown('hubble --claims --json'))).toMatchObject({
    kind: 'claims',
    id: 'hubble',
    audit: { claims: made.audit.claims },
  });
});

test('what its passes left is shown by their names, and those of other kinds are refused', async () => {
  expect(await shown('hubble --pass gather')).toMatch(
    /^4 subtopics with \d+ statements, 9 sources, 0 of them with their texts\.$/m,
  );
  expect(await shown('hubble --pass plan')).toMatch(/\(subtopic-1\): \d+ words, /);
  const other = await colligate('show', 'hubble', '--pass', '2');
  expect(other).toMatchObject({ code: 2, stdout: '' });
  expect(other.stderr).toContain('Run "hubble" is a brief. Its passes are gather, plan and judge');
});

test('list, status, watch and diff know it for a brief', async () => {
  expect((await colligate('list')).stdout).toMatch(/^hubble +brief +completed /m);
  expect((await colligate('status', 'hubble')).stdout).toMatch(/^Run +hubble \(brief\)$/m);
  const watched = await colligate('watch', 'hubble', '--out', 'watched');
  expect(watched).toMatchObject({ code: 0 });
  expect(watched.stdout).toMatch(/^The brief is in\n {2}watched\/hubble\/report\.md /m);
  const compared = await colligate('diff', 'hubble', 'other');
  expect(compared).toMatchObject({ code: 2, stdout: '' });
  expect(compared.stderr).toContain('Run "hubble" is a brief. Only reports can be compared.');
});
