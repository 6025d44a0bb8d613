import type { Conflict, Finding, Gap } from '../../src/contracts/report/finding';
import { findGaps, type GapInput } from '../../src/reading/reconcile/find-gaps';
import { statedUnknowns } from '../../src/reading/reconcile/stated-unknowns';
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

  it('name a part that rests on one source, and what sources state themselves', () => {
    const stated: Gap = { question: 'Left open by a source: “It is unknown.”', reason: 'It says so.' };
    const trams = { ...finding('Trams ran.'), citations: ['a', 'b'] };
    const sections = [
      { section: { id: 's', title: 'Buses' }, findings: ['Buses ran.', 'Buses were late.'].map(finding) },
      { section: { id: 't', title: 'Trams' }, findings: [trams, finding('Trams were late.')] },
    ];
    const found = gaps('Are buses late?', { sections, stated: [stated] });
    expect(found).toEqual([
      stated,
      {
        question: 'What do other sources say about buses?',
        reason: 'All 2 findings on it come from the same source.',
        sectionId: 's',
      },
    ]);
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

  it('ask about sections without a finding, and about conflicts that nothing settles', () => {
    const conflict = {
      topic: 'town of Harwell',
      resolution: 'present_both',
      viewpoints: [{ citations: ['a', 'b'] }, { citations: ['c'] }],
    } as unknown as Conflict; // only these are read
    const found = gaps('Are buses late?', {
      sections: [{ section: { id: 's2', title: 'Night buses' }, findings: [] }],
      conflicts: [conflict, { ...conflict, topic: 'trams', resolution: 'favor_viewpoint_1' }],
    });
    expect(found.map(({ question }) => question)).toEqual([
      'What do the sources say about night buses?',
      'Which of the sources are right about town of Harwell?',
    ]);
    expect(found[1]?.reason).toBe('They contradict each other (2 against 1), and nothing favours one side.');
  });

  it('are at most eight, each once, each a whole question with its reason', () => {
    const sections = Array.from({ length: 12 }, (_, at) => ({
      section: { id: `s${at}`, title: `Sport ${at}` },
      findings: [],
    }));
    const found = gaps('Does sport help, and by how much?', { sections });
    expect(found).toHaveLength(8);
    for (const { question, reason } of found) {
      expect(question).toMatch(/^[A-Z].*\?$/);
      expect(reason).toMatch(/\.$/);
    }
  });
});

describe('statedUnknowns', () => {
  const QUESTION = 'Do night buses reduce road accidents in towns?';

  const OPENING = 'Buses ran in forty towns. Counts were taken by hand on each evening of the year. '.repeat(
    3,
  );

  function stated(closing: string, { opening = OPENING, title = 'On buses' } = {}): string[] {
    const content = `${opening}\n\n${closing}`;
    const gaps = statedUnknowns({ question: QUESTION, sources: [{ sourceId: 'a', title, content }] });
    for (const { evidence } of gaps)
      expect(content.slice(evidence?.start, evidence?.end)).toBe(evidence?.quote);
    return gaps.map(({ evidence }) => evidence?.quote ?? '');
  }

  it.each([
    'Whether night buses prevent accidents among young drivers is unknown.',
    'Further studies are needed to show whether night buses reduce accidents on country roads.',
    'The cost of night buses for each accident prevented has not been established.',
    'Future research should compare accidents on weekdays with night buses and taxis.',
  ])('is a gap, word for word: %s', (sentence) => {
    expect(stated(sentence)).toEqual([sentence]);
  });

  it.each([
    ['is about something else', 'Whether trams wear down rails in winter weather is unknown.'],
    ['names nothing', 'More research on night buses and accidents is needed.'],
    ['points back', 'Further studies are needed to confirm these accident results of night buses here.'],
    ['is a result', 'Night buses reduced road accidents among young drivers in towns.'],
    ['asks', 'Is it unknown whether night buses prevent accidents among young drivers?'],
  ])('is none where it %s', (_why, sentence) => {
    expect(stated(sentence)).toEqual([]);
  });

  it('is none where the source only set out from it, or lists it', () => {
    const sentence = 'Whether night buses prevent accidents among young drivers is unknown.';
    expect(stated(OPENING, { opening: sentence })).toEqual([]);
    expect(stated(`## References\n\n${sentence}`)).toEqual([]);
  });

  it('is told once where several say it, and of each source once', () => {
    const one = 'Whether night buses prevent accidents among young drivers is unknown.';
    const other = 'It remains unclear whether night buses prevent accidents of young drivers.';
    const third = 'Future research should compare accidents on weekdays with night buses and taxis.';
    const source = (sourceId: string, said: string) => ({
      sourceId,
      title: 'On buses',
      content: `${OPENING}\n\n${said}`,
    });
    const sources = [source('a', `${one} ${other}`), source('b', other), source('c', third)];
    const gaps = statedUnknowns({ question: QUESTION, sources });
    expect(gaps.map(({ evidence }) => evidence?.sourceId)).toEqual(['a', 'c']);
  });
});
