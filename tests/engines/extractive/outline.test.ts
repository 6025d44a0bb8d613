import fc from 'fast-check';
import { OutlinePlan } from '../../../src/contracts/report/outline';
import { outlineExtractively } from '../../../src/engines/extractive/outline';
import { outline as outlineStep } from '../../../src/steps/outline/outline';
import type { OutlineInput } from '../../../src/steps/outline/contract';

type Source = OutlineInput['sources'][number];

const quality = { level: 'general' as const, reason: 'a test' };
const measures = [
  ['gravel beds', 'brown trout'],
  ['fish ladders', 'water temperature'],
  ['dam removal', 'bank erosion'],
  ['floodplain forests', 'nitrate concentration'],
  ['beaver ponds', 'otter populations'],
] as const;
const places = ['alpine streams', 'lowland rivers', 'coastal marshes'];

function source(id: string, measure: string, outcome: string, place: string): Source {
  return {
    sourceId: id,
    title: `Effects of ${measure} on ${outcome} in ${place}`,
    quality,
    summary: `Restoration of ${place} by ${measure} changed ${outcome} by ${id.length * 7} % within a year. The control sites stayed as they were.`,
  };
}

function corpus(size: number): Source[] {
  return Array.from({ length: size }, (_, at) => {
    const [measure = '', outcome = ''] = measures[at % measures.length] ?? [];
    return source(`s${String(at).padStart(3, '0')}`, measure, outcome, places[at % places.length] ?? '');
  });
}

async function planOf(question: string, sources: Source[]): Promise<OutlinePlan> {
  const input = { question, sources };
  const plan = OutlinePlan.parse(await outlineExtractively(input));
  expect(outlineStep.check(input, plan)).toEqual([]);
  return plan;
}

const idsOf = (plan: OutlinePlan): string[] =>
  plan.sections.flatMap(({ relevantSources }) => relevantSources.map(({ sourceId }) => sourceId));

const BROAD = 'What did restoration change within a year?';

describe('the plan of a report', () => {
  it('has a section for each thing that several sources share, under the phrase that they share', async () => {
    const plan = await planOf(BROAD, corpus(60));
    expect(plan.sections.length).toBeGreaterThanOrEqual(5);
    expect(plan.sections.length).toBeLessThanOrEqual(8);
    const phrases = [...measures.flat(), ...places, 'further results'];
    const titles = plan.sections.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    for (const title of titles) expect(phrases).toContain(title.toLowerCase());
    expect(idsOf(plan).sort()).toEqual(corpus(60).map(({ sourceId }) => sourceId));
    for (const { relevantSources, title, description } of plan.sections) {
      expect(relevantSources.length).toBeGreaterThanOrEqual(5);
      const relevances = relevantSources.map(({ relevance }) => relevance);
      expect(relevances).toEqual([...relevances].sort((a, b) => b - a));
      expect(description).toBe(`What the sources say on ${title.charAt(0).toLowerCase()}${title.slice(1)}.`);
    }
  });

  it('has one section for a narrow question, of the sources that answer it alone', async () => {
    const alone = source('only', 'rubber dinghies', 'reed warblers', 'canals');
    const plan = await planOf('Do rubber dinghies disturb reed warblers?', [...corpus(48), alone]);
    expect(plan.sections.map(({ title }) => title)).toEqual([alone.title]);
    expect(idsOf(plan)).toEqual(['only']);
  });

  it.each(['When were the fish ladders built?', 'Who built the fish ladders?'])(
    'has one section: %s',
    async (question) => {
      const told = Array.from({ length: 12 }, (_, at): Source => ({
        sourceId: `t${at}`,
        title: `The fish ladders of ${places[at % 3]}, part ${at}`,
        quality,
        summary: `The fish ladders of this river were built in ${1950 + at} by Ada Bridges. They are of stone.`,
      }));
      expect((await planOf(question, told)).sections).toHaveLength(1);
    },
  );

  it('is one section where there are few sources', async () => {
    for (const size of [1, 2, 3]) {
      const plan = await planOf(BROAD, corpus(size));
      expect(plan.sections).toHaveLength(1);
      expect(idsOf(plan)).toHaveLength(size);
    }
  });

  it('says that nothing answers, and what is nearest', async () => {
    const plan = await planOf('How do black holes evaporate?', corpus(30));
    expect(plan).toMatchObject({ overallTheme: 'No source addresses the question.', sections: [] });
    expect(plan.unanswered?.nearest).toHaveLength(5);
    const near = source('near', 'black dye', 'holes in nets', 'ponds');
    const nearer = await planOf('Who proved that black holes evaporate?', [...corpus(30), near]);
    expect(nearer.unanswered?.nearest[0]).toBe('near');
  });

  it('is the same in whatever order the sources come', async () => {
    const sources = corpus(60);
    const shuffled = sources.flatMap((_, at) => sources[(at * 37) % sources.length] ?? []);
    expect(await planOf(BROAD, shuffled)).toEqual(await planOf(BROAD, sources));
  });

  it('puts a near-duplicate where its original is, just behind it, and counts it for nothing', async () => {
    const sources = corpus(60);
    const copies = sources
      .slice(0, 20)
      .map((item): Source => ({ ...item, sourceId: `z-${item.sourceId}`, nearDuplicateOf: item.sourceId }));
    const plan = await planOf(BROAD, [...sources, ...copies]);
    const without = await planOf(BROAD, sources);
    expect(plan.sections.map(({ title }) => title)).toEqual(without.sections.map(({ title }) => title));
    for (const { sourceId, nearDuplicateOf = '' } of copies) {
      const home = plan.sections.find(({ relevantSources }) =>
        relevantSources.some((item) => item.sourceId === nearDuplicateOf),
      );
      const relevanceOf = (id: string): number =>
        home?.relevantSources.find((item) => item.sourceId === id)?.relevance ?? 0;
      expect(relevanceOf(sourceId)).toBeGreaterThan(0);
      expect(relevanceOf(sourceId)).toBeLessThan(relevanceOf(nearDuplicateOf));
    }
  });

  it('keeps to its contract, and to headings that are different and not empty, whatever the texts', async () => {
    const odd = ['restoration', 'within a year', 'LDL', 'and', '<b>', '](x)', '…'];
    const word = fc.constantFrom(...measures.flat(), ...places, ...odd);
    const text = fc.oneof(
      fc.array(word, { minLength: 1, maxLength: 14 }).map((parts) => `${parts.join(' ')}.`),
      fc.string({ unit: 'binary', minLength: 1 }),
    );
    const pairs = fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(pairs, async (drawn) => {
        const sources = drawn.map(([title, summary], at) => ({
          sourceId: `s${at}`,
          title,
          quality,
          summary,
        }));
        const { sections } = await planOf(BROAD, sources);
        const titles = sections.map(({ title }) => title);
        expect(new Set(titles).size).toBe(titles.length);
        expect(titles.filter((title) => title.trim() === '')).toEqual([]);
      }),
      { numRuns: 60, seed: 11 },
    );
  });
});
