import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readArtifact, storeArtifact } from '../../src/activities/artifacts';
import { reconcileFindings } from '../../src/activities/cross-check-section';
import { planReading } from '../../src/activities/deep-dive';
import type { ActivityPorts, ReportContext } from '../../src/activities/ports';
import { extractGroup, settleFindings } from '../../src/activities/section-findings';
import { SectionFindings, ValidatedFindings } from '../../src/contracts/finding';
import type { Outline } from '../../src/contracts/outline';
import { SynthesisSettings } from '../../src/contracts/run-settings';
import type { CataloguedSource } from '../../src/contracts/source';
import { createExtractiveEngine } from '../../src/engines/extractive/module';
import type { ThreadPool } from '../../src/engines/thread-pool';
import { surveyTexts } from '../../src/text/collection';
import { closeEngines, engineAgainst, type EngineUnderTest } from '../engines/model/engine-under-test';
import { answersJson } from '../model-server/behaviours';
import { itWithData, sharedFile, sharedRecords } from '../support/shared-data';
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

  const RUN: ReportContext = { ...STEP_BRIEF, runId: 'recorded', question: QUESTION, synthesis };

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
    'each valid finding of a strong model reaches the section that it chose, with all of its sources',
    async () => {
      const first = recorded(4, Found);
      const mended = recorded(5, Found);
      const wrong = first.findings.findIndex((finding, at) => finding.claim !== mended.findings[at]?.claim);
      const valid = first.findings.filter((_finding, at) => at !== wrong);
      const under = await engineAgainst([answersJson(first)]);
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
      for (const { section, claim, evidence } of valid) {
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
      expect(told).toHaveLength(valid.length);
      // Nothing is quoted beside a model that found more than reading does.
      expect(told.filter(({ quoted }) => quoted)).toEqual([]);

      // One finding was wrong: it is left out without its words, and nothing is asked again.
      expect(lists).toEqual([undefined]);
      expect(under.server.asked).toHaveLength(1);
    },
  );

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
