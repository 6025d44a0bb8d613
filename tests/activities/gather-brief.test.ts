import { admitBrief, type AdmitBriefInput } from '../../src/activities/admit-run';
import { readArtifact, storeArtifact } from '../../src/activities/artifacts';
import { BriefMaterial } from '../../src/contracts/brief';
import type { AuditVerdict } from '../../src/contracts/draft';
import type { GivenSubtopic } from '../../src/contracts/start';
import { plainText } from '../../src/evidence/written-text';
import type { AuditTextInput, AuditTextOutput } from '../../src/steps/audit-text';
import { stepVersions } from '../../src/steps/registry';
import { expectSound } from '../report/brief/material-invariants';
import { createScriptedEngine } from '../support/scripted-engine';
import { AS_OF, gather, RUN, settled } from './brief-under-test';
import { signal } from './corpus-under-test';
import { storesUnderTest } from './stores-under-test';

const under = storesUnderTest();

describe('admitBrief', () => {
  const WALKING = {
    title: 'Walking',
    summary: 'Walking lowered blood pressure [1].',
    citations: ['https://a.example/'],
  };

  const admit = (
    given: Pick<AdmitBriefInput, 'subtopics' | 'subtopicsRef'> & { template?: string },
  ): ReturnType<typeof admitBrief> => {
    const { runId, engine, question } = RUN;
    const { template = RUN.brief.template, ...subtopics } = given;
    const run = { runId, engine, question, brief: { ...RUN.brief, template }, asOf: AS_OF };
    return admitBrief(under.ports, { ...run, ...subtopics }, signal);
  };

  const problemsOf = async (subtopics: unknown): Promise<string[]> => {
    const subtopicsRef = await storeArtifact(under.stores.content, 'client', subtopics);
    return (await admit({ subtopicsRef })).problems;
  };

  it('has the run hold what the client stored, so that the client may let it go', async () => {
    const subtopicsRef = await storeArtifact(under.stores.content, 'client', [WALKING]);
    const admitted = await admit({ subtopicsRef });
    const nothing = { promptsRef: null, formerLogBegunAt: null, warnings: [] };
    expect(admitted).toEqual({ problems: [], subtopicsRef, stepVersions, ...nothing });
    await under.stores.content.clearRun('client');
    expect(await under.stores.content.has(subtopicsRef)).toBe(true);
  });

  it('stores what was given as it is under the same name', async () => {
    const { subtopicsRef, problems } = await admit({ subtopics: [WALKING] });
    expect(problems).toEqual([]);
    expect(subtopicsRef).toBe(await storeArtifact(under.stores.content, 'client', [WALKING]));
  });

  it.each([
    ['none', [], 'subtopics is empty; a brief is written from one at least'],
    [
      'too many',
      Array.from({ length: 201 }, () => WALKING),
      'subtopics has 201; allowed are up to 200, so bring some together',
    ],
    [
      'an empty summary',
      [WALKING, { ...WALKING, title: 'Sleep', summary: ' \n' }],
      'subtopics[1] ("Sleep"): summary is " \\n": summary is empty',
    ],
    [
      'a citation that is no web address',
      [{ ...WALKING, citations: ['https://a.example/', 'ftp://files.example/a'] }],
      'subtopics[0] ("Walking"): citations[1] is "ftp://files.example/a", which is no web address',
    ],
    [
      'a source that nothing is known of',
      [{ ...WALKING, sources: [{ author: 'Doe' }] }],
      'subtopics[0] ("Walking"): sources[0] has neither url, title nor content',
    ],
    [
      'nothing that could be cited',
      [{ title: 'Walking', summary: 'Walking lowered blood pressure.' }],
      'no subtopic names a source, by citations, sources or an address in its summary, so that nothing could be cited',
    ],
  ])('refuses %s, and says where', async (_name, subtopics, problem) => {
    expect(await problemsOf(subtopics)).toEqual([problem]);
  });

  it('takes a subtopic without citations whose summary links to its sources', async () => {
    expect(await problemsOf([{ title: 'A', summary: 'Prices rose again (https://a.example/).' }])).toEqual(
      [],
    );
  });

  it('says what is wrong with a reference', async () => {
    const missing = '0'.repeat(64);
    expect((await admit({ subtopicsRef: missing })).problems).toEqual([
      `subtopicsRef is ${missing}, which is not in this worker's content store`,
    ]);
    const text = await under.stores.content.store('client', 'no list');
    expect((await admit({ subtopicsRef: text })).problems).toEqual([
      `subtopicsRef is ${text}, which is no list of subtopics`,
    ]);
    expect((await admit({ subtopics: [WALKING], subtopicsRef: text })).problems).toEqual([
      'subtopics and subtopicsRef are both given; give one of them',
    ]);
  });

  it('looks at the template as well', async () => {
    expect((await admit({ subtopics: [WALKING], template: 'literature-review' })).problems).toEqual([]);
    const { problems } = await admit({ subtopics: [], template: 'briefs' });
    expect(problems).toHaveLength(2);
    expect(problems[1]).toMatch(/^brief\.template: .*Is brief meant\?$/);
  });

  it.each([
    ['one word', 'Exercise'],
    ['a table', '| a | b |\n| --- | --- |\n| rowing | lowered it by 1 mmHg [1] |'],
    ['HTML', '<p>Rowing lowered it by 1 mmHg.</p>'],
    ['signs', '... !!!'],
  ])('refuses subtopics that state nothing: %s', async (_name, summary) => {
    expect(await problemsOf([{ ...WALKING, summary }])).toEqual([
      expect.stringMatching(/^no summary has a sentence that states anything; .*write what they show/),
    ]);
    expect(await problemsOf([{ ...WALKING, summary }, WALKING])).toEqual([]);
  });

  it('rejects an invisible title', async () => {
    expect(await problemsOf([{ ...WALKING, title: '\u200b' }])).toEqual([
      expect.stringContaining('title has neither a letter nor a number'),
    ]);
  });
});

describe('gatherBrief', () => {
  it('keeps summaries and texts under the run, and what is made of them', async () => {
    const text = 'In the trial walking lowered systolic blood pressure by 4.5 mmHg in 120 adults.';
    const given: GivenSubtopic[] = [
      {
        title: 'Walking',
        summary:
          'Walking lowered systolic blood pressure by 4.5 mmHg [1]. Diaries showed good adherence [2].',
        citations: ['https://a.example/trial', 'https://b.example/diaries'],
        sources: [
          { url: 'https://c.example/', title: 'An address alone' },
          { url: 'http://www.a.example/trial/', title: 'The walking trial', content: text },
        ],
      },
    ];
    const { content } = under.stores;
    const { materialRef, ...gathered } = await gather(under.ports, given);
    expect(gathered).toEqual({
      sources: 3,
      inFull: 1,
      statements: 2,
      conflicts: 0,
      warnings: [],
      subtopics: [{ id: 'subtopic-1', words: 12 }],
    });
    const { sources, subtopics } = await readArtifact(content, materialRef, BriefMaterial);
    expect(sources[0]).toMatchObject({ n: 1, title: 'The walking trial', contentChars: text.length });
    expect(await content.retrieve(sources[0]?.contentRef ?? '')).toBe(text);
    expect(await content.retrieve(subtopics[0]?.summaryRef ?? '')).toBe(given[0]?.summary);
  });

  it('reports warnings, and conflicts without texts, once however often it is retried', async () => {
    const sides = ['significantly increased', 'did not increase'];
    const given = sides.map((effect, at) => ({
      title: `View ${at + 1}`,
      summary: `Vitamin D supplementation ${effect} bone mineral density in postmenopausal women [1][9].`,
      citations: [`https://${at}.example/`],
    }));
    const ports = under.ports;
    const gathered = await gather(ports, given);
    expect(await gather(ports, given)).toEqual(gathered);
    expect(gathered).toMatchObject({ inFull: 0, conflicts: 1 });
    expect(gathered.warnings.map(({ message }) => message)).toEqual([
      'subtopic-1 (View 1): its summary cites 9, which is none of its sources; the mark is left out.',
      'subtopic-2 (View 2): its summary cites 9, which is none of its sources; the mark is left out.',
    ]);
    const events = await under.stores.events.read(RUN.runId);
    expect(events.map(({ type }) => type)).toEqual(['warning', 'warning', 'conflict-detected']);
  });
});

describe('checkSummaries', () => {
  const TRIAL = {
    url: 'https://a.example/trial',
    title: 'A trial of walking in adults',
    content: [
      'We asked 120 adults with hypertension to walk for thirty minutes a day.',
      'After twelve weeks walking had lowered systolic blood pressure by 4.5 mmHg on average.',
      'Nine participants left the trial before its end because they had moved away.',
    ].join(' '),
  };

  const REVIEW = 'https://b.example/review';

  const WRONG = 'After twelve weeks walking had lowered systolic blood pressure by 8.5 mmHg on average.';

  const RIGHT = 'Nine participants left the trial before its end because they had moved away.';

  const FREE = 'Hardly any of the participants dropped out of the trial.';

  const cite = (sentence: string, mark: string): string => sentence.replace(/\.$/, ` ${mark}.`);

  const subtopic = (summary: string, citations = [TRIAL.url, REVIEW]): GivenSubtopic => ({
    title: 'Walking',
    summary,
    citations,
    sources: [TRIAL],
  });

  const settledFrom = (...given: GivenSubtopic[]) => settled(under.ports, given);

  it('sets a statement aside whose number its source contradicts, with the place that does', async () => {
    const summary = `${cite(RIGHT, '[1]')} ${cite(WRONG, '[1]')} Others found the same [2].`;
    const material = await settledFrom(subtopic(summary));
    const refuted = { verdict: 'contradicted', code: 'number-exchanged', action: 'left-out' };
    expect(material.setAside).toMatchObject([{ subtopicId: 'subtopic-1', text: WRONG, ...refuted }]);
    expect(material.setAside[0]?.reason).toMatch(/8\.5/);
    const { evidence, sourceIds } = material.setAside[0] ?? {};
    expect(TRIAL.content.slice(evidence?.start, evidence?.end)).toBe(evidence?.quote);
    expect(evidence?.quote).toMatch(/4\.5 mmHg/);
    expect(sourceIds).toEqual([material.sources[0]?.id]);
    const findings = material.subtopics.flatMap((one) => one.findings);
    expect(findings.map(({ claim }) => claim)).toEqual([RIGHT, 'Others found the same.']);
    expect(Object.values(material.held).join('\n')).not.toContain('8.5');
    expect(material.checks).toMatchObject({ 'subtopic-1-finding-1': { verdict: 'supported' } });
    expect(Object.keys(material.checks)).toEqual(['subtopic-1-finding-1']);
    expectSound(material, () => summary);
  });

  it('ends a conflict whose one side is set aside, and the other is as sure as before', async () => {
    const other = 'After twelve weeks walking had lowered systolic blood pressure by 4.5 mmHg on average.';
    const given = [subtopic(cite(WRONG, '[1]')), subtopic(cite(other, '[2]'))];
    const ports = under.ports;
    expect(await gather(ports, given)).toMatchObject({ conflicts: 1 });
    const material = await settled(ports, given);
    expect(material.setAside).toHaveLength(1);
    expect(material.conflicts).toEqual([]);
    const confidences = material.subtopics.map(({ findings }) =>
      findings.map(({ confidence }) => confidence),
    );
    expect(confidences).toEqual([[], [0.65]]);
  });

  it('knows no more than what is there where other sources are cited of which the text is not', async () => {
    const elsewhere = 'The review counted 57 trials of walking in nineteen countries.';
    const { setAside, checks } = await settledFrom(subtopic(cite(elsewhere, '[1][2]')));
    expect(setAside).toEqual([]);
    expect(Object.values(checks)).toMatchObject([{ verdict: 'unchecked', code: 'open' }]);
    const alone = await settledFrom(subtopic(cite(elsewhere, '[1]')));
    expect(alone.setAside).toMatchObject([{ verdict: 'unsupported', code: 'number-absent' }]);
  });

  it('cites the supporting source of an unmarked sentence if its neighbours cite others', async () => {
    const other = {
      url: REVIEW,
      title: 'A review of trials',
      content: 'The review counted 57 trials of walking in nineteen countries.',
    };
    const summary = `${other.content} ${cite(RIGHT, '[1]')} The review was published in spring [2].`;
    const given = { ...subtopic(summary), sources: [TRIAL, other] };
    const material = await settledFrom(given);
    const [first] = material.subtopics[0]?.findings ?? [];
    const [cited] = material.sources.filter(({ id }) => first?.citations.includes(id));
    expect([first?.claim, first?.citations.length, cited?.url]).toEqual([other.content, 1, REVIEW]);
    expect(material.checks[first?.id ?? '']).toMatchObject({ verdict: 'supported' });
    expectSound(material, () => summary);
  });

  it('keeps what words cannot tell, with its verdict', async () => {
    const { setAside, checks } = await settledFrom(subtopic(cite(FREE, '[1]')));
    expect(setAside).toEqual([]);
    expect(Object.values(checks)).toMatchObject([{ code: expect.stringMatching(/^(?:open|unlikely)$/) }]);
  });

  it('checks nothing where only addresses were given', async () => {
    const { setAside, checks } = await settledFrom({ ...subtopic(cite(WRONG, '[1]')), sources: [] });
    expect([setAside, checks]).toEqual([[], {}]);
  });

  describe('with a model', () => {
    const run = { ...RUN, engine: 'openai' as const };
    const critic = (verdict: AuditVerdict) => {
      const told = { verdict, severity: 'wrong', calculation: '', reason: 'So.' } as const;
      const auditText = ({ statements, sources }: AuditTextInput): AuditTextOutput => ({
        verdicts: statements.map(({ id, sourceIds }) => ({
          id,
          quotes: sources
            .filter(({ sourceId }) => sourceIds.includes(sourceId))
            .flatMap(({ sourceId, passages }) =>
              passages.slice(0, 1).map(({ text, start, end }) => ({ sourceId, quote: text, start, end })),
            ),
          ...told,
        })),
        notes: [],
      });
      return createScriptedEngine({ 'audit-text': auditText }, { name: 'openai' });
    };
    const settledBy = (engine: ReturnType<typeof critic>, summary: string) =>
      settled({ ...under.ports, engines: { openai: engine } }, [subtopic(summary)], run);

    it('asks the critic of what words leave open, with the places that were looked at', async () => {
      const engine = critic('supported');
      const { checks } = await settledBy(engine, `${cite(FREE, '[1]')} ${cite(RIGHT, '[1]')}`);
      expect(Object.values(checks)).toMatchObject([
        { verdict: 'supported', code: 'critic' },
        { verdict: 'supported', code: 'same-words' },
      ]);
      const [{ input } = { input: null }, ...more] = engine.calls;
      const { statements, sources } = input as AuditTextInput; // what the step is asked, by its schema
      expect(more).toEqual([]);
      expect(statements.map(({ text }) => plainText(text))).toEqual([FREE]);
      expect(sources.map(({ title }) => title)).toEqual([TRIAL.title]);
      const passages = sources.flatMap((source) => source.passages);
      expect(passages.length).toBeGreaterThan(0);
      for (const { text, start, end } of passages) expect(TRIAL.content.slice(start, end)).toBe(text);
    });

    it('ignores an "unsupported" verdict if a cited text is missing', async () => {
      const { setAside } = await settledBy(critic('unsupported'), cite(FREE, '[1][2]'));
      expect(setAside).toEqual([]);
    });

    it.each(['contradicted', 'unsupported'] as const)(
      'sets aside what the critic finds %s',
      async (verdict) => {
        const { setAside } = await settledBy(critic(verdict), cite(FREE, '[1]'));
        expect(setAside).toMatchObject([{ text: FREE, verdict, code: 'critic', reason: 'So.' }]);
      },
    );
  });
});
