import type { SourceFacts } from '../../../src/core/agreement/distinct-evidence';
import { findConflicts } from '../../../src/core/conflicts/find-conflicts';
import type { Conflict, Finding } from '../../../src/core/contracts/finding';
import { passesOver } from '../../support/passes-without-server';

const TITLES = ['Vitamin D in adults: a trial', 'Vitamin D in adults: another trial'] as const;
const quality = { level: 'general', reason: 'a web page' } as const;

function finding(id: string, sourceId: string, quote: string): Finding {
  return {
    id,
    sectionId: 'section-1',
    claim: quote,
    citations: [sourceId],
    evidence: [{ sourceId, quote, start: 0, end: quote.length }],
    confidence: 0.7,
  };
}

/** As findings, whoever made them. */
function amongFindings(a: string, b: string): Conflict[] {
  return findConflicts({
    findings: [finding('f1', 'a', a), finding('f2', 'b', b)],
    sources: new Map<string, SourceFacts>([
      ['a', { title: TITLES[0], quality }],
      ['b', { title: TITLES[1], quality }],
    ]),
  });
}

/** As sentences of two sources, through the passes. */
function amongSources(a: string, b: string): Conflict[] {
  const article = (title: string, sentence: string): string =>
    [
      `TITLE:\n${title}`,
      'ABSTRACT.METHODS:\nSixty adults were randomised to vitamin D or placebo for 12 weeks.',
      `ABSTRACT.CONCLUSIONS:\n${sentence}`,
    ].join('\n\n');
  return passesOver('What does vitamin D do?', [
    { sourceId: 'a', title: TITLES[0], quality, content: article(TITLES[0], a) },
    { sourceId: 'b', title: TITLES[1], quality, content: article(TITLES[1], b) },
  ]).validated.conflicts;
}

describe('opinions, perspectives and advice are no conflicts', () => {
  test.each([
    [
      'We believe that vitamin D should be recommended to all adults.',
      'We do not recommend vitamin D to all adults.',
    ],
    ['Vitamin D should be given to all adults.', 'Vitamin D should not be given to all adults.'],
    [
      'In our view vitamin D is safe enough for adults in winter.',
      'In our view vitamin D is not safe enough for adults in winter.',
    ],
    [
      'The authors favour higher doses of vitamin D for adults.',
      'The authors oppose higher doses of vitamin D for adults.',
    ],
    [
      'Many experts think that vitamin D improves muscle strength.',
      'Critics doubt that vitamin D improves muscle strength.',
    ],
    [
      'It is important to screen adults for low vitamin D.',
      'It is not important to screen adults for low vitamin D.',
    ],
    ['Vitamin D is a good choice for tired adults.', 'Vitamin D is a bad choice for tired adults.'],
  ])('%s', (a, b) => {
    expect(amongFindings(a, b)).toEqual([]);
    expect(amongSources(a, b)).toEqual([]);
  });
});

describe('facts that cannot both be are', () => {
  test.each([
    [
      'direction',
      'Vitamin D significantly increased muscle strength compared with placebo.',
      'Vitamin D significantly decreased muscle strength compared with placebo.',
    ],
    [
      'direction',
      'Vitamin D significantly improved muscle strength in adults.',
      'Vitamin D did not improve muscle strength in adults.',
    ],
    [
      'number',
      'Vitamin D increased muscle strength by 4.1% compared with placebo.',
      'Vitamin D increased muscle strength by 11.8% compared with placebo.',
    ],
    [
      'condition',
      'Vitamin D significantly improved muscle strength, regardless of calcium intake.',
      'Vitamin D significantly improved muscle strength, depending on calcium intake.',
    ],
  ])('%s: %s', (kind, a, b) => {
    for (const conflicts of [amongFindings(a, b), amongSources(a, b)]) {
      expect(conflicts.map((conflict) => conflict.kind)).toEqual([kind]);
      expect(conflicts[0]?.viewpoints.map(({ citations }) => citations)).toEqual([['a'], ['b']]);
      expect(conflicts[0]?.resolution).toBe('present_both');
    }
  });
});
