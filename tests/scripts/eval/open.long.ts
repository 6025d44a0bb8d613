import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'open-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function measured(name: string, ...records: unknown[]): { status: number | null; out: string; said: string } {
  const file = join(folder, name);
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/eval.mjs', 'open', file], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, out: stdout, said: stderr };
}

/** Only the second holds a word of the question, so that it is the first by any ranking. */
const dam = {
  id: 'dam',
  question: 'Who designed the Ahrental dam?',
  answerable: true,
  sentences: ['Fishing is allowed on the lake all year.', 'The Ahrental dam was designed by Otto Reis.'],
  titles: ['Fishing', 'The dam'],
  grades: [0, 3],
};
const bank = {
  id: 'bank',
  question: 'How many branches does the savings bank of Lisbon have?',
  answerable: false,
  sentences: ['The heron nests in reeds near the lake.', 'It eats fish, frogs and small birds all year.'],
  titles: ['Birds', 'Birds'],
  grades: [0, 1],
};

describe('the suite for open questions', () => {
  it('measures the order where something answers, and whether it is seen that nothing does', () => {
    const { status, out } = measured('both.jsonl', dam, bank);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      suite: 'open',
      n: 2,
      withAnswer: 1,
      ndcgAt8: 1,
      goodAt5: 0.5,
      answerFirst: 1,
      talkAt5: 0.5,
      answerableAuc: 1,
      bm25NdcgAt8: 1,
      bm25AnswerFirst: 1,
      counts: { sentences: 4, answerable: 1 },
    });
  });

  it('discounts what stands late by its place and its grade', () => {
    // By words the sentences stand as they do here; the best order has the two exchanged.
    const late = {
      ...dam,
      sentences: ['The Ahrental dam was designed well.', 'Otto Reis drew up the plans in two years.'],
      grades: [2, 3],
    };
    const { out } = measured('late.jsonl', late);
    const gain = 3 + 7 / Math.log2(3);
    const best = 7 + 3 / Math.log2(3);
    expect(JSON.parse(out)).toMatchObject({ bm25AnswerFirst: 0, bm25GoodAt5: 1, bm25TalkAt5: 0 });
    expect((JSON.parse(out) as { bm25NdcgAt8: number }).bm25NdcgAt8).toBeCloseTo(gain / best, 3);
  });

  it.each([
    ['lists of different lengths', { ...dam, grades: [3] }, 'has not a title and a grade for each'],
    ['no word on whether it is answerable', { ...dam, answerable: undefined }, 'has no "answerable"'],
  ])('refuses %s in one sentence, with exit code 2', (_what, record, sentence) => {
    const { status, out, said } = measured('wrong.jsonl', record);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(said).toContain(sentence);
  });
});
