import type { Finding } from '../../../src/core/contracts/finding';
import { findGaps } from '../../../src/core/gaps/find-gaps';
import type { GapSection } from '../../../src/core/gaps/material';

let serial = 0;
function finding(claim: string, citations?: string[]): Finding {
  const cited = citations ?? [`source-${++serial}`];
  return {
    id: `finding-${++serial}`,
    sectionId: 'section-1',
    claim,
    citations: cited,
    evidence: cited.map((sourceId) => ({ sourceId, quote: claim, start: 0, end: claim.length })),
    confidence: 0.8,
  };
}

function section(title: string, findings: Finding[], subsections: string[] = []): GapSection {
  return { section: { id: 'section-1', title, subsections }, findings };
}

const questions = (question: string, sections: GapSection[]): string[] =>
  findGaps({ question, sections }).map((gap) => gap.question);

test('asks for those topics of a list that no finding mentions, in the words of the question', () => {
  const sections = [section('Swimming and strength', [finding('Swimming raised strength by 12 %.')])];
  expect(questions('How does swimming affect strength, sleep and mood?', sections)).toContain(
    'How does swimming affect sleep and mood?',
  );
});

test('says nothing about what was answered', () => {
  const found = [
    finding('Swimming improved sleep by 10 %.', ['a', 'b']),
    finding('Swimming improved mood by 12 %.', ['c', 'd']),
    finding('Swimming raised strength by 9 %.', ['e', 'f']),
  ];
  expect(
    questions('How does swimming affect strength, sleep and mood?', [section('Swimming', found)]),
  ).toEqual([]);
});

test('asks for the cost where the question did and no finding speaks of it', () => {
  const sections = [section('Swimming and sleep', [finding('Swimming improved sleep.')])];
  expect(questions('Does swimming improve sleep, and what does it cost?', sections)).toContain(
    'What does the use of swimming cost?',
  );
});

test('does not take the kind that is asked for as a missing topic', () => {
  const sections = [section('Swimming and sleep', [finding('Swimming improved sleep by 3 %.')])];
  const reasons = findGaps({ question: 'Which leisure activities improve sleep?', sections }).map(
    ({ reason }) => reason,
  );
  expect(reasons.join(' ')).not.toMatch(/leisure/);
});

test('says first and plainly that few sources have a result on the question', () => {
  const sections = [section('Swimming and sleep', [finding('Swimming improved sleep by 3 %.')])];
  const [gap] = findGaps({ question: 'Does swimming improve sleep?', sections });
  expect(gap?.question).toBe('Does swimming improve sleep?');
  expect(gap?.reason).toMatch(/^Only 1 source of those given has a result/);
});

test('names subsections without a finding, with the reason', () => {
  const sections = [
    section('Swimming and sleep', [finding('Swimming improved sleep.')], ['Night shifts', 'Sleep']),
  ];
  const [, gap] = findGaps({ question: 'Does swimming improve sleep?', sections });
  expect(gap?.question).toBe('What do sources on swimming and sleep say about night shifts?');
  expect(gap?.reason).toMatch(/night shifts/);
  expect(gap?.sectionId).toBe('section-1');
});

test('asks how large effects are only where the question wants amounts', () => {
  const vague = [1, 2, 3].map((n) => finding(`Swimming improved sleep in group ${'abc'[n - 1]}.`));
  const asked = questions('Does swimming improve sleep, and by how much?', [
    section('Swimming and sleep', vague),
  ]);
  const notAsked = questions('Does swimming improve sleep?', [section('Swimming and sleep', vague)]);
  expect(asked).toContain('How large are the effects reported for swimming and sleep?');
  expect(notAsked).not.toContain('How large are the effects reported for swimming and sleep?');
});

test('gives at most eight gaps, each once, each a question with a reason', () => {
  const sections = Array.from({ length: 9 }, (_, at) =>
    section(`Sport ${at} and sleep`, at % 2 === 0 ? [] : [finding('Sleep improved.')], [
      'Night shifts',
      'Naps',
    ]),
  );
  const gaps = findGaps({ question: 'Does sport improve sleep, is it safe, and by how much?', sections });
  expect(gaps.length).toBeLessThanOrEqual(8);
  expect(new Set(gaps.map((gap) => gap.question)).size).toBe(gaps.length);
  for (const gap of gaps) {
    expect(gap.question).toMatch(/^[A-Z].*\?$/);
    expect(gap.reason).toMatch(/\.$/);
  }
});
