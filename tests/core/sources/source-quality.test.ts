import { QualityRule } from '../../../src/contracts/source/quality-rule';
import { QUALITY_RULES, rateSource } from '../../../src/core/sources/source-quality';

describe('rateSource', () => {
  it.each([
    ['https://www.ncbi.nlm.nih.gov/pmc/articles/PMC1166569/', 'peer-reviewed'],
    ['https://pmc.ncbi.nlm.nih.gov/articles/PMC1166569/', 'peer-reviewed'],
    ['https://doi.org/10.1136/bmj.39489.470347.AD', 'scholarly'],
    ['https://bmcpublichealth.biomedcentral.com/articles/10.1186/1471-2458-8-1', 'peer-reviewed'],
    ['https://www.cdc.gov/diabetes/', 'public authority'],
    ['https://www.abs.gov.au/statistics', 'public authority'],
    ['https://www.who.int/news', 'international'],
    ['https://web.mit.edu/research', 'university'],
    ['https://www.ox.ac.uk/research', 'university'],
    ['https://www.rfc-editor.org/rfc/rfc9110', 'standards'],
    ['https://docs.temporal.io/workflows', 'documentation'],
    ['https://developer.mozilla.org/en-US/docs/Web', 'documentation'],
  ])('takes %s for authoritative and says why', (url, reason) => {
    const quality = rateSource({ url });
    expect(quality.level).toBe('authoritative');
    expect(quality.reason).toContain(reason);
  });

  it.each([
    ['https://medium.com/@someone/a-post', 'blog'],
    ['https://someone.substack.com/p/x', 'blog'],
    ['https://blogs.harvard.edu/someone', 'blog'],
    ['https://www.cs.example.edu/~student/essay.html', 'personal'],
    ['https://www.reddit.com/r/science', 'forum'],
    ['https://docs.google.com/document/d/1', 'anybody'],
    ['https://arxiv.org/abs/1706.03762', 'not peer-reviewed'],
    ['https://en.wikipedia.org/wiki/Exercise', 'encyclopaedia'],
    ['https://example.com/article', 'nothing known'],
    ['https://ncbi.nlm.nih.gov.evil.example/pmc/', 'nothing known'],
    ['https://notwho.int.example/', 'nothing known'],
    ['https://gov.example.com/', 'nothing known'],
    ['https://myedu/', 'nothing known'],
    ['ftp://www.cdc.gov/', 'no web address'],
    ['nonsense', 'no web address'],
  ])('takes %s for general and says why', (url, reason) => {
    const quality = rateSource({ url });
    expect(quality.level).toBe('general');
    expect(quality.reason).toContain(reason);
  });

  it('does not believe what a source says of itself', () => {
    expect(rateSource({ url: null, site: 'Nature' }).level).toBe('general');
    expect(rateSource({ site: 'The Lancet' }).reason).toContain('no address');
  });

  it('has rules of its own that keep the contract', () => {
    const kept = QUALITY_RULES.map(({ publishes, ...rule }) => ({
      ...QualityRule.parse(rule),
      ...(publishes === undefined ? {} : { publishes }),
    }));
    expect(kept).toEqual(QUALITY_RULES);
  });

  it('lets rules that stand before the others decide', () => {
    const own: QualityRule[] = [
      { level: 'authoritative', reason: 'our own wiki', domains: ['wiki.example.com'] },
      ...QUALITY_RULES,
    ];
    expect(rateSource({ url: 'https://wiki.example.com/x' }, own)).toEqual({
      level: 'authoritative',
      reason: 'wiki.example.com: our own wiki',
    });
    expect(rateSource({ url: 'https://www.cdc.gov/' }, own).level).toBe('authoritative');
  });
});
