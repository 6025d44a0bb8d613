import { ENGLISH } from '../../../src/texts/texts';
// What a strong model that nobody scripted wrote, replayed from the recorded run through the reading of its text, the audit and
// settling: its sentences were true, and are to arrive as they were written.
import { z } from 'zod';
import { auditDraft } from '../../../src/activities/shared/texts/audit-draft';
import type { ActivityPorts } from '../../../src/activities/shared/ports';
import { judgeClaims } from '../../../src/activities/answer/audit/judge-claims';
import type { AnswerFacts } from '../../../src/activities/answer/answer-facts';
import { betterAnswer } from '../../../src/answers/better-answer';
import { settleAnswer } from '../../../src/answers/settle-answer';
import type { AnswerDraft } from '../../../src/contracts/answer/answer-draft';
import type { AnswerPassage } from '../../../src/contracts/answer/answer-passage';
import type { SectionDraft } from '../../../src/contracts/report/draft';
import type { Finding } from '../../../src/contracts/report/finding';
import { sentenceWording } from '../../../src/core/settled-text/sentence-wording';
import { citedIds } from '../../../src/core/text/citation-marks';
import { terms } from '../../../src/language/words';
import { answer } from '../../../src/steps/answer/answer';
import { writeSection } from '../../../src/steps/write-section/write-section';
import type { WriteSectionInput } from '../../../src/steps/write-section/contract';
import type { ThreadPool } from '../../../src/threads/pool';
import { closeEngines, context, engineAgainst, promptText } from '../../engines/model/engine-under-test';
import { answerInput } from '../../engines/model/reply/passages';
import { answers } from '../../model-server/behaviours';
import {
  type AskedSentence,
  auditIn,
  createCritic,
  type Judged,
  type ShownQuotes,
} from '../../model-server/critic';
import { findingsIn, materialIn } from '../../model-server/prompt-material';
import { describeWithData, sharedRecords } from '../../support/shared-data';
import { conflictOf, findingOf, GENERAL } from '../../support/findings';
import { createTestThreads } from '../../support/test-threads';
import { portsOver, signal, STEP_BRIEF } from '../answer/corpus-under-test';

const CALLS = 'strong-model/calls.jsonl';
const Call = z.object({
  id: z.int(),
  run: z.string(),
  step: z.string(),
  messages: z.array(z.object({ content: z.string() })),
  response: z.string(),
});
type Call = z.infer<typeof Call>;
const Audited = z.object({
  verdicts: z.array(z.object({ sentence: z.string(), verdict: z.string(), quote: z.string() })),
});

/** The last text of each section, and the texts of the answer's three attempts. */
const [SECTIONS, FIRST_DRAFTS, ATTEMPTS] = [
  [19, 20, 22, 23, 29],
  [7, 8, 9, 10, 11, 12],
  [36, 41, 43],
];
const RUN = { ...STEP_BRIEF, runId: 'recorded', question: 'What does it cost?' };

let threads: ThreadPool;
beforeAll(async () => (threads = await createTestThreads({ threads: 1 })));
afterAll(() => threads.close());
afterEach(closeEngines);

const keyOf = (text: string): string => terms(text).join(' ');

/** What its critic said, by the words of the sentences; a later word on the same sentence counts. */
function recordedVerdicts(calls: readonly Call[]): Map<string, { verdict: string; quote: string }> {
  return new Map(
    calls
      .filter(({ step }) => step === 'audit')
      .flatMap(({ messages, response }) => {
        const { sentences } = auditIn(messages.map(({ content }) => content).join('\n'));
        const texts = new Map(sentences.map(({ id, text }) => [id, text]));
        return Audited.parse(JSON.parse(response)).verdicts.map(
          ({ sentence, ...said }) => [keyOf(texts.get(sentence) ?? ''), said] as const,
        );
      }),
  );
}

/**
 * What it refused was true, and follows from what it cites: it was offered no word for that, and says `inference` where it said
 * `partial` or `unsupported`. Of a sentence that it was not asked about it finds words of each source.
 */
function criticOf(calls: readonly Call[]): ReturnType<typeof createCritic> {
  const recorded = recordedVerdicts(calls);
  return createCritic(({ text, sources }: AskedSentence, quotes: ShownQuotes): Judged => {
    const said = recorded.get(keyOf(text));
    const shown = sources.flatMap((source) => (quotes.get(source) ?? []).map((quote) => ({ source, quote })));
    const named = shown.filter(
      ({ quote }) => said !== undefined && said.quote !== '' && quote.includes(said.quote),
    );
    const found = named.slice(0, 1).map(({ source }) => ({ source, quote: said?.quote ?? '' }));
    return {
      verdict: said === undefined || said.verdict === 'supported' ? 'supported' : 'inference',
      quotes: found.length > 0 ? found : shown.slice(0, 1),
    };
  });
}

/** The section as its writer was asked for it: the sources under the names of the prompt, their quotes as texts of their own. */
function sectionInput(prompt: string): WriteSectionInput {
  const material = materialIn(prompt);
  const lineOf = (label: string): string => new RegExp(`^${label} (.*)$`, 'm').exec(prompt)?.[1] ?? '';
  const sources = [...(material.get('sources') ?? '').matchAll(/^(S\d+): “(.*?)”, date “(.*?)”/gm)].map(
    ([, sourceId = '', title = '', publishedAt = '']) => ({
      sourceId,
      title,
      publishedAt,
      quality: GENERAL,
    }),
  );
  const placed = (evidence: readonly { source: string; quote: string }[]): Finding['evidence'] =>
    evidence.map(({ source, quote }) => ({ sourceId: source, quote, ...placeOf(quote) }));
  const findings = findingsIn(material.get('findings') ?? '').map(({ id, claim, evidence }) => {
    const sources = [...new Set(evidence.map(({ source }) => source))];
    return findingOf(id, claim, sources, { evidence: placed(evidence), confidence: 0.6 });
  });
  const views = [...(material.get('conflicts') ?? '').matchAll(/(S\d+): “(.*?)”/g)].map(
    ([, source = '', quote = '']) => findingOf('', quote, source, { evidence: placed([{ source, quote }]) }),
  );
  const findingIds = findings.map(({ id }) => id);
  const [title, description] = [lineOf('Section:'), lineOf('It covers:')];
  return {
    question: lineOf('The report is to answer:'),
    section: { id: 'section-1', title, description, subsections: [] },
    findings,
    conflicts: views.length === 0 ? [] : [conflictOf(views, { findingIds })],
    sources,
    targetWords: 400,
  };
}

const places = new Map<string, number>();
/** Quotes that differ stand apart. */
function placeOf(quote: string): { start: number; end: number } {
  const start = places.get(quote) ?? 10_000 * (places.size + 1);
  places.set(quote, start);
  return { start, end: start + quote.length };
}

function passagesIn(prompt: string): AnswerPassage[] {
  const text = prompt.slice(prompt.indexOf(' passages ==='), prompt.search(/^=== \w+ end ===$/m));
  let about = '';
  return text.split(/\n{2,}|(?<====)\n/).flatMap((block): AnswerPassage[] => {
    about = /^=== (.*) ===$/m.exec(block)?.[1] ?? about;
    const [, number = '', said = ''] = /^\[(\d+)\][^\n]*\n([^]*)$/m.exec(block) ?? [];
    return number === '' ? [] : [passageOf(number, about, said.trim())];
  });
}

function passageOf(number: string, about: string, text: string): AnswerPassage {
  return {
    id: `P${number}`,
    sourceId: `source-${number}`,
    document: `document ${number}`,
    title: about.trim() || `document ${number}`,
    url: null,
    publishedAt: /\b(?:19|20)\d\d\b/.exec(about)?.[0] ?? '2017',
    pages: null,
    start: 0,
    end: text.length,
    text,
    origin: 'text',
    score: 0.5,
  };
}

describeWithData([CALLS], 'what a strong model wrote', () => {
  let calls: Call[];
  beforeAll(() => (calls = sharedRecords(CALLS, Call)));

  const callOf = (id: number): Call => {
    const call = calls.find((one) => one.id === id);
    if (call === undefined) throw new Error(`There is no call ${id}`);
    return call;
  };

  async function arrived(
    id: number,
  ): Promise<{ draft: SectionDraft; settled: SectionDraft; noticed: number }> {
    const call = callOf(id);
    const critic = criticOf(calls);
    const { engine, stores } = await engineAgainst((request) =>
      promptText(request).includes('You audit') ? critic.answer(request) : answers(call.response),
    );
    const input = sectionInput(call.messages.map(({ content }) => content).join('\n'));
    const { output: draft } = await engine.run(writeSection, input, context());
    const ports: ActivityPorts = { ...portsOver(stores, threads), engines: { openai: engine } };
    const { settled } = await auditDraft(ports, RUN, draft, {
      material: input,
      wording: sentenceWording(
        input.findings,
        new Map(input.sources.map((source) => [source.sourceId, source])),
        ENGLISH,
      ),
      unsupportedClaims: 'mark',
      at: { place: { pass: 4, section: 'section-1' }, signal },
    });
    return { draft, settled, noticed: critic.asked.flat().filter(({ noticed }) => noticed !== null).length };
  }

  /** The citations that a model wrote, by the words of its sentences. */
  function writtenCitations({ response }: Call): Map<string, string[]> {
    const sentences = response.replace(/^### .*$/gm, '').split(/(?<=\]\.)\s+/);
    return new Map(
      sentences.map((sentence) => [
        keyOf(sentence.replace(/\s*\[S\d+\]/g, '')),
        [...new Set([...sentence.matchAll(/\[(S\d+)\]/g)].map(([, source = '']) => source))],
      ]),
    );
  }

  test('its sentences stand as they were written, each with all of its sources', async () => {
    let joined = 0;
    for (const id of [...SECTIONS, ...FIRST_DRAFTS]) {
      const { settled } = await arrived(id);
      const standing = settled.checked?.sentences ?? [];
      const kept = new Map(standing.map(({ plain, text }) => [keyOf(plain), citedIds(text)]));
      const written = writtenCitations(callOf(id));
      expect(settled.checked?.setAside ?? []).toEqual([]);
      expect(settled.checked?.uncited ?? []).toEqual([]);
      for (const [key, sources] of written) {
        if (key === '') continue;
        expect({ key, sources: [...new Set(kept.get(key) ?? [])].sort() }).toEqual({
          key,
          sources: sources.sort(),
        });
        if (sources.length > 1 && SECTIONS.includes(id)) joined += 1;
      }
    }
    expect(joined).toBeGreaterThanOrEqual(10);
  });

  test('what follows from its sources is told as its own, and words refuse nothing', async () => {
    const settled = await Promise.all(FIRST_DRAFTS.map(async (id) => (await arrived(id)).settled));
    const claims = settled.flatMap((draft) => draft.checked?.sentences ?? []);
    const inferred = claims.filter(({ verdict }) => verdict?.verdict === 'inference');
    expect(inferred.length).toBeGreaterThanOrEqual(6);
    for (const { text } of inferred) expect(text).toMatch(/\(inference\)\.$/);
  });

  test('of three answers the one of which nothing was set aside is returned, and no year is a contradiction', async () => {
    let best: AnswerDraft | null = null;
    let last: AnswerDraft | null = null;
    for (const [at, id] of ATTEMPTS.entries()) {
      const call = callOf(id);
      // As it was: what it refused then, it refuses.
      const recorded = recordedVerdicts(calls);
      const critic = createCritic(({ text, sources }, quotes) => {
        const said = recorded.get(keyOf(text));
        const verdict = said?.verdict === 'partial' ? 'partial' : 'supported';
        const quote = quotes.get(sources[0] ?? '')?.[0] ?? '';
        return { verdict, quotes: [{ source: sources[0] ?? '', quote }], reason: '' };
      });
      const { engine, stores } = await engineAgainst((request) =>
        promptText(request).includes('You audit') ? critic.answer(request) : answers(call.response),
      );
      const passages = passagesIn(call.messages.map(({ content }) => content).join('\n'));
      expect(passages.length).toBeGreaterThan(4);
      const { output: draft } = await engine.run(
        answer,
        answerInput({
          question: 'Does the metal particle ruin the cavity’s Q factor?',
          passages,
          answerable: 1,
          synthesisMode: true,
          maxTokens: 700,
          temperature: 0.1,
        }),
        context(),
      );
      const ports: ActivityPorts = { ...portsOver(stores, threads), engines: { openai: engine } };
      const judged = await judgeClaims(
        ports,
        RUN as AnswerFacts, // what it asks for besides is of no use to an audit
        draft,
        { passages, decided: [] },
        { place: { pass: 0, section: 'answer', revision: at }, signal },
      );
      last = settleAnswer(draft, judged.verdicts, ENGLISH);
      expect(last.setAside.filter(({ verdict }) => verdict === 'contradicted')).toEqual([]);
      best = best === null ? last : betterAnswer(best, last);
    }
    expect(best).toBe(last);
    expect(best?.setAside).toEqual([]);
  });
});
