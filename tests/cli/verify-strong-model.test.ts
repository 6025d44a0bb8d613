import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { VerifiedReport } from '../../src/contracts/verification/verified-report';
import { terms } from '../../src/language/words';
import { readSources } from '../../src/sources/read-sources';
import { readWholeSources } from '../../src/sources/read-whole-sources';
import {
  type AskedSentence,
  auditIn,
  createCritic,
  type Judged,
  type ShownQuotes,
} from '../model-server/critic';
import { startModelServer } from '../model-server/model-server';
import { describeWithData, sharedFile, sharedRecords } from '../support/shared-data';
import { newProjectFolder, runCommand } from './command-line-under-test';
import { modelsAt } from './project-under-test';

const [REPORT, CALLS, SOURCES] = ['report.md', 'calls.jsonl', 'sources'].map(
  (name) => `strong-model/${name}`,
) as [string, string, string];

const Call = z.object({
  run: z.string(),
  step: z.string(),
  messages: z.array(z.object({ content: z.string() })),
  response: z.string(),
});
const Answer = z.object({ verdicts: z.array(z.object({ sentence: z.string(), verdict: z.string() })) });

/** What a strong model wrote and confirmed, before its citations were taken from it: by its words, the texts of what it cited. */
type Truth = Map<string, { sources: string[] }>;

let truth: Truth;
let contents: Map<string, string>;

/** A sentence of the report, and of the audit of its draft, by its words alone. */
function keyOf(text: string): string {
  return terms(text).join(' ');
}

/** The sources that hold one of these quotes. */
function holding(quotes: readonly string[]): string[] {
  return [...contents]
    .filter(([, content]) => quotes.some((quote) => content.includes(quote)))
    .map(([id]) => id);
}

async function readTruth(): Promise<void> {
  const { sources } = await readWholeSources(readSources([sharedFile(SOURCES)]), { skipInvalid: false });
  contents = new Map(sources.map(({ id, content }) => [id, content.replace(/\s+/g, ' ')]));
  truth = new Map();
  for (const { run, step, messages, response } of sharedRecords(CALLS, Call)) {
    if (run !== 'report' || step !== 'audit') continue;
    const { quotes, sentences } = auditIn(messages.map(({ content }) => content).join('\n'));
    const said = new Map(
      Answer.parse(JSON.parse(response)).verdicts.map(({ sentence, verdict }) => [sentence, verdict]),
    );
    for (const { id, text, sources: cited } of sentences) {
      if (said.get(id) !== 'supported') continue;
      truth.set(keyOf(text), { sources: cited.flatMap((source) => holding(quotes.get(source) ?? [])) });
    }
  }
}

/** Right about what the strong model had written: all of it stands on what it had cited, a part on a part of that. */
function rightly({ text, sources }: AskedSentence, quotes: ShownQuotes): Judged | null {
  const known = truth.get(keyOf(text));
  const shown = sources.map((source) => ({ source, id: holding(quotes.get(source) ?? [])[0] ?? '' }));
  if (known === undefined) return quotingRightly(text, sources, quotes);
  const bearing = shown.filter(({ id }) => known.sources.includes(id));
  const all = bearing.flatMap(({ source }) => closest(text, source, quotes));
  if (bearing.length === 0) return { verdict: 'unsupported', quotes: [] };
  return { verdict: bearing.length === new Set(known.sources).size ? 'supported' : 'partial', quotes: all };
}

/** What the report quotes by itself, such as both sides of a conflict. */
function quotingRightly(text: string, sources: readonly string[], quotes: ShownQuotes): Judged | null {
  const quoted = [...text.matchAll(/“([^”]{40,}?) ?…?”/g)].map(([, words = '']) => words);
  const found = quoted.flatMap((quote) =>
    sources
      .filter((source) => quotes.get(source)?.some((one) => one.includes(quote)))
      .map((source) => ({ source, quote })),
  );
  return found.length === 0 ? null : { verdict: 'supported', quotes: found };
}

/** The words of a source that share most with a sentence. */
function closest(text: string, source: string, quotes: ShownQuotes): Judged['quotes'] {
  const own = new Set(terms(text));
  const [best] = (quotes.get(source) ?? [])
    .flatMap((quote) => quote.split(/(?<=\.) /))
    .map((quote) => ({ quote, shared: terms(quote).filter((term) => own.has(term)).length }))
    .sort((one, other) => other.shared - one.shared);
  return best === undefined ? [] : [{ source, quote: best.quote }];
}

describeWithData(
  [REPORT, CALLS],
  'the report of a strong model, of whose sentences some lost their sources',
  () => {
    let report: VerifiedReport;
    let calls = 0;

    beforeAll(async () => {
      await readTruth();
      const critic = createCritic(rightly);
      const server = await startModelServer((request) => critic.answer(request), {
        models: ['small', 'large'],
      });
      const { stdout } = await runCommand(
        `verify "${sharedFile(REPORT)}" --sources "${sharedFile(SOURCES)}" --engine openai --json`,
        { cwd: await newProjectFolder(), env: modelsAt(server.baseUrl) },
      );
      report = VerifiedReport.parse(JSON.parse(stdout));
      calls = critic.asked.length;
      await server.close();
    });

    test('at most five of its claims stay open with a critic that is right, in a few calls', () => {
      expect(report.audit.open).toBeLessThanOrEqual(5);
      expect(calls).toBeLessThanOrEqual(4);
      expect(report.critic).toMatchObject({ unasked: 0, ended: null });
    });

    test('no claim of its sentences is contradicted, and none is unsupported by what it still cites', () => {
      const wrong = report.claims.filter(
        ({ verdict }) => verdict === 'contradicted' || verdict === 'unsupported',
      );
      expect(wrong.map(({ text }) => text)).toEqual([]);
    });

    test('each sentence that lost a source is told with a source that says the rest', () => {
      const lost = report.claims.filter(({ text, citations }) => {
        const known = truth.get(keyOf(text.replace(/ \((?:High|Medium|Low) confidence\)/g, '')));
        return known?.sources.some((id) => !citations.some(({ sourceId }) => sourceId === id));
      });
      expect(lost.length).toBeGreaterThanOrEqual(9);
      const unnamed = lost.filter(({ saidElsewhere = [] }) => saidElsewhere.length === 0);
      expect(unnamed.map(({ text }) => text)).toEqual([]);
      expect(lost.filter(({ code }) => code === 'misattributed').length).toBeGreaterThanOrEqual(7);
    });

    test('what says of itself how sure it is, what it set aside and what it lacks is no claim', async () => {
      const headings = new Set(report.claims.map(({ heading }) => heading));
      for (const heading of ['Confidence Assessment', 'Claims Set Aside', 'Follow-up Questions'])
        expect(headings.has(heading)).toBe(false);
      expect(await readFile(sharedFile(REPORT), 'utf8')).toContain('## Claims Set Aside');
      expect(report.audit.uncited).toBeLessThanOrEqual(1);
    });
  },
);
