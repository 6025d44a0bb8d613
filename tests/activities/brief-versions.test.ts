import { readArtifact, storeArtifact } from '../../src/activities/artifacts';
import { assembleBrief, type AssembleBriefInput } from '../../src/activities/brief-versions';
import { openSectionStream } from '../../src/activities/publish-events';
import { Brief } from '../../src/contracts/brief';
import type { WrittenText } from '../../src/contracts/draft';
import { JudgedDocument } from '../../src/contracts/judgement';
import { BriefSettings, JudgeSettings } from '../../src/contracts/run-settings';
import { textOfParts } from '../../src/evidence/written-text';
import { sectionTexts } from '../../src/report/citations';
import { reportJudge } from '../evidence/report-judge';
import { completeBrief, STANDARD } from '../report/brief/brief-fixture';
import { untilTrue } from '../support/until';
import { storesUnderTest } from './stores-under-test';

const under = storesUnderTest();

describe('assembleBrief', () => {
  const RUN_ID = 'brief';
  const PLANNED = { id: 'summary', title: 'Summary', words: 50, guidance: '', findingIds: [] };

  /** What an activity is told of the fixture's run, whose parts lie in the store. */
  async function given(template = 'brief'): Promise<AssembleBriefInput> {
    const { content } = under.stores;
    const { material, summaries, title, drafts, question, usage, timings } = completeBrief();
    const subtopics = await Promise.all(
      material.subtopics.map(async (subtopic) => ({
        ...subtopic,
        summaryRef: await content.store(RUN_ID, summaries.get(subtopic.id) ?? ''),
      })),
    );
    return {
      run: {
        runId: RUN_ID,
        question,
        engine: 'extractive',
        models: null,
        stepVersions: { judge: '1' },
        brief: BriefSettings.parse({ template }),
        judge: JudgeSettings.parse({}),
      },
      status: 'completed',
      version: 1,
      judge: null,
      endedEarly: null,
      isFinal: false,
      materialRef: await storeArtifact(content, RUN_ID, { ...material, subtopics }),
      planRef: await storeArtifact(content, RUN_ID, { title, parts: [PLANNED] }),
      drafts: await Promise.all(
        drafts.map(async ({ partId, draft }) => ({
          partId,
          draftRef: await storeArtifact(content, RUN_ID, draft),
        })),
      ),
      shortfalls: [],
      warnings: [],
      usage,
      timings,
      asOf: '2026-02-03T00:00:00.000Z',
    };
  }

  function readBrief(reportRef: string): Promise<Brief> {
    return readArtifact(under.stores.content, reportRef, Brief);
  }

  it('stores a version as its judge and its reader are given it, and goes on', async () => {
    const result = await assembleBrief(under.ports, await given());
    const brief = await readBrief(result.reportRef);
    expect(await under.stores.content.retrieve(result.markdownRef)).toBe(brief.markdown);
    expect(brief.provenance).toMatchObject({ template: 'brief', steps: { judge: '1' } });
    expect(brief.claims.every(({ evidence }) => evidence.length > 0)).toBe(true);
    const judged = await readArtifact(under.stores.content, result.judgedRef, JudgedDocument);
    expect(judged.parts.map(({ markdown }) => markdown)).toEqual(brief.parts.map(({ markdown }) => markdown));
    expect(result.citations).toBe(4);
    expect(await under.stores.events.read(RUN_ID)).toEqual([]);
  });

  it('reports the last version with its judgement and closes the log, also when repeated', async () => {
    const judge = { ...reportJudge(2), version: 2 };
    const { version, versions, ...judgement } = judge;
    const judgementRef = await storeArtifact(under.stores.content, RUN_ID, judgement);
    const input = { ...(await given()), isFinal: true, judge: { judgementRef, version, versions } };
    const ports = under.ports;
    const result = await assembleBrief(ports, input);
    expect(await assembleBrief(ports, input)).toEqual(result);
    const { reportRef, markdownRef } = result;
    const told = (await under.stores.events.read(RUN_ID)).map(({ type, payload }) => ({ type, payload }));
    expect(told.slice(-2)).toEqual([
      { type: 'citation-stats', payload: { total: 4, coverage: 1 } },
      { type: 'run-completed', payload: { status: 'completed', reportRef, markdownRef } },
    ]);
    expect((await readBrief(reportRef)).judge).toEqual(judge);
  });

  it('brings the log to the text that the brief has, where a revision was under way', async () => {
    const input = { ...(await given()), isFinal: true };
    const ports = under.ports;
    const [part] = completeBrief().drafts;
    if (part === undefined) throw new Error('the fixture has no part');
    const stream = (): ReturnType<typeof openSectionStream> =>
      openSectionStream(under.stores.events, RUN_ID, part.partId, { pass: 2, step: 'write-brief-part' });
    await (await stream()).finish(part.draft.markdown);
    const revision = await stream();
    revision.write('A revision that nobody');
    const textNow = async () => sectionTexts(await under.stores.events.read(RUN_ID)).get(part.partId)?.text;
    await untilTrue(async () => (await textNow()) === 'A revision that nobody');
    await assembleBrief(ports, input);
    const texts = sectionTexts(await under.stores.events.read(RUN_ID));
    for (const { partId, draft } of completeBrief().drafts)
      expect(texts.get(partId)).toMatchObject({ text: draft.markdown, isWritten: true });
  });

  it('fills a template of the user, and one that ships by its name', async () => {
    const own = await assembleBrief(under.ports, await given(STANDARD.replace('Key Findings', 'Facts')));
    expect(await readBrief(own.reportRef)).toMatchObject({
      provenance: { template: 'own' },
      metadata: { qualityCheck: { hasFindings: true } },
    });
    const memo = await assembleBrief(under.ports, await given('decision-memo'));
    const { markdown, metadata } = await readBrief(memo.reportRef);
    expect(markdown).toContain(
      '\nAs of 2026-02-03\n\n## Decision to Be Made\n\nWhat does exercise do?\n\n## Recommendation\n',
    );
    expect(metadata.qualityCheck.passes).toBe(true);
  });

  it('takes the form of the first that ships where the template has problems, and says so', async () => {
    const result = await assembleBrief(under.ports, await given('{{title}}\n{{nothing}}'));
    const { warnings, metadata } = await readBrief(result.reportRef);
    expect(metadata.qualityCheck.passes).toBe(true);
    expect(warnings.map(({ message }) => message)).toContain('The template has no slot {{sources}}.');
  });

  describe('with a text by a model', () => {
    const SAID = 'Swimming raised capacity by 11 % in 40 adults [@s-c].';
    const KEY = {
      verdict: 'supported',
      code: 'critic',
      reason: 'So.',
      evidence: null,
      probability: null,
    } as const;

    /** The second subtopic is a model's, the others are quoted. */
    async function briefOf(change: (text: WrittenText) => WrittenText): Promise<Brief> {
      const input = await given();
      const part = { id: 'subtopic-2', title: 'Swimming', markdown: SAID };
      const text = change(textOfParts('What laps do', [part]));
      const { reportRef } = await assembleBrief(under.ports, {
        ...input,
        textRef: await storeArtifact(under.stores.content, RUN_ID, text),
        drafts: input.drafts.filter(({ partId }) => partId !== part.id),
      });
      return readBrief(reportRef);
    }

    const withStatement = (change: Partial<WrittenText['statements'][number]>) => (text: WrittenText) => ({
      ...text,
      statements: text.statements.map((one) => ({ ...one, ...change })),
    });

    it('has its title and its parts, each claim with its verdict and the statement that it rests on', async () => {
      const brief = await briefOf(withStatement({ verdict: KEY }));
      expect(brief.title).toBe('What laps do');
      expect(brief.parts).toHaveLength(completeBrief().drafts.length);
      const [claim] = brief.claims.filter(({ partId }) => partId === 'subtopic-2');
      expect(claim).toMatchObject({ verdict: 'supported', code: 'critic' });
      expect(claim?.evidence[0]?.quote).toContain('Swimming raised capacity');
    });

    it('counts a statement that no audit has reached as unchecked', async () => {
      const brief = await briefOf((text) => text);
      const own = brief.claims.filter(({ partId }) => partId === 'subtopic-2');
      expect(own.map(({ verdict }) => verdict)).toEqual(['unchecked']);
    });

    it('lists what was taken out of it', async () => {
      const taken = { ...KEY, verdict: 'unsupported' as const, text: 'Laps cure all.', sourceIds: ['s-c'] };
      const brief = await briefOf((text) => ({ ...text, removed: [{ ...taken, partId: 'subtopic-2' }] }));
      expect(brief.setAside).toMatchObject([
        { id: 'A1', partId: 'subtopic-2', text: 'Laps cure all.', verdict: 'unsupported', from: 'text' },
      ]);
    });
  });
});
