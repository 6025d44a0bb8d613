import { assembleBrief, type AssembleBriefInput } from '../../src/activities/brief/assemble-brief';
import { revisionOf } from '../../src/activities/brief/writing/write-brief-part';
import { readArtifact, storeArtifact } from '../../src/activities/shared/artifacts';
import { openSectionStream } from '../../src/activities/shared/section-stream';
import { Brief } from '../../src/contracts/brief/brief';
import { BriefSettings } from '../../src/contracts/brief/brief-settings';
import { JudgedDocument } from '../../src/contracts/judge/judged-document';
import { JudgeSettings } from '../../src/contracts/judge/rubric';
import type { WrittenSentence } from '../../src/contracts/report/draft';
import type { SetAsideClaim } from '../../src/contracts/verification/critique';
import { weigh } from '../../src/core/judge/weigh';
import { sectionTexts } from '../../src/core/report/streamed-texts';
import { critiqueOfClaims } from '../../src/core/settled-text/critique-of-claims';
import { completeBrief, STANDARD } from '../briefs/brief-fixture';
import { reportJudge } from '../core/judge/report-judge';
import { BONES_PART, dimension, judgedDocument, opinion, SETTINGS } from '../support/judged-document';
import { untilTrue } from '../support/until';
import { storesUnderTest } from './stores-under-test';

const under = storesUnderTest();

describe('assembleBrief', () => {
  const RUN_ID = 'brief';

  /** What an activity is told of the fixture's run, whose parts lie in the store. */
  async function given(template = 'brief'): Promise<AssembleBriefInput> {
    const { content } = under.stores;
    const { material, summaries, plan, drafts, question, usage, timings } = completeBrief();
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
      planRef: await storeArtifact(content, RUN_ID, plan),
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

  it('replaces a claim without a verdict by its statement', async () => {
    const input = await given();
    const text = 'Laps raise capacity greatly [@s-c].';
    const sentence: WrittenSentence = {
      text,
      plain: 'Laps raise capacity greatly.',
      findingIds: ['f3'],
      isClaim: true,
      standing: 'undecided',
    };
    const draft = { markdown: text, claims: [], checked: { sentences: [sentence] } };
    const draftRef = await storeArtifact(under.stores.content, RUN_ID, draft);
    input.drafts = input.drafts.map((one) => (one.partId === 'subtopic-2' ? { ...one, draftRef } : one));
    const { reportRef } = await assembleBrief(under.ports, input);
    const brief = await readBrief(reportRef);
    expect(brief.setAside).toMatchObject([
      { id: 'A1', partId: 'subtopic-2', verdict: 'unchecked', from: 'text' },
    ]);
    expect(brief.markdown).toContain(
      'Swimming raised capacity by 11 % in 40 adults [1]. (one sentence was set aside here)',
    );
  });
});

describe('revisionOf', () => {
  const ASIDE: SetAsideClaim = {
    text: 'Vitamin D halved all fractures.',
    sourceIds: ['source-1'],
    action: 'left-out',
    verdict: 'unsupported',
    code: 'critic',
    reason: 'No summary says so.',
    evidence: null,
    probability: null,
  };

  /** The problems of a part of which a claim was set aside, so that the verifier's figures bound the judge. */
  async function problemsWith(
    setAside: SetAsideClaim[],
    coherence = dimension(5),
  ): Promise<(string | null)[]> {
    const { content } = under.stores;
    const whole = judgedDocument();
    const partId = BONES_PART.id;
    const { text, verdict } = ASIDE;
    const claims = [...whole.claims, { partId, text, sourceIds: [], verdict, stands: false }];
    const judgement = weigh(opinion(5, { coherence }), SETTINGS, { ...whole, claims });
    expect(judgement.scores.factualAccuracy.places).toEqual([{ partId, quote: null }]);
    const critique = critiqueOfClaims(setAside, { logicalGaps: [], uncited: [] });
    const { problems } = await revisionOf({ content }, partId, {
      draftRef: await storeArtifact(content, 'run', { markdown: BONES_PART.markdown, claims: [] }),
      critiqueRef: await storeArtifact(content, 'run', critique),
      judgementRef: await storeArtifact(content, 'run', judgement),
      version: 2,
    });
    return problems.map(({ quote }) => quote);
  }

  test('a claim that the audit names and set aside does not name the whole part', async () => {
    expect(await problemsWith([ASIDE])).toEqual([]);
  });

  test('what the judge says of the whole part besides, or where the audit names nothing, does', async () => {
    const wholePart = { ...dimension(2), places: [{ partId: BONES_PART.id, quote: null }] };
    expect(await problemsWith([ASIDE], wholePart)).toEqual([null]);
    expect(await problemsWith([])).toEqual([null]);
  });
});
