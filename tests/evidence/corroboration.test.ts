import type { Finding, Viewpoint } from '../../src/contracts/finding';
import {
  boundConfidence,
  checkedConfidence,
  confidenceWord,
  conflictKey,
  countDistinctEvidence,
  evidenceRoot,
  needsChecking,
  type SourceMetadata,
} from '../../src/evidence/corroboration';
import { type PlacedSection, placeFindings } from '../../src/evidence/placement';
import { findingsFromSummaries } from '../../src/text/passage-windows';
import { finding, quoteOf } from '../report/report-fixture';

describe('confidence of a finding', () => {
  describe('confidence after the cross-check', () => {
    const one = { confidence: 0.65, distinctEvidence: 1, authoritative: false, conflicting: false };

    test.each([
      ['three that agree', { ...one, distinctEvidence: 3 }, 0.95],
      ['two that agree', { ...one, distinctEvidence: 2 }, 0.85],
      ['a single authoritative source', { ...one, authoritative: true }, 0.75],
      ['a single general source keeps what it had', one, 0.65],
      ['a conflict', { ...one, confidence: 0.9, distinctEvidence: 4, conflicting: true }, 0.6],
      ['a conflict never raises', { ...one, confidence: 0.45, conflicting: true }, 0.45],
      ['agreement never lowers', { ...one, confidence: 0.9, distinctEvidence: 2 }, 0.9],
    ])('%s', (_what, finding, expected) => {
      expect(checkedConfidence(finding)).toBe(expected);
    });
  });

  test.each([
    [0.85, 'High'],
    [0.84, 'Medium'],
    [0.61, 'Medium'],
    [0.6, 'Low'],
  ])('%d is called %s', (confidence, word) => {
    expect(confidenceWord(confidence)).toBe(word);
  });
});

describe('allowedConfidence', () => {
  const sources = new Map(
    ['general', 'another', 'authoritative', 'official'].map((id): [string, SourceMetadata] => [
      id,
      {
        title: id,
        quality: {
          level: id === 'authoritative' || id === 'official' ? 'authoritative' : 'general',
          reason: 'a web page',
        },
      },
    ]),
  );
  const quotesOf = (...ids: string[]) => ids.map((id) => quoteOf(id, `The bridge of ${id} is safe.`));

  test.each([
    ['one general source', ['general'], 0.69],
    ['two general sources', ['general', 'another'], 0.89],
    ['one authoritative source', ['authoritative'], 0.89],
    ['two authoritative sources', ['authoritative', 'official'], 0.98],
  ])('limits what a model claims of %s', (_what, ids, limit) => {
    expect(boundConfidence(1, quotesOf(...ids), sources)).toBe(limit);
    expect(boundConfidence(0.4, quotesOf(...ids), sources)).toBe(0.4);
  });
});

describe('distinct evidence', () => {
  const source = (nearDuplicateOf?: string): SourceMetadata => ({
    title: 'Effects of rowing on balance',
    quality: { level: 'general', reason: 'a web page' },
    nearDuplicateOf,
  });

  const sources = new Map([
    ['a', source()],
    ['b', source('a')],
    ['c', source('b')],
    ['d', source()],
  ]);

  it('counts near-duplicates as the source that they repeat', () => {
    expect(evidenceRoot('c', sources)).toBe('a');
    const quotes = [
      quoteOf('a', 'Balance improved.'),
      quoteOf('c', 'It got better.'),
      quoteOf('d', 'It rose.'),
    ];
    expect(countDistinctEvidence(quotes, sources)).toBe(2);
  });

  it('counts a sentence that several documents share once, whatever its case and punctuation', () => {
    const quotes = [quoteOf('a', 'Balance improved.'), quoteOf('d', 'balance  IMPROVED')];
    expect(countDistinctEvidence(quotes, sources)).toBe(1);
  });

  it('counts a quoted sentence once that stands within a longer quote of another document', () => {
    const sentence = 'Balance improved by nine points in the rowing group.';
    const quotes = [quoteOf('a', sentence), quoteOf('d', `The trial ended in May. ${sentence}`)];
    expect(countDistinctEvidence(quotes, sources)).toBe(1);
    expect(countDistinctEvidence(quotes.toReversed(), sources)).toBe(1);
  });

  it('counts the parts of a work once, and copies of them', () => {
    const work = { id: 'work:a', title: 'Rowing' };
    const parts = new Map([
      ['a', { ...source(), work }],
      ['b', { ...source(), work }],
      ['copy', source('b')],
      ['d', source()],
    ]);
    expect(['a', 'b', 'copy', 'd'].map((id) => evidenceRoot(id, parts))).toEqual([
      'work:a',
      'work:a',
      'work:a',
      'd',
    ]);
    expect(boundConfidence(1, [quoteOf('a', 'It rose.'), quoteOf('b', 'It fell.')], parts)).toBe(0.69);
  });

  it('ends where sources repeat each other', () => {
    const circle = new Map([
      ['x', source('y')],
      ['y', source('x')],
    ]);
    expect(['x', 'y']).toContain(evidenceRoot('x', circle));
  });
});

describe('findingsFromSummaries', () => {
  const content =
    'Introduction. Walking for thirty minutes improved the sleep of forty adults. It rained. The end.';

  it('returns the sentences of a summary that its source has word for word', () => {
    const summary = 'A trial. Walking for thirty minutes improved the sleep of forty adults. It rained.';
    const findings = findingsFromSummaries('section-1', [{ sourceId: 'a', summary, content }], 5);
    expect(findings.map(({ claim }) => claim)).toEqual([
      'Walking for thirty minutes improved the sleep of forty adults.',
      'It rained.',
    ]);
    for (const { evidence } of findings)
      for (const { quote, start, end } of evidence) expect(content.slice(start, end)).toBe(quote);
    expect(findings[0]).toMatchObject({ id: 'section-1-finding-1', citations: ['a'], confidence: 0.45 });
  });

  it('takes the first sentence of each source before a second one, up to the limit', () => {
    const texts = ['a', 'b'].map((sourceId) => {
      const text = `One of ${sourceId}. Two of ${sourceId}.`;
      return { sourceId, summary: text, content: text };
    });
    const claims = findingsFromSummaries('section-1', texts, 3).map(({ claim }) => claim);
    expect(claims).toEqual(['One of a.', 'One of b.', 'Two of a.']);
  });

  it('returns none where the summary has other words or the content is missing', () => {
    const summary = 'Forty adults are said to have slept a good deal better after they had walked.';
    expect(findingsFromSummaries('section-1', [{ sourceId: 'a', summary, content }], 5)).toEqual([]);
    expect(findingsFromSummaries('section-1', [{ sourceId: 'a', summary, content: null }], 5)).toEqual([]);
  });
});

describe('needsChecking', () => {
  const SURE = { confidence: 0.85, claim: 'Walking improved sleep.' };
  const SURE_WITH_NUMBERS = { confidence: 0.85, claim: 'Walking improved sleep by 12 minutes.' };
  const UNSURE = { confidence: 0.79, claim: 'Walking improved sleep.' };

  test.each([
    ['findings below 0.8, and those with numbers', { factChecking: true }, [false, true, true]],
    ['findings below 0.8 alone, without fact checking', { factChecking: false }, [false, false, true]],
    ['all, where support is sought', { factChecking: false, checkAll: true }, [true, true, true]],
  ])('is true for %s', (_which, settings, wanted) => {
    expect([SURE, SURE_WITH_NUMBERS, UNSURE].map((finding) => needsChecking(finding, settings))).toEqual(
      wanted,
    );
  });
});

describe('opposingQuotes', () => {
  function side(...places: [sourceId: string, start: number][]): Viewpoint {
    const evidence = places.map(([sourceId, start]) => ({ sourceId, start, end: start + 1, quote: 'q' }));
    return { statement: 's', citations: evidence.map(({ sourceId }) => sourceId), evidence };
  }

  const quotes = (...viewpoints: Viewpoint[]): string => conflictKey({ viewpoints });

  test('returns the same key for the same quotes in any order', () => {
    const known = quotes(side(['a', 10], ['b', 0]), side(['c', 5]));
    expect(quotes(side(['c', 5]), side(['b', 0], ['a', 10]))).toBe(known);
    expect(quotes(side(['c', 5]), side(['b', 0], ['a', 10], ['b', 0]))).toBe(known);
  });

  test('returns another key for other quotes or other sides', () => {
    const known = quotes(side(['a', 10], ['b', 0]), side(['c', 5]));
    expect(quotes(side(['a', 11], ['b', 0]), side(['c', 5]))).not.toBe(known);
    expect(quotes(side(['a', 10]), side(['b', 0], ['c', 5]))).not.toBe(known);
    expect(quotes(side(['a', 10], ['b', 0]))).not.toBe(quotes(side(['a', 10]), side(['b', 0])));
  });
});

describe('placeFindings', () => {
  function found(id: string, sectionId: string, claim: string): Finding {
    return finding(id, sectionId, [quoteOf(id, claim)]);
  }

  const BONES = found('b', 'section-1', 'Tea raised bone density by 2%.');
  const LIKED = 'Tea was liked by most people.';

  function section(id: string, title: string, relevance: [string, number][] = []): PlacedSection {
    return { id, title, description: title, subsections: [], relevance: new Map(relevance) };
  }

  const SECTIONS = [
    section('section-1', 'Tea and sleep', [['d', 0.9]]),
    section('section-2', 'Tea and bone density'),
    section('section-3', 'Tea and mood', [['d', 0.3]]),
  ];

  const filler = ['x', 'y', 'z'].map((id) => found(id, 'section-1', `Tea made sleep longer ${id}.`));

  function placed(findings: Finding[]): Record<string, string> {
    return Object.fromEntries(
      placeFindings(findings, SECTIONS, new Map()).map((item) => [item.id, item.sectionId]),
    );
  }

  function more(sectionId: string): Finding[] {
    return ['p', 'q', 'r'].map((id) => found(id, sectionId, `Tea lifted the mood ${id}.`));
  }

  it('moves a finding to the section that it is about', () => {
    expect(placed([...filler, BONES]).b).toBe('section-2');
  });

  it('keeps a finding where no other section fits clearly better', () => {
    expect(placed([...filler, found('c', 'section-1', LIKED)]).c).toBe('section-1');
  });

  it('uses the relevance of the outline where the words do not decide', () => {
    expect(placed([found('d', 'section-3', LIKED), ...more('section-3')]).d).toBe('section-1');
  });

  it('leaves no section with fewer than three sources', () => {
    expect(placed([...filler.slice(0, 2), BONES]).b).toBe('section-1');
  });

  it('keeps all findings in their order', () => {
    const all = [...filler, BONES, ...more('section-3')];
    expect(placeFindings(all, SECTIONS, new Map()).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });
});
