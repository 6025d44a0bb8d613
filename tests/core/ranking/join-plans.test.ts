import { OutlinePlan } from '../../../src/contracts/report/outline';
import { joinPlans } from '../../../src/core/ranking/join-plans';

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

describe('one outline from several', () => {
  it('is the plan itself where there is one', () => {
    const only = plan(1, ['Taxes', 'Prices']);
    expect(joinPlans([only])).toEqual(only);
  });

  it('says of the whole nothing that a plan says of its part', () => {
    const { overallTheme, sections } = joinPlans([plan(1, ['Taxes', 'Prices']), plan(2, ['Taxes'])]);
    expect(overallTheme).toBe('The sources deal with Taxes; Prices.');
    expect(sections.map(({ description }) => description)).toEqual([
      'What the sources say on taxes.',
      'What the sources say on prices.',
    ]);
    expect(sections[0]?.relevantSources.map(({ sourceId }) => sourceId)).toEqual(['part-1-0', 'part-2-0']);
  });

  it('is answered where one part answers', () => {
    const merged = joinPlans([unanswered(['a']), plan(2, ['Taxes']), unanswered(['b'])]);
    expect(merged.sections.map(({ title }) => title)).toEqual(['Taxes']);
    expect(merged.unanswered).toBeUndefined();
    expect(OutlinePlan.parse(merged)).toEqual(merged);
  });

  it('is unanswered where no part answers, with each part’s nearest source before any part’s second', () => {
    const merged = joinPlans([unanswered(['a', 'b']), unanswered(['c', 'a'])]);
    expect(merged).toEqual({
      overallTheme: 'No source addresses the question.',
      sections: [],
      unanswered: { nearest: ['a', 'c', 'b'] },
    });
  });
});

describe('a plan', () => {
  it('without sections must say that the question is unanswered, and with sections must not', () => {
    expect(OutlinePlan.safeParse({ overallTheme: 'x', sections: [] }).success).toBe(false);
    expect(OutlinePlan.safeParse(unanswered(['a'])).success).toBe(true);
    expect(OutlinePlan.safeParse({ ...plan(1, ['Taxes']), unanswered: { nearest: ['a'] } }).success).toBe(
      false,
    );
  });
});
