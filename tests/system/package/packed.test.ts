import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Report } from '../../../src/contracts/report';
import type { SpawnedCommand } from '../../cli/command-line-under-test';
import { createPackedProject, type PackedProject } from './packed-project';

const ROOT = path.resolve(__dirname, '../../..');
const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
/** ES modules and CommonJS, by the ending of what is written and of what is run. */
const KINDS = [
  ['mts', 'mjs'],
  ['cts', 'cjs'],
] as const;

/** Reads a report as somebody else's code would: by the schema, with the type, and fails where an error has lost its class. */
const READING = `
import { readFileSync } from 'node:fs';
import { NoServerError, openColligate, openStores, toAgentState, verifyReport, type Answer, type AnswerRequest, type RunEvent, type VerifiedReport } from 'colligate';
import { Report, ReportDiff, RunEventBody, SourceRecord, SynthesisSettings } from 'colligate/contracts';
import { loadConfig, startWorker } from 'colligate/worker';

const source: SourceRecord = SourceRecord.parse({ content: 'Sun.' });
const settings: SynthesisSettings = SynthesisSettings.parse({});
const named = (event: RunEvent): RunEventBody['type'] => event.type;
const report: Report = Report.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
const sun = '# Sun\\n\\nThe sun shines all day [1].\\n\\n## Sources\\n\\n1. “On the sun.”\\n';
const verified: VerifiedReport = verifyReport(sun, [{ id: 'sun', title: 'On the sun', content: 'The sun shines all day.' }]);
const request: AnswerRequest = { question: 'Does the sun shine?', observations: ['The sun shines all day.'] };
const stateOf = (answer: Answer): 'END' => toAgentState(answer).next_agent;
// @ts-expect-error An answer has settings of its own.
void ({ ...request, answers: { colour: 'red' } } satisfies AnswerRequest);
// @ts-expect-error The types are known: a report has no such field.
void report.colour;
// Importing it starts none.
const workerHere = async (): ReturnType<typeof startWorker> => {
  const config = loadConfig();
  const target = { ...config.temporal, address: 'localhost:7233' };
  return startWorker({ config, target, stores: await openStores(config) });
};
openColligate({ dataDir: 'elsewhere' }).catch((error: unknown) => {
  if (!(error instanceof NoServerError)) throw error;
  console.log(JSON.stringify([report.question, source.content, settings.citationStyle, typeof named, typeof stateOf, typeof workerHere, ReportDiff.shape.kind.value, verified.audit.supported]));
});
`;

let project: PackedProject;
let dev: SpawnedCommand;
let snippet: string;

beforeAll(async () => {
  snippet = /^## As a library$[^]*?^```ts\n([^]*?)^```$/m.exec(README)?.[1] ?? '';
  project = await createPackedProject();
  dev = project.command('dev', '--json');
  for (const [source] of KINDS) {
    await writeFile(path.join(project.folder, `snippet.${source}`), snippet);
    await writeFile(path.join(project.folder, `reading.${source}`), READING);
  }
  // All at once: most of it is the libraries that they use.
  await project.compile(...KINDS.flatMap(([source]) => [`snippet.${source}`, `reading.${source}`]));
  await dev.said(/"taskQueue"/);
});

afterAll(async () => {
  dev.child.kill('SIGTERM');
  expect((await dev.ended).code).toBe(0);
  await rm(project.folder, { recursive: true });
});

/** What the package's own command shows of the newest run. */
async function newestReport(): Promise<Report> {
  const ask = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await project.command(...args, '--json').ended).stdout);
  const { runs } = (await ask('list')) as { runs: { runId: string }[] };
  return Report.parse(await ask('show', runs[0]?.runId ?? ''));
}

test("the README's snippet prints its report, which modules of both kinds read", async () => {
  const printed = await project.run('snippet.mjs');
  const report = await newestReport();
  expect(report).toMatchObject({ status: 'completed', provenance: { engine: 'extractive' } });
  expect(snippet).toContain(`'${report.question}'`);
  expect(printed).toBe(`${report.markdown}\n`);
  await writeFile(path.join(project.folder, 'report.json'), JSON.stringify(report));
  for (const [, script] of KINDS) {
    const [question, ...others] = JSON.parse(
      await project.run(`reading.${script}`, 'report.json'),
    ) as unknown[];
    expect(question).toBe(report.question);
    expect(others).toEqual(['Sun.', 'numbered', 'function', 'function', 'function', 'diff', 1]);
  }
});

test('the package has what runs, with types, and nothing that points to what it has not', () => {
  const folders = new Set(project.files.map((file) => file.split(path.sep)[0]));
  expect([...folders].sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'examples',
    'package.json',
    'templates',
  ]);
  expect(project.files.filter((file) => /\.map$|\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([]);
  const code = project.files.filter((file) => /^dist.*\.js$/.test(file) && !file.endsWith('bundle.js'));
  const inPackage = (file: string): string =>
    readFileSync(path.join(project.folder, 'node_modules', 'colligate', file), 'utf8');
  expect(code.filter((file) => inPackage(file).includes('sourceMappingURL'))).toEqual([]);
});

test('nobody who installs the package installs TypeScript with it', () => {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean } | undefined>;
  };
  expect(packages['node_modules/typescript']).toMatchObject({ dev: true });
});

test('the service of the examples starts a report, steers it and takes it', async () => {
  const service = path.join('node_modules', 'colligate', 'examples', 'service', 'service.mjs');
  const question = 'Does vitamin D supplementation improve bone mineral density?';
  const printed = await project.run(
    service,
    question,
    path.join('notes', 'jorde-2010-bone.md'),
    path.join('notes', 'bosworth-2012-bone.md'),
  );
  const report = await newestReport();
  expect(report).toMatchObject({ question, sources: { total: 2 } });
  expect(printed).toBe(`${report.markdown}\n`);
});
