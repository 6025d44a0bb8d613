import type { Finding, Gap } from '../../src/contracts/report/finding';
import { findGaps, type GapInput } from '../../src/reading/reconcile/find-gaps';
import { findingOf } from '../support/findings';

describe('findGaps', () => {
  const finding = (claim: string): Finding => findingOf(claim, claim, 'a');

  function gaps(question: string, given: Partial<GapInput> & { claims?: string[] } = {}): Gap[] {
    const { claims = ['Buses were late in 12 of 40 towns.'], ...input } = given;
    const sections = [{ section: { id: 's', title: 'Buses' }, findings: claims.map(finding) }];
    const facts = new Map();
    return findGaps({ question, sections, conflicts: [], facts, sources: 16, counts: undefined, ...input });
  }

  const counts = (holders: Record<string, number>): GapInput['counts'] => ({ sentences: 400, holders });

  it('name what of the question no source mentions, after a search of all of them', () => {
    const found = gaps('Do later bedtimes or school buses reduce accidents?', {
      counts: counts({ later: 3, bedtim: 0, school: 4, buse: 9, accid: 0 }),
    });
    expect(found).toEqual([
      {
        question: 'What is known about “accidents”?',
        reason:
          'No source mentions it: not a word of it stands in any of the 16 sources, all of which were searched.',
      },
    ]);
  });

  it('say nothing about the collection where it was not searched, nor of what a finding has in another form', () => {
    expect(gaps('Are accidents common?')).toEqual([]);
    const given = { claims: ['It happens to pregnant women.'], counts: counts({ happen: 1, pregnanc: 0 }) };
    expect(gaps('Does it happen in pregnancy?', given)).toEqual([]);
  });

  it('name the side of a comparison that stands nowhere', () => {
    const found = gaps('Is a low-carb or a low-fat diet better for weight?', {
      counts: counts({ low: 8, carb: 0, fat: 5, diet: 9, better: 2, weight: 4 }),
    });
    expect(found.map(({ question }) => question)).toEqual(['What is known about “low-carb”?']);
    expect(found[0]?.reason).toMatch(/^The question compares it with “low-fat diet/);
  });

  it('name no abbreviation that the question explains, but what it stands for', () => {
    const question = 'Do later buses (LB) or school trams (ST) reduce accidents?';
    const held = { later: 3, buse: 4, school: 2, tram: 6, accid: 5 };
    expect(gaps(question, { counts: counts({ ...held, lb: 0, st: 0 }) })).toEqual([]);
    const found = gaps(question, { counts: counts({ ...held, school: 0, tram: 0, lb: 0, st: 0 }) });
    expect(found.map(({ question: asked }) => asked)).toEqual(['What is known about “school trams”?']);
    expect(gaps('Do buses reduce ST?', { counts: counts({ buse: 4, st: 0 }) })).toHaveLength(1);
  });

  it('name what of the question the sources mention and no finding tells of', () => {
    const claims = ['Buses were late in 12 of 40 towns.', 'Buses cost 4.', 'Trams ran.', 'Buses ran.'];
    const given = { claims, counts: counts({ late: 9, buse: 40, nois: 0, complaint: 3 }) };
    expect(gaps('Do late buses increase noise complaints?', given)).toContainEqual({
      question: 'What do the sources find on “noise complaints”?',
      reason: 'It is mentioned in 3 sentences of the 16 sources, but none of the 4 findings tells of it.',
    });
    const often = { ...given, counts: counts({ late: 9, buse: 40, nois: 0, complaint: 30 }) };
    const asked = gaps('Do late buses increase noise complaints?', often).map(({ question }) => question);
    expect(asked.filter((question) => question.includes('noise'))).toEqual([]);
  });

  it('ask for the amount where the question did and no finding gives a figure', () => {
    const question = 'how much do delays cost a town?';
    expect(gaps(question, { claims: ['Delays are dear.', 'Towns pay for delays (p = 0.02).'] })).toEqual([
      {
        question: 'How much do delays cost a town?',
        reason: 'An amount is asked for. None of the 2 findings gives a figure.',
      },
    ]);
    expect(gaps(question, { claims: ['Delays cost a town $4 million.'] })).toEqual([]);
    expect(gaps('Are delays dear?', { claims: ['Delays are dear.'] })).toEqual([]);
  });

  it('say that no source tells a result on what is asked, or one alone, where several are quoted', () => {
    const findings = ['a', 'b', 'c'].map((source) => findingOf(source, `Buses ran on ${source}.`, source));
    const sections = [{ section: { id: 's', title: 'Buses' }, findings }];
    const told = (telling?: number): string[] =>
      gaps('do buses reduce noise', { sections, telling })
        .filter(({ question }) => question.endsWith('tudies on just this?'))
        .map(({ reason }) => reason);
    expect(told(0)).toEqual([
      'Of the 3 sources that are quoted none was recognised as telling a result on what is asked; some may, in other words.',
    ]);
    expect(told(1)).toEqual([
      'Of the 3 sources that are quoted one was recognised as telling a result on what is asked; others may, in other words.',
    ]);
    expect([...told(2), ...told()]).toEqual([]);
    expect(gaps('Do buses reduce noise?', { telling: 0 })).toEqual([]);
  });
});
