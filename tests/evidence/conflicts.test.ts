import type { Conflict, Finding } from '../../src/contracts/finding';
import { answerConflicts, findConflicts } from '../../src/evidence/conflicts';
import type { SourceMetadata, SourcesById } from '../../src/evidence/corroboration';
import { AUTHORITATIVE, findingOf, GENERAL, quoted } from '../support/findings';
import contradictingPairsPairs from './contradicting-pairs.json';
import { pairs } from './small-pairs.json';

describe('findConflicts', () => {
  const TITLE = 'Effects of rowing on balance: a randomised trial';

  const finding = (id: string, sourceId: string, quote: string): Finding =>
    findingOf(id, quote, sourceId, { evidence: [quoted(sourceId, quote, 10)] });

  /** The findings of the sources a, b, c …, which become f1, f2, f3 …. */
  const said = (...quotes: string[]): Finding[] =>
    quotes.map((quote, at) => finding(`f${at + 1}`, 'abcd'[at] ?? '', quote));

  function sources(
    ids: string,
    facts: Partial<Record<string, Partial<SourceMetadata>>> = {},
  ): Map<string, SourceMetadata> {
    return new Map(ids.split('').map((id) => [id, { title: TITLE, quality: GENERAL, ...facts[id] }]));
  }

  const better = 'Rowing significantly improved balance compared with no exercise.';
  const alsoBetter = 'Compared with controls, balance improved with rowing.';
  const none = 'Rowing had no significant effect on balance.';

  it('puts all sources on a topic into one conflict', () => {
    const [conflict, ...others] = findConflicts(said(better, alsoBetter, none), sources('abc'));
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

  it('finds different dates under any titles where the question asks for a date', () => {
    const findings = said('The bridge was opened in 1932.', 'The bridge was opened in 1934.');
    const [a, b] = [{ title: 'Guide to the valley' }, { title: 'A chronicle of the town' }];
    const known = sources('ab', { a, b });
    const about = (question: string): number => findConflicts(findings, known, { question }).length;
    expect(about('When was the bridge opened?')).toBe(1);
    expect(about('How did the bridge come about?')).toBe(0);
  });

  it('finds contrary answers to a question for yes or no', () => {
    const question = 'Is Harlow Bridge safe?';
    const told = (one: string, other: string): number =>
      findConflicts([finding('f1', 'a', one), finding('f2', 'b', other)], sources('ab'), { question }).length;
    const safe = 'Harlow Bridge is safe, the council wrote to all residents.';
    expect(told(safe, 'Inspectors found that Harlow Bridge is not safe.')).toBe(1);
    expect(told(safe, 'Harlow Bridge is unsafe.')).toBe(1);
    expect(told(safe, 'Engineers called Harlow Bridge safe.')).toBe(0);
    expect(told('Harlow Bridge is safe for cars.', 'Harlow Bridge is not safe for lorries.')).toBe(0);
  });

  it('finds different figures of several sources', () => {
    const town = (people: string): string => `The town of Harwell has ${people} inhabitants.`;
    const findings = said(...['2,349', '3,912', 'about 2,300', '5,100'].map(town));
    const title = 'Harwell';
    const known = sources('abcd', { a: { title }, b: { title }, c: { title }, d: { title } });
    const [conflict] = findConflicts(findings, known);
    expect(conflict).toMatchObject({ kind: 'number', topic: 'town of Harwell' });
    expect(conflict?.reason).toMatch(/figures for town of Harwell: 2,349 and 3,912\./);
    expect(conflict?.viewpoints.map(({ citations }) => citations.join(''))).toEqual(['ac', 'b', 'd']);
  });

  it('compares single sentences of a longer quote', () => {
    const [conflict] = findConflicts(said(`Sixty adults took part. ${better}`, none), sources('ab'));
    expect(conflict?.viewpoints[0]?.evidence).toEqual([quoted('a', better, 34)]);
  });

  it('compares sources whose titles name nothing where both name the topics of the question', () => {
    const findings = said(
      'Zinc lozenges shortened colds by two days.',
      'Zinc lozenges did not shorten colds.',
    );
    const titled = sources('ab', { a: { title: 'Alpha trial' }, b: { title: 'Beta trial' } });
    expect(findConflicts(findings, titled, { question: 'Do zinc lozenges shorten colds?' })).toHaveLength(1);
    expect(findConflicts(findings, titled, { question: 'What helps against colds?' })).toEqual([]);
  });

  it('favours a side with the only authoritative source, or with two more sources', () => {
    const twice = said(better, none);
    const [byStanding] = findConflicts(twice, sources('ab', { b: { quality: AUTHORITATIVE } }));
    expect(byStanding?.resolution).toBe('favor_viewpoint_2');
    expect(byStanding?.reason).toMatch(/Only the second view rests on a source rated authoritative\.$/);
    const many = said(better, none, alsoBetter, 'Rowing improved balance.');
    const [byNumber] = findConflicts(many, sources('abcd'));
    expect(byNumber?.resolution).toBe('favor_viewpoint_1');
    expect(byNumber?.reason).toMatch(/3 sources stand behind the first view, 1 behind the other\.$/);
  });

  it('finds none within one source or between near-duplicates', () => {
    expect(findConflicts([finding('f1', 'a', better), finding('f2', 'a', none)], sources('a'))).toEqual([]);
    expect(findConflicts(said(better, none), sources('ab', { b: { nearDuplicateOf: 'a' } }))).toEqual([]);
  });

  it('ignores a source that takes both sides', () => {
    const findings = [finding('f1', 'a', better), finding('f2', 'b', none), finding('f3', 'b', alsoBetter)];
    expect(findConflicts(findings, sources('ab'))).toEqual([]);
  });

  it('returns the same id for any order of findings', () => {
    const findings = [finding('f1', 'a', better), finding('f2', 'c', none), finding('f3', 'b', alsoBetter)];
    const [ids, reversed] = [findings, [...findings].reverse()].map((order) =>
      findConflicts(order, sources('abc')).map(({ id }) => id),
    );
    expect(ids).toHaveLength(1);
    expect(reversed).toEqual(ids);
  });

  it.each([
    ['Vitamin D should be given to all adults.', 'Vitamin D should not be given to all adults.'],
    ['We recommend zinc to all adults in winter.', 'We do not recommend zinc to all adults in winter.'],
    ['In our view vitamin D is safe for adults.', 'In our view vitamin D is not safe for adults.'],
    ['Zinc may shorten the duration of colds.', 'Zinc may not shorten the duration of colds.'],
  ])('finds none between wishes, guesses or opinions: %s', (one, other) => {
    expect(findConflicts(said(one, other), sources('ab'))).toEqual([]);
  });
});

describe('pairs of sentences', () => {
  type Pair = (typeof pairs)[number];

  /** Whether two sources that say no more than these sentences are found to disagree. */
  function areFoundToDisagree({ question, a, b }: Pair): boolean {
    const findings = [a, b].map((quote, at) => findingOf(`finding-${at}`, quote, `source-${at}`));
    const facts: SourceMetadata = { title: '', quality: GENERAL };
    const sources = new Map([0, 1].map((at) => [`source-${at}`, facts]));
    return (
      findConflicts(findings, sources, { question }).length > 0 ||
      answerConflicts(question, findings).length > 0
    );
  }

  const [tuned, held] = [false, true].map((isHeld) => pairs.filter((pair) => pair.held === isHeld));

  it.each(tuned?.map((pair) => [pair.disagree ? 'disagree' : 'do not disagree', pair] as const) ?? [])(
    '%s: $a | $b',
    (_told, pair) => {
      expect(areFoundToDisagree(pair)).toBe(pair.disagree);
    },
  );

  it('finds all 12 held-out disagreements with at most 1 false alarm', () => {
    const found = held?.filter(areFoundToDisagree) ?? [];
    expect(found.filter(({ disagree }) => disagree)).toHaveLength(12);
    expect(found.filter(({ disagree }) => !disagree).length).toBeLessThanOrEqual(1);
  });
});

const SOURCES: SourcesById = new Map(
  ['a', 'b'].map((id) => [id, { title: `Notes ${id}`, quality: { level: 'general', reason: '' } }]),
);

function conflictsOf(sentences: readonly string[]): Conflict[] {
  const findings = sentences.map((claim, at): Finding => {
    const sourceId = at === 0 ? 'a' : 'b';
    return {
      id: sourceId,
      sectionId: 'section-1',
      claim,
      confidence: 0.6,
      citations: [sourceId],
      evidence: [{ sourceId, quote: claim, start: 0, end: claim.length }],
    };
  });
  return findConflicts(findings, SOURCES);
}

const missed = contradictingPairsPairs.contradicting.filter((pair) => conflictsOf(pair).length === 0);
const wrong = contradictingPairsPairs.compatible.filter((pair) => conflictsOf(pair).length > 0);

describe('conflicts of pairs of sentences', () => {
  it.each(contradictingPairsPairs.contradicting.slice(0, 6))('finds: %s | %s', (one, other) => {
    expect(conflictsOf([one, other]).map(({ viewpoints }) => viewpoints.length)).toEqual([2]);
  });

  it('finds nine of ten contradictions', () => {
    expect(missed.length, JSON.stringify(missed, null, 1)).toBeLessThanOrEqual(
      0.1 * contradictingPairsPairs.contradicting.length,
    );
  });

  it('calls one of ten compatible pairs a conflict at most', () => {
    expect(wrong.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(
      0.1 * contradictingPairsPairs.compatible.length,
    );
  });
});
