import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attribution-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function measured(name: string, ...records: unknown[]): { status: number | null; out: string; said: string } {
  const file = join(folder, name);
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/eval.mjs', 'attribution', file], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, out: stdout, said: stderr };
}

const DAM = 'The Ahrental dam was built in 1931 by Otto Reis to hold back the river.';
const held = { claim: DAM, label: 'attributable', references: [`It is old. ${DAM}`], subset: 'dams' };
const invented = {
  claim: 'Portuguese interest rates tripled to 18% under Minister Vasco.',
  label: 'not attributable',
  references: [`It is old. ${DAM}`, 'Fishing is allowed.'],
  subset: 'banks',
};

describe('the suite for attribution', () => {
  it('measures score and verdicts on claims with references', () => {
    const { status, out } = measured('bench.jsonl', held, invented);
    expect(status).toBe(0);
    const figures = JSON.parse(out) as Record<string, unknown>;
    expect(figures).toMatchObject({
      suite: 'attribution',
      n: 2,
      macroF1: 1,
      subsets: { dams: { n: 1 }, banks: { n: 1 } },
      crossValidated: 0,
      supportedAttributable: 1,
      numberAbsentNotAttributable: 1,
      precisionAt80: 1,
      precisionAt20: 1,
      counts: { attributable: 1, supported: 1, numberAbsent: 1, precisionAt80: 1, precisionAt20: 1 },
      baseline: { macroF1: 1 },
    });
    expect(figures['claimsPerSecond']).toBeGreaterThan(0);
    expect(figures['calibrationError']).toBeLessThan(0.2);
  });

  it('counts claims that a page bears in part as not borne, and says whether one was learned from', () => {
    const page = { evidence: ['It is old.', DAM, 'Fishing is allowed.'] };
    const { out } = measured(
      'pages.jsonl',
      { id: 'own-1', claim: DAM, label: 'supported', ...page },
      { id: 'wice-dev-0', claim: invented.claim, label: 'partially_supported', ...page },
    );
    expect(JSON.parse(out)).toMatchObject({
      n: 2,
      crossValidated: 1,
      classes: { attributable: { n: 1, right: 1 }, notAttributable: { n: 1, right: 1 } },
    });
  });

  it.each([
    ['a label that is none', { ...held, label: 'perhaps' }, 'the label "perhaps" is none of attributable'],
    ['no texts', { ...held, references: undefined }, 'has no list of texts as "references" or "evidence"'],
  ])('refuses %s in one sentence, with exit code 2', (_what, record, sentence) => {
    const { status, out, said } = measured('wrong.jsonl', record);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(said).toContain(`record 1`);
    expect(said).toContain(sentence);
  });
});
