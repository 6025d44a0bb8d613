import { materialIn } from '../../model-server/prompt-material';
import { forAllTests } from '../../support/for-all-tests';
import type { RunRecord } from '../../support/kills/run-record';
import { openModelBench } from '../model-runs/model-bench';
import {
  auditedModel,
  type Critic,
  LINK,
  mendedText,
  promptsOf,
  REFUSED,
  RIGHT,
  rightCritic,
  SECTION,
  type Told,
  WRONG,
} from './audited-model';

const bench = forAllTests(openModelBench);
afterEach(() => bench.rest());

interface AuditedRun extends RunRecord {
  /** The prompts of the audits and of the mendings, in their order. */
  audits: string[];
  mendings: string[];
}

async function runWith(
  runId: string,
  { critic = rightCritic, told = 'obeys' }: { critic?: Critic; told?: Told },
): Promise<AuditedRun> {
  const served = await bench.serve(auditedModel({ critic, told }));
  const record = await served.report(runId);
  const { asked } = served.server;
  return { ...record, audits: promptsOf(asked, 'audit-text'), mendings: promptsOf(asked, 'mend-text') };
}

/** A run that several tests look at. */
function looked(...given: Parameters<typeof runWith>): () => ReturnType<typeof runWith> {
  let run: ReturnType<typeof runWith> | undefined;
  return () => (run ??= runWith(...given));
}
const obeys = looked('obeys', {});
const repeats = looked('repeats', { told: 'repeats' });

const auditsOf = ({ events }: RunRecord): object[] =>
  events.flatMap((event) => (event.type === 'audit' ? [event.payload] : []));

/** A text as it is read, without its escapes and citations. */
function readable(markdown: string): string {
  return markdown
    .replace(/\\(?=[^\w\s])/g, '')
    .replace(/ ?(?:\[\d+\])+/g, '')
    .replace(/\s+/g, ' ');
}

const textOf = ({ report }: RunRecord): string => readable(report.markdown);

/** The chapter alone: a list of sentences that were taken out names the claims. */
const chapterOf = ({ report }: RunRecord): string =>
  readable(report.sections.find(({ title }) => title === SECTION)?.markdown ?? '').trim();

function summaryOf({ report }: Pick<RunRecord, 'report'>): string {
  const [, after = ''] = report.markdown.split('\n## Executive Summary\n');
  return readable(after.split('\n## ')[0] ?? '');
}

const standing = (text: string, claims: Readonly<Record<string, string>>): string[] =>
  Object.values(claims).filter((claim) => text.includes(claim));

test('exactly the wrong sentences are mended, and all others stay as they were written', async () => {
  const run = await obeys();
  const { report, mendings } = run;
  expect(mendings).toHaveLength(1);
  const faults = materialIn(mendings[0] ?? '').get('faults') ?? '';
  expect(faults.split('\n')).toEqual(
    Array.from({ length: 4 }, () => expect.stringContaining(REFUSED) as string),
  );
  const mended = (['flu', 'antibiotics', 'cost'] as const).map(mendedText);
  expect(chapterOf(run)).toBe([...Object.values(RIGHT).map((one) => `${one}.`), LINK, ...mended].join(' '));
  expect(summaryOf(run)).toContain(mendedText('flu'));
  expect(summaryOf(run)).toContain('Confidence in these findings: medium (');
  expect(standing(textOf(run), WRONG)).toEqual([]);
  expect(report.audit.supported).toBe(report.claims.length);
  expect(report.setAside).toEqual([]);
  expect(auditsOf(run)).toEqual([
    expect.objectContaining({ revision: 0, needsRetry: true }),
    expect.objectContaining({ revision: 1, needsRetry: false }),
  ]);
  const changes = run.events.flatMap((event) =>
    event.type === 'revision' ? [event.payload.change?.before] : [],
  );
  expect(changes.sort()).toEqual([...Object.values(WRONG), WRONG.flu].map((one) => `${one}.`).sort());
});

test('only the changed sentences are audited again, with those around them', async () => {
  const { audits } = await obeys();
  expect(audits).toHaveLength(2);
  const sentences = materialIn(audits[1] ?? '').get('sentences') ?? '';
  expect(sentences.match(/^T\d+:/gm)).toHaveLength(4);
  expect(sentences).toContain(`(context): ${LINK}`);
});

test.each([
  ['writes the same again', () => repeats()],
  ['mends nothing', () => runWith('mends-nothing', { told: 'mends nothing' })],
])('of a writer that %s the wrong sentences are taken out and listed', async (_how, running) => {
  const run = await running();
  expect(run.mendings.length).toBeLessThanOrEqual(2);
  expect(chapterOf(run)).toBe([...Object.values(RIGHT).map((one) => `${one}.`), LINK].join(' '));
  expect(standing(summaryOf(run), WRONG)).toEqual([]);
  expect(run.report.claims.every(({ verdict }) => verdict === 'supported')).toBe(true);
  const aside = run.report.setAside.map(({ sectionId, text }) => [sectionId, readable(text)]);
  expect(aside.filter(([sectionId]) => sectionId === 'summary')).toEqual([
    ['summary', expect.stringContaining(WRONG.flu) as string],
  ]);
  expect(aside).toHaveLength(4);
});

const lies: Critic = ({ sources: [source = ''] }) => ({
  verdict: 'supported',
  quotes: source === '' ? [] : [{ source, quote: 'as all of them have said' }],
});
test.each([
  ['confirms everything with words that no source has', () => runWith('confirms', { critic: lies })],
  ['is silent', () => runWith('silent', { critic: () => null })],
])('sentences of which a critic that %s confirms nothing are marked', async (_how, running) => {
  const run = await running();
  const text = textOf(run);
  const doubtful = [...Object.values(RIGHT), WRONG.flu, WRONG.antibiotics, WRONG.cost];
  expect(doubtful.filter((claim) => text.includes(claim) && !text.includes(`${claim} (unchecked)`))).toEqual(
    [],
  );
  expect(text).toContain(`${WRONG.cost} (unchecked)`);
  expect(run.report.claims.filter(({ code }) => code === 'critic')).toEqual([]);
  expect(run.report.audit.unchecked).toBeGreaterThanOrEqual(doubtful.length - 1);
});

test('where a critic refuses everything the report quotes its findings, and says so', async () => {
  const run = await runWith('refuses', {
    // A sentence in the words of its source falls only to a quote.
    critic: (_sentence, cited) => ({ verdict: 'contradicted', reason: REFUSED, quotes: cited.slice(0, 1) }),
    told: 'repeats',
  });
  const { report } = run;
  expect(run.mendings).toHaveLength(2);
  expect(report.notices?.join(' ')).toContain(
    'took out every cited sentence of the text, as the audit rejected them, so the report quotes its findings',
  );
  expect(report.claims.length).toBeGreaterThan(3);
  expect(report.claims.every(({ verdict }) => verdict === 'supported')).toBe(true);
  expect(standing(textOf(run), { ...RIGHT, flu: WRONG.flu, link: LINK })).toEqual([]);
});
