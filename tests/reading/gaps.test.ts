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

  it('asks about a section that rests on one source, and keeps gaps that sources state', () => {
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

  it('asks about sections without a finding and about unresolved conflicts', () => {
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

  it('returns at most eight questions, each with a reason', () => {
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
  ])('quotes %s', (sentence) => {
    expect(stated(sentence)).toEqual([sentence]);
  });

  it.each([
    ['is about something else', 'Whether trams wear down rails in winter weather is unknown.'],
    ['names nothing', 'More research on night buses and accidents is needed.'],
    ['points back', 'Further studies are needed to confirm these accident results of night buses here.'],
    ['is a result', 'Night buses reduced road accidents among young drivers in towns.'],
    ['asks', 'Is it unknown whether night buses prevent accidents among young drivers?'],
  ])('returns none where the sentence %s', (_why, sentence) => {
    expect(stated(sentence)).toEqual([]);
  });

  it('returns none from the introduction or the references', () => {
    const sentence = 'Whether night buses prevent accidents among young drivers is unknown.';
    expect(stated(OPENING, { opening: sentence })).toEqual([]);
    expect(stated(`## References\n\n${sentence}`)).toEqual([]);
  });

  it('returns one gap a source, and repeated ones once', () => {
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
