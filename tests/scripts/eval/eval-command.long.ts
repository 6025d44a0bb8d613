import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'eval-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function evaluate(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/eval.mjs', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, COLLIGATE_DATA: join(folder, 'none') },
  });
  return { status, stdout, stderr };
}

function lines(name: string, ...records: unknown[]): string {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return file;
}

const question = {
  id: 'dam',
  question: 'When was the dam built?',
  sentences: ['The valley is known for its birds.', 'The dam was built in 1931.', 'Fishing is allowed.'],
  labels: [0, 1, 0],
};

describe('the command for evaluation', () => {
  it.each([
    ['an unknown suite', ['nonsense'], /^There is no suite "nonsense"; there are evidence, .*\n$/],
    ['no suite', [], /^Name a suite: .*\n$/],
    ['no file', ['relevance'], /^The suite relevance needs a file or folder; .*\n$/],
    ['no sources', ['evidence', 'x.jsonl'], /^The suite evidence needs --sources; .*\n$/],
    ['an unknown option', ['relevance', 'x', '--deep'], /^Unknown option '--deep'; .*\n$/],
    ['a count that is none', ['relevance', 'x', '--seed', 'one'], /^--seed is "one"; .*\n$/],
    ['one argument too many', ['relevance', 'x', 'y'], /^"y" is one argument too many; .*\n$/],
  ])('refuses %s in one sentence, with exit code 2', (_what, args, sentence) => {
    const { status, stdout, stderr } = evaluate(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
  });

  it('names a file that is not there', () => {
    const { status, stderr } = evaluate('relevance', join(folder, 'absent.jsonl'));
    expect(status).toBe(2);
    expect(stderr).toContain('absent.jsonl cannot be read: there is no such file.');
  });

  it('names the file and the line of a record that lacks a key', () => {
    const file = lines('lacking.jsonl', question, { ...question, labels: undefined });
    const { status, stderr } = evaluate('relevance', file);
    expect(status).toBe(2);
    expect(stderr).toContain(`${file} line 2 has no "labels".`);
  });

  it('prints one line of JSON with what it counted', () => {
    const unlabelled = { ...question, id: 'none', labels: [0, 0, 0] };
    const { status, stdout } = evaluate('relevance', lines('dam.jsonl', question, unlabelled));
    expect(status).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({ suite: 'relevance', n: 1, map: 1, mrr: 1, precisionAt1: 1 });
  });

  it('takes a score apart on standard error', () => {
    const { stdout, stderr } = evaluate('relevance', lines('dam.jsonl', question), '--explain', 'dam');
    expect(JSON.parse(stdout)).toMatchObject({ n: 1 });
    expect(stderr).toMatch(/score\s+right\s+.*bm25.*sentence/);
    expect(stderr).toMatch(/yes .*The dam was built in 1931\./);
  });

  it('makes whole reports over a collection', () => {
    lines(
      'collection/sources.jsonl',
      {
        id: 'dam',
        title: 'The dam',
        content: 'The Ahrental dam was built in 1931. It holds back the river.',
      },
      { id: 'birds', title: 'Birds', content: 'The heron nests in reeds near the lake and eats fish.' },
    );
    lines('collection/questions.jsonl', {
      id: 'when',
      question: 'When was the Ahrental dam built?',
      relevant: ['dam'],
      answers: ['1931'],
    });
    const { status, stdout, stderr } = evaluate('collection', join(folder, 'collection'));
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const figures: unknown = JSON.parse(stdout);
    expect(figures).toMatchObject({ n: 1, answerable: 1, unanswerable: 0, failed: 0 });
    expect(figures).toMatchObject({ baseline: { citedRecall: 1, answersFound: 1 } });
  });

  it('measures nothing where there is no data', () => {
    const { status, stderr } = evaluate('all', '--short');
    expect(status).toBe(0);
    expect(stderr).toMatch(/^Nothing is measured: there is no data in /m);
  });
});
