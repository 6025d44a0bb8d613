import type { Report } from '../../../src/contracts/report/report';
import { openModelBench } from '../model-runs/model-bench';
import {
  INVENTIONS,
  JOINS,
  PARAPHRASES,
  sentenceModel,
  type Critic,
  type MadeSentence,
} from './sentence-model';
import { forAllTests } from '../../support/for-all-tests';

const bench = forAllTests(openModelBench);
afterEach(() => bench.rest());

const right: Critic = (sentence, quote) =>
  sentence === undefined || INVENTIONS.includes(sentence)
    ? { verdict: 'unsupported', reason: 'The quotes do not say it.' }
    : { verdict: 'supported', quote };
const confirmsAll: Critic = () => ({ verdict: 'supported', quote: '' });

/** Everything that a report says, without what Markdown and citations add, and without what it says not to stand. */
function readable(report: Report): string {
  return report.markdown
    .replace(/\\(?=[^\w\s])/g, '')
    .replace(/\[\d+\]/g, '')
    .replace(/\s+/g, ' ');
}

function standing(report: Report, sentences: readonly MadeSentence[]): MadeSentence[] {
  const text = readable(report);
  return sentences.filter((sentence) => text.includes(sentence.text));
}

async function reportWith(critic: Critic, runId: string): Promise<{ report: Report; criticised: number[] }> {
  const { script, written, criticised } = sentenceModel(critic);
  const served = await bench.serve(script);
  const { report } = await served.report(runId);
  // All of them were written, so that what stands was let through.
  expect([...INVENTIONS, ...PARAPHRASES, ...JOINS].filter(({ text }) => !written.has(text))).toEqual([]);
  return { report, criticised };
}

let made: ReturnType<typeof reportWith> | undefined;
/** The report that several tests look at. */
const rightly = (): ReturnType<typeof reportWith> => (made ??= reportWith(right, 'right'));

test('with a critic that is right inventions fall, and what is true stands', async () => {
  const { report, criticised } = await rightly();
  expect(standing(report, INVENTIONS)).toEqual([]);
  expect(standing(report, PARAPHRASES).length).toBeGreaterThanOrEqual(38);
  expect(standing(report, JOINS).length).toBeGreaterThanOrEqual(18);
  // A call for each section and for the summary, and one after each was written anew.
  expect(criticised.length).toBeLessThanOrEqual(2 * (report.sections.length + 1));
  const { claims, supported, ...others } = report.audit;
  expect(Object.values(others).reduce((sum, amount) => sum + amount, supported)).toBe(claims);
  expect(report.markdown).toContain(`${supported} of ${claims}`);
  expect(readable(report)).not.toMatch(/fatal|doctors/);
});

test('with a critic that confirms everything without a quote no invention stands, and what is close does', async () => {
  const { report } = await reportWith(confirmsAll, 'without-quote');
  const close = [...PARAPHRASES, ...JOINS].filter(({ isClose }) => isClose);
  expect(standing(report, INVENTIONS)).toEqual([]);
  expect(standing(report, close)).toEqual(close);
  expect(standing(report, [...PARAPHRASES, ...JOINS])).toHaveLength(close.length);
  expect(report.claims.filter(({ code }) => code === 'critic')).toEqual([]);
});

test('what the cross-check said nothing of is not told as validated', async () => {
  const { report } = await rightly();
  // The model of these tests answers a cross-check with an empty list, and findings with numbers are to be checked.
  const toCheck = report.claims.filter(({ evidence }) => evidence.some(({ quote }) => /\d/.test(quote)));
  expect(toCheck.length).toBeGreaterThan(10);
  expect(toCheck.map(({ validated }) => validated)).not.toContain(true);
});

test('no sentence has the confidence of other words', async () => {
  const { report } = await rightly();
  const confirmed = report.claims.filter(({ reason }) => reason.includes('critic confirmed'));
  expect(confirmed.length).toBeGreaterThan(10);
  for (const { confidence, text } of confirmed) {
    expect(confidence).toBeLessThanOrEqual(0.75);
    expect(text).not.toContain('High confidence');
  }
});
