import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { AnswerFacts } from '../../src/activities/answer/answer-facts';
import { judgeClaims } from '../../src/activities/answer/audit/judge-claims';
import { reconcileFindings } from '../../src/activities/report/cross-reference/reconcile-findings';
import { extractGroup } from '../../src/activities/report/deep-dive/extract-group';
import { planReading } from '../../src/activities/report/deep-dive/plan-reading';
import { settleFindings } from '../../src/activities/report/deep-dive/settle-findings';
import { readArtifact, storeArtifact } from '../../src/activities/shared/artifacts';
import type { ActivityPorts, ReportFacts } from '../../src/activities/shared/ports';
import { auditDraft } from '../../src/activities/shared/texts/audit-draft';
import { betterAnswer } from '../../src/answers/better-answer';
import { settleAnswer } from '../../src/answers/settle-answer';
import type { AnswerDraft } from '../../src/contracts/answer/answer-draft';
import type { AnswerPassage } from '../../src/contracts/answer/answer-passage';
import type { SectionDraft } from '../../src/contracts/report/draft';
import { SectionFindings, ValidatedFindings, type Finding } from '../../src/contracts/report/finding';
import type { Outline } from '../../src/contracts/report/outline';
import { SynthesisSettings } from '../../src/contracts/report/synthesis-settings';
import type { CataloguedSource } from '../../src/contracts/source/source';
import { sentenceWording } from '../../src/core/settled-text/sentence-wording';
import { citedIds } from '../../src/core/text/citation-marks';
import { createExtractiveEngine } from '../../src/engines/extractive/engine';
import { terms } from '../../src/language/words';
import { surveyTexts } from '../../src/reading/collection/survey-texts';
import { answer } from '../../src/steps/answer/answer';
import type { WriteSectionInput } from '../../src/steps/write-section/contract';
import { writeSection } from '../../src/steps/write-section/write-section';
import type { ThreadPool } from '../../src/threads/pool';
import {
  closeEngines,
  engineAgainst,
  messagesOf,
  type EngineUnderTest,
  context,
  promptText,
} from '../engines/model/engine-under-test';
import { answerInput } from '../engines/model/passages';
import { answers, answersJson } from '../model-server/behaviours';
import {
  type AskedSentence,
  auditIn,
  createCritic,
  type Judged,
  type ShownQuotes,
} from '../model-server/critic';
import { findingsIn, materialIn } from '../model-server/prompt-material';
import { conflictOf, findingOf, GENERAL } from '../support/findings';
import { itWithData, sharedFile, sharedRecords, describeWithData } from '../support/shared-data';
import { createTestThreads } from '../support/test-threads';
import { portsOver, signal, STEP_BRIEF } from './corpus-under-test';

const CALLS = 'strong-model/calls.jsonl';

afterEach(closeEngines);

// What a strong model that nobody scripted found in twelve sources, replayed from the recorded run: each of its findings is
// to reach the section that it chose, with all of its sources, or a list that says why it does not.
describe('recorded findings', () => {
  const Call = z.object({ id: z.int(), response: z.string() });

  const Found = z.object({
    findings: z.array(
      z.object({
        section: z.int(),
        claim: z.string(),
        evidence: z.array(z.object({ source: z.string(), quote: z.string() })),
        confidence: z.number(),
      }),
    ),
  });

  const Planned = z.object({
    overallTheme: z.string(),
    sections: z.array(
      z.object({
        title: z.string(),
        description: z.string(),
        sources: z.array(z.object({ source: z.string(), relevance: z.number() })),
      }),
    ),
  });

  const QUESTION =
    'How do hybrid plasmonic–photonic enhance the sensitivity of whispering gallery mode (WGM) or photonic crystal (PC) nanobeam cavity sensors for single-molecule detection?';

  const synthesis = SynthesisSettings.parse({});

  const RUN: ReportFacts = { ...STEP_BRIEF, runId: 'recorded', question: QUESTION, synthesis };

  let threads: ThreadPool;

  beforeAll(async () => (threads = await createTestThreads({ threads: 2 })));

  afterAll(() => threads.close());

  function recorded<Schema extends z.ZodType>(id: number, schema: Schema): z.infer<Schema> {
    const call = sharedRecords(CALLS, Call).find((one) => one.id === id);
    return schema.parse(JSON.parse(call?.response ?? ''));
  }

  /** The sources of the run by the names that its prompts have for them: in the order of their ids. */
  function recordedSources(): { short: string; id: string; title: string; content: string }[] {
    const folder = sharedFile('strong-model/sources');
    return readdirSync(folder)
      .sort()
      .map((file, at) => {
        const [, head = '', content = ''] =
          /^---\n([^]*?)\n---\n([^]*)$/.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
        const title = /^title: "(.*)"$/m.exec(head)?.[1] ?? file;
        return { short: `S${at + 1}`, id: file.replace(/\.md$/, ''), title, content: content.trim() };
      });
  }

  async function storeCatalogue({ content }: Pick<ActivityPorts, 'content'>): Promise<string> {
    const given = recordedSources();
    const texts = given.map((source) => source.content);
    const refs = await content.storeBatch(RUN.runId, texts);
    const { counts, held } = surveyTexts(QUESTION, texts);
    const sources = given.map(({ id, title }, at): CataloguedSource => ({
      id,
      url: null,
      title,
      accessedAt: '2026-01-01',
      contentRef: refs[at] ?? '',
      contentChars: texts[at]?.length ?? 0,
      summaryRef: refs[at] ?? '',
      quality: { level: 'general', reason: 'a web page' },
      held: held[at] ?? [],
    }));
    return storeArtifact(content, RUN.runId, { sources, counts, merged: [] });
  }

  function recordedOutline(): Outline {
    const idOf = new Map(recordedSources().map(({ short, id }) => [short, id]));
    const { overallTheme, sections } = recorded(2, Planned);
    return {
      overallTheme,
      sections: sections.map(({ title, description, sources }, at) => {
        const scored = sources.map(({ source, relevance }) => ({
          sourceId: idOf.get(source) ?? '',
          relevance,
        }));
        return {
          id: `section-${at + 1}`,
          title,
          description,
          subsections: [],
          relevantSources: scored,
          sourceScores: scored,
        };
      }),
    };
  }

  /** Passes 2 and 3 over what the engine finds, as the workflow carries them out; nothing is cross-checked. */
  async function passesBy({ engine, stores }: EngineUnderTest): Promise<{
    found: SectionFindings[];
    validated: ValidatedFindings;
  }> {
    const ports: ActivityPorts = {
      ...portsOver(stores, threads),
      engines: { openai: engine, extractive: createExtractiveEngine({ threads }) },
    };
    const catalogueRef = await storeCatalogue(ports);
    const outlineRef = await storeArtifact(ports.content, RUN.runId, recordedOutline());
    const refs = { run: RUN, catalogueRef, outlineRef };
    const { readingRef, calls } = await planReading(ports, refs);
    expect(calls).toBe(1);
    const { groupRef } = await extractGroup(ports, { ...refs, readingRef, call: 0 }, signal);
    const { sections } = await settleFindings(ports, {
      run: RUN,
      outlineRef,
      readingRef,
      groupRefs: [groupRef],
    });
    const found = await Promise.all(
      sections.map(({ findingsRef }) => readArtifact(ports.content, findingsRef, SectionFindings)),
    );
    const unchecked = sections.map(({ findingsRef }) => ({
      findingsRef,
      checksRef: null,
      unvalidated: false,
    }));
    const { validatedRef } = await reconcileFindings(
      ports,
      { ...refs, sections: unchecked, supportRef: null },
      signal,
    );
    return { found, validated: await readArtifact(ports.content, validatedRef, ValidatedFindings) };
  }

  itWithData(
    [CALLS],
    'each finding of a strong model reaches the section that it chose, with all of its sources',
    async () => {
      const first = recorded(4, Found);
      const mended = recorded(5, Found);
      const wrong = first.findings.findIndex((finding, at) => finding.claim !== mended.findings[at]?.claim);
      const under = await engineAgainst([
        answersJson(first),
        answersJson({ findings: [mended.findings[wrong]] }),
      ]);
      const { found, validated } = await passesBy(under);

      const idOf = new Map(recordedSources().map(({ short, id }) => [short, id]));
      const told = validated.sections.flatMap(({ sectionId, findings }) =>
        findings.map((finding) => ({ ...finding, sectionId })),
      );
      const lists = [
        ...found.flatMap(({ leftOut = [] }) => leftOut.map(({ claim }) => claim)),
        ...(validated.joined ?? []).map(({ finding }) => finding.claim),
      ];
      const lost: string[] = [];
      for (const { section, claim, evidence } of mended.findings) {
        const finding = told.find((one) => one.claim === claim);
        if (finding === undefined) {
          if (!lists.includes(claim)) lost.push(claim);
          continue;
        }
        expect(finding.sectionId).toBe(`section-${section}`);
        const sources = evidence.map(({ source }) => idOf.get(source));
        expect(sources.filter((id) => !finding.citations.includes(id ?? ''))).toEqual([]);
      }
      expect(lost).toEqual([]);
      expect(lists).toEqual([]);
      expect(told).toHaveLength(mended.findings.length);
      // Nothing is quoted beside a model that found more than reading does.
      expect(told.filter(({ quoted }) => quoted)).toEqual([]);

      // One finding was wrong: it alone is shown again, and asked for.
      const repair = messagesOf(under.server.asked[1]);
      const shown = Found.parse(JSON.parse(repair[2]?.content ?? ''));
      expect(shown.findings).toEqual([first.findings[wrong]]);
    },
  );

  itWithData([CALLS], 'a model that answers a repair in full is read as before', async () => {
    const mended = sharedRecords(CALLS, Call).find(({ id }) => id === 5)?.response ?? '';
    const under = await engineAgainst([answersJson(recorded(4, Found)), answers(mended)]);
    const { validated } = await passesBy(under);
    expect(validated.sections.flatMap(({ findings }) => findings)).toHaveLength(
      recorded(5, Found).findings.length,
    );
  });

  itWithData(
    [CALLS],
    'where a model finds little in sources that answer, what reading finds stands beside it, marked',
    async () => {
      const [only] = recorded(4, Found).findings.filter(({ evidence }) => evidence.length === 1);
      const under = await engineAgainst([answersJson({ findings: [only] })]);
      const { found, validated } = await passesBy(under);
      const findings = validated.sections.flatMap((section) => section.findings);
      const beside = findings.filter(({ quoted }) => quoted);
      expect(findings.filter(({ quoted }) => !quoted).map(({ claim }) => claim)).toEqual([only?.claim]);
      expect(beside.length).toBeGreaterThan(5);
      // What the model quoted is not quoted again, and sources that it told nothing of come first.
      expect(beside.map(({ claim }) => claim)).not.toContain(only?.evidence[0]?.quote);
      expect(new Set(beside.flatMap(({ citations }) => citations)).size).toBeGreaterThan(3);
      expect(found.flatMap(({ leftOut = [] }) => leftOut)).toEqual([]);
    },
  );
});

describe('recorded drafts', () => {
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
      const shown = sources.flatMap((source) =>
        (quotes.get(source) ?? []).map((quote) => ({ source, quote })),
      );
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
      ([, source = '', quote = '']) =>
        findingOf('', quote, source, { evidence: placed([{ source, quote }]) }),
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
        ),
        unsupportedClaims: 'mark',
        at: { place: { pass: 4, section: 'section-1' }, signal },
      });
      return {
        draft,
        settled,
        noticed: critic.asked.flat().filter(({ noticed }) => noticed !== null).length,
      };
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

    test('inferences from sources are marked as inference, and words reject nothing', async () => {
      const settled = await Promise.all(FIRST_DRAFTS.map(async (id) => (await arrived(id)).settled));
      const claims = settled.flatMap((draft) => draft.checked?.sentences ?? []);
      const inferred = claims.filter(({ verdict }) => verdict?.verdict === 'inference');
      expect(inferred.length).toBeGreaterThanOrEqual(6);
      for (const { text } of inferred) expect(text).toMatch(/\(inference\)\.$/);
    });

    test('of three answers the one without rejected claims is returned, and no year counts as a contradiction', async () => {
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
        last = settleAnswer(draft, judged.verdicts);
        expect(last.setAside.filter(({ verdict }) => verdict === 'contradicted')).toEqual([]);
        best = best === null ? last : betterAnswer(best, last);
      }
      expect(best).toBe(last);
      expect(best?.setAside).toEqual([]);
    });
  });
});
