import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type HttpBench, jsonOf, openHttpBench } from '../support/http-bench';
import { SOURCES } from '../support/report-script';

const run = promisify(execFile);
const ROOT = path.join(__dirname, '..', '..');
const installed = (file: string): string => path.join(ROOT, 'node_modules', file);

/** What somebody writes who has the document alone, and the client that a generator makes of it. */
const PROGRAM = `
import { claimEvidence, runEvents, runResult, startRun } from './client';
import { client } from './client/client.gen';

const [baseUrl = '', token = '', sources = ''] = process.argv.slice(2);
client.setConfig({ baseUrl, auth: token });

async function main(): Promise<void> {
  const { data: started } = await startRun({
    body: { kind: 'report', question: 'Does it help?', sources: JSON.parse(sources) },
    throwOnError: true,
  });
  const path = { runId: started.runId };
  const { stream } = await runEvents({ path });
  const numbers: number[] = [];
  let last: string = '';
  for await (const event of stream) {
    numbers.push(event.number);
    last = event.type;
  }
  const { data: markdown } = await runResult({ path, query: { format: 'md' }, throwOnError: true });
  const refused = await claimEvidence({ path: { ...path, claimId: 'C999' } });
  console.log(JSON.stringify({ ...started, numbers, last, markdown, refused: refused.error?.detail }));
}

void main();
`;

let face: HttpBench;
let folder: string;
beforeAll(async () => {
  face = await openHttpBench();
  folder = await mkdtemp(path.join(tmpdir(), 'colligate-generated-'));
});
afterAll(async () => {
  await face.close();
  await rm(folder, { recursive: true });
});

test('a client that is generated from the document starts, follows and fetches a run', async () => {
  await face.bench.startWorker();
  const token = await face.tokenOf('ann', 'run');
  const document = await jsonOf<object>(face.ask('/openapi.json'));
  await writeFile(path.join(folder, 'openapi.json'), JSON.stringify(document));
  await writeFile(path.join(folder, 'program.ts'), PROGRAM);
  const node = (...args: string[]): ReturnType<typeof run> => run(process.execPath, args, { cwd: folder });
  await node(installed('@hey-api/openapi-ts/bin/run.js'), '-i', './openapi.json', '-o', './client');
  const types = ['--typeRoots', installed('@types'), '--types', 'node', '--skipLibCheck'];
  const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022'];
  await node(installed('typescript/bin/tsc'), '--noEmit', '--strict', ...modules, ...types, 'program.ts');
  const { stdout } = await node(
    '--require',
    require.resolve('tsx/cjs'),
    'program.ts',
    face.url,
    token,
    JSON.stringify(SOURCES),
  );
  const told = JSON.parse(String(stdout)) as { numbers: number[] };
  expect(told).toMatchObject({
    attached: false,
    last: 'run-completed',
    markdown: expect.stringContaining('## Executive Summary'),
    refused: expect.stringContaining('has no claim "C999"'),
  });
  expect(told.numbers).toEqual(told.numbers.map((_number, at) => at + 1));
});
