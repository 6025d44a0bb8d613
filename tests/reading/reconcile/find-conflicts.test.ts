import type { Finding } from '../../../src/contracts/report/finding';
import type { SourceFacts } from '../../../src/core/evidence/distinct-evidence';
import { findConflicts } from '../../../src/reading/reconcile/find-conflicts';

const TITLE = 'Effects of rowing on balance: a randomised trial';
const general = { level: 'general', reason: 'a web page' } as const;
const authoritative = { level: 'authoritative', reason: 'a journal' } as const;

function finding(id: string, sourceId: string, quote: string): Finding {
  return {
    id,
    sectionId: 'section-1',
    claim: quote,
    citations: [sourceId],
    evidence: [{ sourceId, quote, start: 10, end: 10 + quote.length }],
    confidence: 0.7,
  };
}

function sources(
  ids: string,
  facts: Partial<Record<string, Partial<SourceFacts>>> = {},
): Map<string, SourceFacts> {
  return new Map(ids.split('').map((id) => [id, { title: TITLE, quality: general, ...facts[id] }]));
}

const better = 'Rowing significantly improved balance compared with no exercise.';
const alsoBetter = 'Compared with controls, balance improved with rowing.';
const none = 'Rowing had no significant effect on balance.';

describe('conflicts among findings', () => {
  it('put every source of one topic on its side of one conflict', () => {
    const [conflict, ...others] = findConflicts(
      [finding('f1', 'a', better), finding('f2', 'b', alsoBetter), finding('f3', 'c', none)],
      sources('abc'),
    );
    expect(others).toEqual([]);
    expect(conflict).toMatchObject({
      kind: 'direction',
      topic: 'balance',
      resolution: 'present_both',
      reason: 'On balance, one side reports an effect or a difference, the other none.',
      findingIds: ['f1', 'f2', 'f3'],
    });
    expect(conflict?.viewpoints.map(({ citations }) => citations)).toEqual([['b', 'a'], ['c']]);
    expect(conflict?.viewpoints.map(({ statement }) => statement)).toEqual([alsoBetter, none]);
  });

  it('are found in the same words under any titles where one date is asked for, and only there', () => {
    const opened = (id: string, year: number): Finding =>
      finding(`f-${id}`, id, `The bridge was opened in ${year}.`);
    const findings = [opened('a', 1932), opened('b', 1934)];
    const known = sources('ab', {
      a: { title: 'Guide to the valley' },
      b: { title: 'A chronicle of the town' },
    });
    const about = (question: string): number => findConflicts(findings, known, { question }).length;
    expect(about('When was the bridge opened?')).toBe(1);
    expect(about('How did the bridge come about?')).toBe(0);
  });

  it('are told where two trials answer a question about an effect contrarily, each in its own words', () => {
    const titles = {
      a: { title: 'Night lamps or reading to shorten bedtime in Danish children: a randomised trial' },
      b: { title: 'Preventive use of night lamps in Bolivian pre-school children' },
      c: { title: 'Night lamps and sleep in Bolivian adults' },
    };
    const denies =
      'Compared with reading alone, night lamps, or lamps and reading, did not reduce bad dreams and waking in rural Danish children.';
    const tells =
      'Night lamps reduced the rate of bad dreams by 24% (95% CI: 4% to 40%), while music raised it.';
    const told = (question: string, quotes: readonly [string, string][]): unknown[] =>
      findConflicts(
        quotes.map(([id, quote]) => finding(`f-${id}`, id, quote)),
        sources('abc', titles),
        { question },
      ).map(({ topic, viewpoints }) => [topic, ...viewpoints.map(({ citations }) => citations)]);
    const asked = 'Do night lamps reduce bad dreams in children?';

    expect(
      told(asked, [
        ['a', denies],
        ['b', tells],
      ]),
    ).toEqual([['night lamps and bad dreams', ['a'], ['b']]]);
    // Nothing else asks for both; nor do these answer it: others' result, a supposition, other people, what lamps are held against.
    expect(
      told('What is known about night lamps?', [
        ['a', denies],
        ['b', tells],
      ]),
    ).toEqual([]);
    for (const beside of [
      'Earlier trials found that night lamps reduced bad dreams [9].',
      'Night lamps may reduce bad dreams in children.',
      'We found no evidence that night lamps lack an effect on bad dreams.',
      'Reading reduced bad dreams more than night lamps.',
    ])
      expect(
        told(asked, [
          ['a', denies],
          ['b', beside],
        ]),
      ).toEqual([]);
    expect(
      told(asked, [
        ['a', denies],
        ['c', tells],
      ]),
    ).toEqual([]);
  });

  it('give figures that differ for the same thing, however many there are', () => {
    const town = (people: string): string => `The town of Harwell has ${people} inhabitants.`;
    const [conflict] = findConflicts(
      [
        finding('f1', 'a', town('2,349')),
        finding('f2', 'b', town('3,912')),
        finding('f3', 'c', town('about 2,300')),
        finding('f4', 'd', town('5,100')),
      ],
      sources('abcd', Object.fromEntries('abcd'.split('').map((id) => [id, { title: 'Harwell' }]))),
    );
    expect(conflict).toMatchObject({ kind: 'number', topic: 'town of Harwell' });
    expect(conflict?.reason).toMatch(/figures for town of Harwell: 2,349 and 3,912\./);
    expect(conflict?.viewpoints.map(({ citations }) => citations.join(''))).toEqual(['ac', 'b', 'd']);
  });

  it('are told of one sentence of a longer quote', () => {
    const [conflict] = findConflicts(
      [finding('f1', 'a', `Sixty adults took part. ${better}`), finding('f2', 'b', none)],
      sources('ab'),
    );
    expect(conflict?.viewpoints[0]?.evidence).toEqual([
      { sourceId: 'a', quote: better, start: 34, end: 34 + better.length },
    ]);
  });

  it('are seen between sources whose titles name nothing, where both name all that is asked about', () => {
    const findings = [
      finding('f1', 'a', 'Zinc lozenges shortened colds by two days.'),
      finding('f2', 'b', 'Zinc lozenges did not shorten colds.'),
    ];
    const titled = sources('ab', { a: { title: 'Alpha trial' }, b: { title: 'Beta trial' } });
    expect(findConflicts(findings, titled, { question: 'Do zinc lozenges shorten colds?' })).toHaveLength(1);
    expect(findConflicts(findings, titled, { question: 'What helps against colds?' })).toEqual([]);
  });

  it('favour the only side that rests on an authoritative source, or has two sources more', () => {
    const twice = [finding('f1', 'a', better), finding('f2', 'b', none)];
    const [byStanding] = findConflicts(twice, sources('ab', { b: { quality: authoritative } }));
    expect(byStanding?.resolution).toBe('favor_viewpoint_2');
    expect(byStanding?.reason).toMatch(/Only the second view rests on a source rated authoritative\.$/);
    const many = [...twice, finding('f3', 'c', alsoBetter), finding('f4', 'd', 'Rowing improved balance.')];
    const [byNumber] = findConflicts(many, sources('abcd'));
    expect(byNumber?.resolution).toBe('favor_viewpoint_1');
    expect(byNumber?.reason).toMatch(/3 sources stand behind the first view, 1 behind the other\.$/);
  });

  it('are not seen within one source, nor between a source and its near-duplicate', () => {
    expect(findConflicts([finding('f1', 'a', better), finding('f2', 'a', none)], sources('a'))).toEqual([]);
    expect(
      findConflicts(
        [finding('f1', 'a', better), finding('f2', 'b', none)],
        sources('ab', { b: { nearDuplicateOf: 'a' } }),
      ),
    ).toEqual([]);
  });

  it('leave a source out that takes both sides', () => {
    const findings = [finding('f1', 'a', better), finding('f2', 'b', none), finding('f3', 'b', alsoBetter)];
    expect(findConflicts(findings, sources('ab'))).toEqual([]);
  });

  it('have one name, whatever the order of the findings', () => {
    const findings = [finding('f1', 'a', better), finding('f2', 'c', none), finding('f3', 'b', alsoBetter)];
    const [ids, reversed] = [findings, [...findings].reverse()].map((order) =>
      findConflicts(order, sources('abc')).map(({ id }) => id),
    );
    expect(ids).toHaveLength(1);
    expect(reversed).toEqual(ids);
  });

  it.each([
    ['Vitamin D should be given to all adults.', 'Vitamin D should not be given to all adults.'],
    [
      'We recommend vitamin D to all adults in winter.',
      'We do not recommend vitamin D to all adults in winter.',
    ],
    ['In our view vitamin D is safe for adults.', 'In our view vitamin D is not safe for adults.'],
    ['Zinc may shorten the duration of colds.', 'Zinc may not shorten the duration of colds.'],
  ])('are no wishes, guesses or opinions: %s', (one, other) => {
    expect(findConflicts([finding('f1', 'a', one), finding('f2', 'b', other)], sources('ab'))).toEqual([]);
  });
});
