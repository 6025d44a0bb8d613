import { findingsFromSummaries } from '../../../src/core/evidence/findings-from-summaries';

describe('what stands in for findings where pass 2 failed', () => {
  const content =
    'Introduction. Walking for thirty minutes improved the sleep of forty adults. It rained. The end.';

  it('are the sentences of a summary that the source has word for word', () => {
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

  it('take each source’s first sentence before any source’s second, and no more than wanted', () => {
    const texts = ['a', 'b'].map((sourceId) => {
      const text = `One of ${sourceId}. Two of ${sourceId}.`;
      return { sourceId, summary: text, content: text };
    });
    const claims = findingsFromSummaries('section-1', texts, 3).map(({ claim }) => claim);
    expect(claims).toEqual(['One of a.', 'One of b.', 'Two of a.']);
  });

  it('are none where the summary has other words, or the content is lost', () => {
    const summary = 'Forty adults are said to have slept a good deal better after they had walked.';
    expect(findingsFromSummaries('section-1', [{ sourceId: 'a', summary, content }], 5)).toEqual([]);
    expect(findingsFromSummaries('section-1', [{ sourceId: 'a', summary, content: null }], 5)).toEqual([]);
  });
});
