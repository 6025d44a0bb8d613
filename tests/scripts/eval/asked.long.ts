import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');
const OWN = join(ROOT, 'scripts/eval/data/study-questions.jsonl');

interface Asked {
  id: string;
  question: string;
  answerable: boolean;
  by?: string[];
}

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'asked-test-'));
  lines(
    'sources.jsonl',
    {
      id: 'dam',
      title: 'The dam',
      content: 'The Ahrental dam was built in 1931. It holds back the river Ahre above the town.',
    },
    {
      id: 'birds',
      title: 'Birds',
      content: 'The heron nests in reeds near the lake. It eats fish and frogs all the year.',
    },
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function lines(name: string, ...records: unknown[]): string {
  const file = join(folder, name);
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return file;
}

function evaluate(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/eval.mjs', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const when = { id: 'when', question: 'When was the Ahrental dam built?', answerable: true, by: ['dam'] };
const rates = { id: 'rates', question: 'How did Portuguese interest rates change?', answerable: false };

describe('questions of a file put to a collection', () => {
  it('counts what is answered and what is answered anyway, and how far confidence is from it', () => {
    const asked = lines('asked.jsonl', when, rates);
    const { status, stdout } = evaluate('answers-in', folder, '--asked', asked);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      suite: 'answers-in',
      n: 2,
      answerable: 1,
      answered: 1,
      firstRelevant: 1,
      unanswerable: 1,
      answeredAnyway: 0,
      answersShare: 0.5,
    });
    // One is answered with a confidence below 1, of the other nothing is claimed.
    const { confidenceError, meanConfidence } = JSON.parse(stdout) as Record<string, number>;
    expect(confidenceError).toBeCloseTo(0.5 - (meanConfidence ?? 0), 3);
  });

  it('says nothing of first sources where none is known to answer', () => {
    const { stdout } = evaluate(
      'answers-in',
      folder,
      '--asked',
      lines('unknown.jsonl', { ...when, by: undefined }),
    );
    expect(JSON.parse(stdout)).toMatchObject({ answered: 1, firstRelevant: null, answersShare: 1 });
  });

  it('makes whole reports on them', () => {
    const { status, stdout } = evaluate('collection', folder, '--asked', lines('reports.jsonl', when, rates));
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ n: 2, answerable: 1, unanswerable: 1, failed: 0 });
  });

  it('refuses a file that does not say what is answerable', () => {
    const file = lines('lacking.jsonl', { ...when, answerable: 'yes' });
    const { status, stderr } = evaluate('answers-in', folder, '--asked', file);
    expect(status).toBe(2);
    expect(stderr).toContain(`${file} line 1: "answerable" is no boolean.`);
  });

  it('has forty of its own on the studies, half of them answered by some article', () => {
    const own = readFileSync(OWN, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Asked);
    expect(new Set(own.map(({ id }) => id)).size).toBe(40);
    expect(own.filter(({ answerable, by = [] }) => answerable && by.length > 0)).toHaveLength(20);
    expect(own.filter(({ answerable, by }) => !answerable && by === undefined)).toHaveLength(20);
  });
});
