import fc from 'fast-check';
import { MAX_SCORED_SOURCES, type Outline, OutlinePlan } from '../../src/contracts/outline';
import {
  joinPlans,
  MIN_RELEVANCE,
  questionOutline,
  rankByFindings,
  rankedOutline,
} from '../../src/report/ranked-outline';
import { lexicalRelevance } from '../../src/text/lexical-relevance';

describe('joinPlans', () => {
  function plan(part: number, titles: string[]): OutlinePlan {
    return {
      overallTheme: `Of 40 sources, ${titles.length} themes.`,
      sections: titles.map((title, at) => ({
        id: `section-${at + 1}`,
        title,
        description: `What 12 sources say on ${title}.`,
        subsections: [],
        relevantSources: [{ sourceId: `part-${part}-${at}`, relevance: 0.8 }],
      })),
    };
  }

  const unanswered = (nearest: string[]): OutlinePlan => ({
    overallTheme: 'None of 40 sources answers.',
    sections: [],
    unanswered: { nearest },
  });

  describe('several plans', () => {
    it('returns the plan where there is one', () => {
      const only = plan(1, ['Taxes', 'Prices']);
      expect(joinPlans([only])).toEqual(only);
    });

    it('does not repeat counts of a part for the whole', () => {
      const { overallTheme, sections } = joinPlans([plan(1, ['Taxes', 'Prices']), plan(2, ['Taxes'])]);
      expect(overallTheme).toBe('The sources deal with Taxes; Prices.');
      expect(sections.map(({ description }) => description)).toEqual([
        'What the sources say on taxes.',
        'What the sources say on prices.',
      ]);
      expect(sections[0]?.relevantSources.map(({ sourceId }) => sourceId)).toEqual(['part-1-0', 'part-2-0']);
    });

    it('is answered where one plan has sections', () => {
      const merged = joinPlans([unanswered(['a']), plan(2, ['Taxes']), unanswered(['b'])]);
      expect(merged.sections.map(({ title }) => title)).toEqual(['Taxes']);
      expect(merged.unanswered).toBeUndefined();
      expect(OutlinePlan.parse(merged)).toEqual(merged);
    });

    it('is unanswered where no plan has sections, with the nearest sources of the plans in turn', () => {
      const merged = joinPlans([unanswered(['a', 'b']), unanswered(['c', 'a'])]);
      expect(merged).toEqual({
        overallTheme: 'No sentence of the sources is likely to answer the question.',
        sections: [],
        unanswered: { nearest: ['a', 'c', 'b'] },
      });
    });
  });

  describe('OutlinePlan', () => {
    it('is unanswered exactly where it has no sections', () => {
      expect(OutlinePlan.safeParse({ overallTheme: 'x', sections: [] }).success).toBe(false);
      expect(OutlinePlan.safeParse(unanswered(['a'])).success).toBe(true);
      expect(OutlinePlan.safeParse({ ...plan(1, ['Taxes']), unanswered: { nearest: ['a'] } }).success).toBe(
        false,
      );
    });
  });
});

describe('lexicalRelevance', () => {
  const texts = [
    { title: 'Walking and sleep', summary: 'Walking improved sleep.' },
    { title: 'Tea', summary: 'Tea did nothing for sleep.' },
    { title: 'Coal', summary: 'Coal burns.' },
  ];

  test('is 1 for the source that shares most words and 0 for one that shares none', () => {
    const topic = { title: 'Sleep and walking', description: '', subsections: [] };
    const [[most = 0, some = 0, none = 0] = []] = lexicalRelevance([topic], texts);
    expect(most).toBe(1);
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(1);
    expect(none).toBe(0);
  });

  test('ranks all sources under the question where there is no plan', () => {
    const question = 'Does walking improve sleep?';
    const [nearness = []] = lexicalRelevance([{ title: question, description: '', subsections: [] }], texts);
    const { sections } = questionOutline(question, ['s0', 's1', 's2'], nearness);
    expect(sections).toHaveLength(1);
    expect(sections[0]).toMatchObject({ id: 'section-1', title: 'Does walking improve sleep?' });
    expect(sections[0]?.relevantSources.map(({ sourceId }) => sourceId)).toEqual(['s0', 's1', 's2']);
  });
});

describe('rankByFindings', () => {
  const sources = [
    { sourceId: 'expected', relevance: 0.9 },
    { sourceId: 'gave-much', relevance: 0.6 },
    { sourceId: 'gave-little', relevance: 0.6 },
    { sourceId: 'unread', relevance: 0.1 },
  ];

  const findings = [
    { citations: ['gave-much'], confidence: 0.9 },
    { citations: ['gave-much', 'gave-little'], confidence: 0.8 },
    { citations: ['gave-much'], confidence: 0.75 },
  ];

  test('weighs relevance and findings of a source half and half', () => {
    const ranked = rankByFindings(sources, findings);
    expect(ranked.map(({ sourceId, findings: given }) => [sourceId, given])).toEqual([
      ['gave-much', 3],
      ['expected', 0],
      ['gave-little', 1],
      ['unread', 0],
    ]);
    expect(ranked[0]?.score).toBeCloseTo(0.5 * 0.6 + (0.5 * 2.45) / 3, 3);
  });
});

describe('rankedOutline', () => {
  const IDS = Array.from({ length: 30 }, (_, at) => `source-${String(at).padStart(2, '0')}`);

  type Planned = { title: string; sources: [string, number][]; named?: string[] }[];

  function plan(sections: Planned): OutlinePlan {
    return {
      overallTheme: 'A theme.',
      sections: sections.map(({ title, sources, named = [] }, at) => ({
        id: `section-${at + 1}`,
        title,
        description: `On ${title}.`,
        subsections: named.length === 0 ? [] : [{ title: `More on ${title}`, sourceIds: named }],
        relevantSources: sources.map(([sourceId, relevance]) => ({ sourceId, relevance })),
      })),
    };
  }

  const NO_SCORES = new Map<string, ReadonlyMap<string, number>>();

  const ranked = (sections: Planned): Outline['sections'] =>
    rankedOutline(plan(sections), NO_SCORES, IDS).sections;

  const scored = (from: number, count: number, relevance: number): [string, number][] =>
    IDS.slice(from, from + count).map((id) => [id, relevance]);

  it('scores every source for every section', () => {
    const sections = ranked([{ title: 'Sleep', sources: scored(0, 8, 0.8) }]);
    expect(sections[0]?.sourceScores.map(({ sourceId }) => sourceId).sort()).toEqual(IDS);
    expect(sections[0]?.sourceScores.at(-1)?.relevance).toBe(0);
  });

  it('ranks the most relevant sources up to the limit and counts the relevant ones', () => {
    const ids = Array.from({ length: 3 * MAX_SCORED_SOURCES }, (_, at) => `source-${at}`);
    const saying = ids.slice(0, MAX_SCORED_SOURCES + 500);
    const scores = new Map([
      ['section-1', new Map(saying.map((id, at) => [id, at < 600 ? 0.9 : MIN_RELEVANCE]))],
    ]);
    const { sections, bearing } = rankedOutline(plan([{ title: 'Sleep', sources: [] }]), scores, ids);
    const first = sections[0]?.sourceScores ?? [];
    expect(first).toHaveLength(MAX_SCORED_SOURCES);
    expect(first.slice(0, 600).every(({ relevance }) => relevance === 0.9)).toBe(true);
    expect(bearing).toBe(saying.length);
  });

  it('names 5 to 15 relevant sources where there are as many', () => {
    const named = (sources: [string, number][]): number | undefined =>
      ranked([{ title: 'Sleep', sources }])[0]?.relevantSources.length;
    expect(named(scored(0, 20, 0.8))).toBe(15);
    expect(named([...scored(0, 3, 0.8), ...scored(3, 6, 0.4)])).toBe(5);
    expect(named(scored(0, 3, 0.8))).toBe(3);
  });

  it('prefers a requested score to the score of the plan', () => {
    const scores = new Map([['section-1', new Map([['source-00', 0.2]])]]);
    const { sections } = rankedOutline(plan([{ title: 'Sleep', sources: scored(0, 8, 0.9) }]), scores, IDS);
    const relevance = sections[0]?.sourceScores.find(({ sourceId }) => sourceId === 'source-00')?.relevance;
    expect(relevance).toBe(0.2);
  });

  it('joins a section with one source to the most similar section', () => {
    const sections = ranked([
      { title: 'Muscle strength', sources: scored(0, 6, 0.9) },
      { title: 'Sleep quality', sources: scored(10, 6, 0.9) },
      { title: 'Sleep and naps', sources: scored(20, 1, 0.9) },
    ]);
    expect(sections.map(({ id, title }) => [id, title])).toEqual([
      ['section-1', 'Muscle strength'],
      ['section-2', 'Sleep quality'],
    ]);
    const kept = sections[1]?.sourceScores.find(({ sourceId }) => sourceId === 'source-20');
    expect(kept?.relevance).toBe(0.9);
  });

  it('ranks a source by its best section and by the subsections that name it', () => {
    const sections = ranked([
      { title: 'Sleep', sources: scored(0, 3, 0.7), named: ['source-02'] },
      { title: 'Pain', sources: [...scored(0, 1, 0.9), ...scored(5, 1, 0.6)] },
    ]);
    // 00 has more to say on pain; 02 is named by a subsection of sleep.
    expect(sections[0]?.sourceScores.slice(0, 3).map(({ sourceId }) => sourceId)).toEqual([
      'source-02',
      'source-01',
      'source-00',
    ]);
    expect(sections[0]?.sourceScores[2]?.relevance).toBe(0.7);
  });

  it('keeps exactly the given sources for any plan', () => {
    const relevance = fc.integer({ min: 0, max: 100 }).map((value) => value / 100);
    const sources = fc.uniqueArray(fc.tuple(fc.constantFrom(...IDS), relevance), {
      selector: ([id]) => id,
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(sources, { minLength: 1, maxLength: 8 }), (lists) => {
        const given = plan(lists.map((list, at) => ({ title: `Theme ${at}`, sources: list })));
        const { sections } = rankedOutline(given, NO_SCORES, IDS);
        expect(sections.length).toBeGreaterThan(0);
        for (const { relevantSources, sourceScores } of sections) {
          expect(new Set(sourceScores.map(({ sourceId }) => sourceId))).toEqual(new Set(IDS));
          expect(relevantSources.length).toBeLessThanOrEqual(15);
          for (const named of relevantSources) expect(named.relevance).toBeGreaterThanOrEqual(MIN_RELEVANCE);
        }
        for (const [id, best] of lists.flat()) {
          const kept = Math.max(
            ...sections.flatMap(({ sourceScores }) =>
              sourceScores.filter(({ sourceId }) => sourceId === id).map((entry) => entry.relevance),
            ),
          );
          expect(kept).toBeGreaterThanOrEqual(best);
        }
      }),
    );
  });
});
