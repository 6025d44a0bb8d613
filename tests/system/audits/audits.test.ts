import type { SynthesisSettings } from '../../../src/contracts/report/synthesis-settings';
import { materialIn } from '../../model-server/prompt-material';
import type { RunRecord } from '../../support/kills/run-record';
import { openModelBench } from '../model-runs/model-bench';
import {
  ASKED,
  auditedModel,
  promptsOf,
  RIGHT,
  rightCritic,
  SECTION,
  writingsOf,
  WRONG,
  type Critic,
  type Told,
} from './audited-model';
import { forAllTests } from '../../support/for-all-tests';

const bench = forAllTests(openModelBench);
afterEach(() => bench.rest());

async function runWith(
  runId: string,
  { critic = rightCritic, told = 'obeys' }: { critic?: Critic; told?: Told },
  unsupportedClaims: SynthesisSettings['unsupportedClaims'] = 'mark',
): Promise<RunRecord & { writings: string[]; summaries: string[] }> {
  const served = await bench.serve(auditedModel({ critic, told }));
  const synthesis = { ...bench.synthesis, unsupportedClaims, minCitationsPerSection: 1 };
  const record = await served.report(runId, { synthesis });
  const { asked } = served.server;
  return { ...record, writings: writingsOf(asked), summaries: promptsOf(asked, 'write-summary') };
}

/** A run that several tests look at. */
function looked(...given: Parameters<typeof runWith>): () => ReturnType<typeof runWith> {
  let run: ReturnType<typeof runWith> | undefined;
  return () => (run ??= runWith(...given));
}
const obeys = looked('obeys', {});
const repeats = looked('repeats', { told: 'repeats' });

function auditsOf({ report, events }: RunRecord, of?: string): object[] {
  const section = of ?? report.sections.find(({ title }) => title === SECTION)?.id;
  return events.flatMap((event) =>
    event.type === 'audit' && event.payload.section === section ? [event.payload] : [],
  );
}

/** What is read of a text, without its escapes and citations. */
function readable(markdown: string): string {
  return markdown
    .replace(/\\(?=[^\w\s])/g, '')
    .replace(/\[\d+\]/g, '')
    .replace(/\s+/g, ' ');
}

const textOf = ({ report }: RunRecord): string => readable(report.markdown);

/** The chapter alone: a list of what was set aside names the claims. */
const chapterOf = ({ report }: RunRecord): string =>
  readable(report.sections.find(({ title }) => title === SECTION)?.markdown ?? '');

function sourcesCitedIn({ report }: RunRecord): string[] {
  const cited = report.sections.find(({ title }) => title === SECTION)?.citations ?? [];
  return report.citations.filter(({ n }) => cited.includes(n)).map(({ title }) => title);
}

const standing = (text: string, claims: Readonly<Record<string, string>>): string[] =>
  Object.values(claims).filter((claim) => text.includes(claim));

test('a section with three wrong claims is written once more with exactly these in its critique', async () => {
  const run = await obeys();
  const { report, writings } = run;
  expect(writings).toHaveLength(2);
  expect(materialIn(writings[0] ?? '').has('critique')).toBe(false);
  const criticised = [...(materialIn(writings[1] ?? '').get('critique') ?? '').matchAll(/^- “(.*?)”/gm)];
  expect(criticised.map(([, text = '']) => text.replace(/\.$/, '')).sort()).toEqual(
    Object.values(WRONG).sort(),
  );
  expect(auditsOf(run)).toEqual([
    expect.objectContaining({ revision: 0, needsRetry: true, setAside: 3 }),
    expect.objectContaining({ revision: 1, needsRetry: false, setAside: 0 }),
  ]);
  expect(report.claims.length).toBeGreaterThan(15);
  expect(report.claims.map(({ verdict }) => verdict)).not.toContain('unchecked');
  expect(report.audit.supported).toBe(report.claims.length);
  expect(standing(chapterOf(run), RIGHT)).toHaveLength(2);
  expect(standing(textOf(run), WRONG)).toEqual([]);
  expect(chapterOf(run)).not.toMatch(/aside/);
});

test('of a writer that never obeys what is wrong is set aside, and no source is lost', async () => {
  const run = await repeats();
  expect(run.writings).toHaveLength(2); // who did not better it is not asked a third time
  expect(auditsOf(run)).toEqual([
    expect.objectContaining({ revision: 0, needsRetry: true, setAside: 3 }),
    expect.objectContaining({ revision: 1, needsRetry: true, setAside: 3 }),
  ]);
  const chapter = chapterOf(run);
  expect(standing(chapter, WRONG)).toEqual([]);
  expect(standing(chapter, RIGHT)).toHaveLength(2);
  expect(chapter).not.toMatch(/aside/);
  expect(sourcesCitedIn(run)).toHaveLength(4);
  expect(run.report.claims.every(({ verdict }) => verdict === 'supported')).toBe(true);
  expect(run.report.claims.every(({ citations }) => citations.length > 0)).toBe(true);
});

const lies: Critic = () => ({ verdict: 'supported', quote: 'as all of them say' });
test.each([
  ['confirms everything with words that no source has', () => runWith('confirms', { critic: lies })],
  ['is silent', () => runWith('silent', { critic: () => null })],
])('a critic that %s confirms nothing', async (_how, running) => {
  const run = await running();
  expect(standing(textOf(run), { ...RIGHT, flu: WRONG.flu, antibiotics: WRONG.antibiotics })).toEqual([]);
  expect(run.report.claims.filter(({ reason }) => /critic confirmed/.test(reason))).toEqual([]);
});

/** The chapter with its bullets. */
function summaryOf({ report }: Pick<RunRecord, 'report'>): string {
  const [, after = ''] = report.markdown.split('\n## Executive Summary\n');
  return after.split('\n## ')[0] ?? '';
}

test('what a bullet of the summary loses goes back to its writer once', async () => {
  const run = await obeys();
  const [first = '', second = '', ...more] = run.summaries;
  expect(more).toEqual([]);
  expect(materialIn(first).has('critique')).toBe(false);
  expect(materialIn(second).get('critique')).toContain(WRONG.flu);
  expect(auditsOf(run, 'summary')).toEqual([
    expect.objectContaining({ revision: 0, needsRetry: true, setAside: 1 }),
    expect.objectContaining({ revision: 1, needsRetry: false, setAside: 0 }),
  ]);
  expect(run.report.setAside).toEqual([]);
  const why = run.events.flatMap((event) => (event.type === 'revision' ? [event.payload] : []));
  expect(why).toContainEqual({
    section: 'summary',
    revision: 1,
    reason: 'What it cites does not support one claim.',
  });
});

test('a bullet that cannot be mended is left out and listed, and no quote stands in its place', async () => {
  const run = await repeats();
  expect(run.summaries).toHaveLength(2);
  const summary = summaryOf(run);
  expect(standing(summary, WRONG)).toEqual([]);
  expect(summary).toMatch(/^\n(?:- .*\n){2}/);
  expect(summary).not.toMatch(/[“”]/);
  const aside = run.report.setAside.filter(({ sectionId }) => sectionId === 'summary');
  expect(aside).toEqual([
    expect.objectContaining({ text: expect.stringContaining(WRONG.flu) as string, action: 'left-out' }),
  ]);
});

test('a question that takes for granted what no source says is not asked', async () => {
  const { report } = await obeys();
  expect(report.followUpQuestions).toEqual([ASKED.sound]);
  expect(report.markdown).not.toContain('cures cancer');
  expect(report.warnings.map(({ code }) => code)).toContain('question-left-out');
});
