import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Brief } from '../../../src/contracts/brief/brief';
import { Report } from '../../../src/contracts/report/report';
import {
  newProjectFolder,
  processesOf,
  runCommand,
  spawnCommand,
  type CommandResult,
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
  await cp(path.join(ROOT, 'examples/vitamin-d'), path.join(folder, 'vitamin-d'), { recursive: true });
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
  const [disagreement, ...others] = made.conflicts.map(({ viewpoints }) =>
    viewpoints.map(({ statement, citations }) => ({
      value: /\d\d\.\d+ ± \d\.\d+ km\/s\/Mpc/.exec(statement)?.[0],
      sources: citations.map((n) => made.citations.find((citation) => citation.n === n)?.url),
    })),
  );
  expect(others).toEqual([]);
  expect(disagreement).toEqual([
    { value: '67.4 ± 0.5 km/s/Mpc', sources: ['https://arxiv.org/abs/1807.06209'] },
    {
      value: '73.04 ± 1.04 km/s/Mpc',
      sources: ['https://arxiv.org/abs/2112.04510', 'https://arxiv.org/abs/1907.04869'],
    },
  ]);
  expect(markdown.split('## Conclusions')[1]).toContain('67.4 ± 0.5 km/s/Mpc and 73.04 ± 1.04 km/s/Mpc');
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

test('two notes of one sentence with different dates: both stand as their sources say it, as a disagreement', async () => {
  const notes = Object.entries({ guide: 1932, chronicle: 1934 }).map(([name, year]) => {
    const content = `The bridge was opened in ${year}.`;
    const sources = [{ url: `https://example.org/${name}`, title: `A ${name}`, content }];
    return { subtopic: `The bridge in the ${name}`, summary: content.replace('.', ' [1].'), sources };
  });
  await writeFile(path.join(folder, 'bridge.json'), JSON.stringify(notes));
  expect((await brief('When was the bridge opened?', '-s bridge.json --id bridge')).code).toBe(0);
  const { claims, conflicts, markdown } = await written('bridge');
  expect(conflicts).toHaveLength(1);
  expect(claims.length).toBeGreaterThanOrEqual(2);
  expect(claims.map(({ verdict }) => verdict)).toEqual(claims.map(() => 'supported'));
  expect(markdown).not.toContain('undisputed');
});

test.each(['report', 'brief'])(
  'a %s on why measurements disagree names both values, with their links read as words',
  async (kind) => {
    const question = 'Why do measurements of the Hubble constant disagree?';
    const from = kind === 'report' ? '--sources' : '--subtopics';
    expect((await colligate(kind, question, from, 'hubble', '--id', kind)).code).toBe(0);
    const { conflicts, markdown } = (kind === 'report' ? Report : Brief).parse(
      JSON.parse(await readFile(path.join(folder, 'reports', kind, 'report.json'), 'utf8')),
    );
    const sides = conflicts.flatMap(({ viewpoints }) => viewpoints.map(({ statement }) => statement));
    expect(sides).toEqual([expect.stringContaining('67.4 ± 0.5'), expect.stringContaining('73.04 ± 1.04')]);
    expect(markdown).toMatch(/67\.4 ± 0\.5 km\/s\/Mpc(?! \(\S*\[)/);
    expect(markdown).not.toContain('undisputed');
  },
);

test('a quote is shown by the words of its links, stands in its source with their addresses, and is found there by verify', async () => {
  const report = path.join('reports', 'report', 'report.md');
  expect(await readFile(path.join(folder, report), 'utf8')).toContain('km/s/Mpc (Planck 2018)”');
  const { conflicts } = Report.parse(
    JSON.parse(await readFile(path.join(folder, 'reports', 'report', 'report.json'), 'utf8')),
  );
  const source = await readFile(path.join(folder, 'hubble', '1-early-universe.md'), 'utf8');
  const [statement = ''] = conflicts.flatMap(({ viewpoints }) => viewpoints.map((side) => side.statement));
  expect(statement).toContain('([Planck 2018](https://arxiv.org/abs/1807.06209))');
  expect(source.replace(/\s+/g, ' ')).toContain(statement);
  const verified = await colligate('verify', report, '--sources', 'hubble');
  expect(verified.stdout).toMatch(/^(\d+) claims: \1 supported\./m);
});

test('what its passes left is shown by their names, and those of other kinds are refused', async () => {
  expect(await shown('hubble --pass gather')).toMatch(
    /^4 subtopics with \d+ statements, 9 sources, 0 of them with their texts\.$/m,
  );
  expect(await shown('hubble --pass plan')).toMatch(/\(subtopic-1\): \d+ words, /);
  expect(await shown('hubble --pass judge')).toMatch(/^- Version 1: \d\.\d\d of 5, /m);
  expect(JSON.parse(await shown('hubble --pass judge --json'))).toMatchObject({
    id: 'hubble',
    pass: 'judge',
    result: [{ version: 1 }],
  });
  const other = await colligate('show', 'hubble', '--pass', '2');
  expect(other).toMatchObject({ code: 2, stdout: '' });
  expect(other.stderr).toContain('Run "hubble" is a brief. Its passes are gather, plan and judge');
});

test('list, status, watch and diff know it for a brief', async () => {
  expect((await colligate('list')).stdout).toMatch(/^hubble +brief +completed /m);
  expect((await colligate('status', 'hubble')).stdout).toMatch(/^Run +hubble \(brief\)$/m);
  const watched = await colligate('watch', 'hubble', '--out', 'watched');
  expect(watched).toMatchObject({ code: 0 });
  expect(watched.stdout).toMatch(/^ {2}Version 1 was judged: /m);
  expect(watched.stdout).toMatch(/^The brief is in\n {2}watched\/hubble\/report\.md /m);
  const compared = await colligate('diff', 'hubble', 'other');
  expect(compared).toMatchObject({ code: 2, stdout: '' });
  expect(compared.stderr).toContain('Run "hubble" is a brief. Only reports can be compared.');
});

test('a brief of ended runs has the sections of a report, an answer, and the subtopics of a brief', async () => {
  const sleep = 'Does exercise improve sleep?';
  expect((await colligate('report', sleep, '--sources', 'notes', '--id', 'sleep')).code).toBe(0);
  const asked = ['answer', 'Does yoga improve sleep quality?', '--sources', 'notes', '--id', 'yoga'];
  expect((await colligate(...asked)).code).toBe(0);
  const { code, stderr } = await brief('What is known?', '--from sleep yoga hubble --id all');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const report = JSON.parse(await shown('sleep --json')) as { sections: { title: string }[] };
  const made = await written('all');
  const titles = made.parts.filter(({ id }) => id.startsWith('subtopic-')).map(({ title }) => title);
  expect(titles).toEqual([
    ...report.sections.map(({ title }) => title),
    'Does yoga improve sleep quality?',
    'The value from the early universe',
    'The value from Cepheids and supernovae',
    'Other ways to measure distances',
    'Is new physics needed?',
  ]);
  expect(made.citations.filter(({ inFull }) => inFull).length).toBeGreaterThan(0);
  expect(made.claims.some(({ checkedAgainst }) => checkedAgainst === 'sources')).toBe(true);

  const missing = await brief('What is known?', '--from nothing');
  expect(missing).toMatchObject({ code: 2, stdout: '' });
  expect(missing.stderr).toContain('There is no run "nothing".');
});

test('a brief of a report has both sides of what its sources disagree on', async () => {
  const question = 'What does vitamin D do for health?';
  expect((await colligate('report', question, '--sources', 'vitamin-d', '--id', 'vitamin')).code).toBe(0);
  expect((await brief(question, '--from vitamin --id sides')).code).toBe(0);
  const { conflicts, markdown } = await written('sides');
  expect(conflicts.map(({ topic }) => topic)).toEqual(['forced expiratory volume']);
  // That it did not change, by one source, and what it rose from, by the other.
  expect(markdown).toContain('52% ± 17%');
  expect(markdown).toContain('34.6 ± 8.5');
});

test('an id is refused where it has ended, or is a run of another kind', async () => {
  const ended = await brief(QUESTION, '--subtopics hubble --id hubble');
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain('Run "hubble" has ended already');
  const again = await brief(QUESTION, '--subtopics hubble --id hubble --again --json --no-judge');
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({
    id: 'hubble',
    status: 'completed',
    brief: { sourcesTotal: 9, judge: null },
  });
});

test('deleted, it is forgotten, and its files stay', async () => {
  expect((await colligate('delete', 'all')).stdout).toContain('Run all is deleted.');
  expect((await colligate('show', 'all')).stderr).toContain('There is no run "all".');
  expect((await written('all')).id).toBe('all');
});

test('a template of one’s own gives its headings', async () => {
  await mkdir(path.join(folder, 'templates'));
  const slots =
    '# {{title}}\n\n## In short\n\n{{summary}}\n\n## What was found\n\n{{findings}}\n\n## So\n\n{{conclusions}}\n\n## Read\n\n{{sources}}\n';
  await writeFile(path.join(folder, 'templates/own.md'), slots);
  const own = '--template templates/own.md --id own --out out --json';
  expect((await brief(QUESTION, `--subtopics hubble ${own}`)).code).toBe(0);
  expect(await readFile(path.join(folder, 'out/own/report.md'), 'utf8')).toMatch(
    /^## What was found$[\s\S]*^## Read$/m,
  );
});
