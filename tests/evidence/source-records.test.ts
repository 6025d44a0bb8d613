import { execFileSync } from 'node:child_process';
import path from 'node:path';
import fc from 'fast-check';
import { QualityRule } from '../../src/contracts/run-settings';
import type { SourceEntry } from '../../src/contracts/source';
import { mergeByUrl, normaliseUrl, QUALITY_RULES, rateSource } from '../../src/evidence/source-records';
import { normaliseArxivId, normaliseDoi, normalisePmid } from '../../src/lib/url';
import { BUILT } from '../support/build';

describe('rateSource', () => {
  it.each([
    ['https://www.ncbi.nlm.nih.gov/pmc/articles/PMC1166569/', 'peer-reviewed'],
    ['https://doi.org/10.1136/bmj.39489.470347.AD', 'scholarly'],
    ['https://www.cdc.gov/diabetes/', 'public authority'],
    ['https://www.abs.gov.au/statistics', 'public authority'],
    ['https://www.who.int/news', 'international'],
    ['https://web.mit.edu/research', 'university'],
    ['https://www.ox.ac.uk/research', 'university'],
    ['https://www.rfc-editor.org/rfc/rfc9110', 'standards'],
    ['https://docs.temporal.io/workflows', 'documentation'],
  ])('rates %s as authoritative, with the reason', (url, reason) => {
    const quality = rateSource({ url });
    expect(quality.level).toBe('authoritative');
    expect(quality.reason).toContain(reason);
  });

  it.each([
    ['https://medium.com/@someone/a-post', 'blog'],
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
  ])('rates %s as general, with the reason', (url, reason) => {
    const quality = rateSource({ url });
    expect(quality.level).toBe('general');
    expect(quality.reason).toContain(reason);
  });

  it('ignores the site name that a source gives itself', () => {
    expect(rateSource({ url: null, site: 'Nature' }).level).toBe('general');
    expect(rateSource({ site: 'The Lancet' }).reason).toContain('no address');
  });

  it('its own rules match the schema', () => {
    const kept = QUALITY_RULES.map(({ publishes, ...rule }) => ({
      ...QualityRule.parse(rule),
      ...(publishes === undefined ? {} : { publishes }),
    }));
    expect(kept).toEqual(QUALITY_RULES);
  });

  it('lets earlier rules decide', () => {
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

describe('addresses of sources', () => {
  function entry(id: string, url: string | null, contentChars: number): SourceEntry {
    return { id, url, title: id, contentRef: 'a'.repeat(64), contentChars, summaryRef: null };
  }

  describe('normaliseUrl', () => {
    it('returns the same form in 50,000 calls', () => {
      const forms = new Set(Array.from({ length: 50_000 }, () => normaliseUrl('https://bücher.example/a')));
      expect([...forms]).toEqual(['https://xn--bcher-kva.example/a']);
    });

    it.each([
      ['HTTP://WWW.Example.COM:80/a/', 'https://example.com/a'],
      ['https://example.com:443/a#section-2', 'https://example.com/a'],
      ['https://example.com', 'https://example.com'],
      ['https://example.com/', 'https://example.com'],
      ['https://example.com./a', 'https://example.com/a'],
      ['https://user:secret@example.com/a', 'https://example.com/a'],
      [
        'https://example.com/a?utm_source=x&b=2&UTM_Medium=y&a=1&gclid=z&fbclid=q',
        'https://example.com/a?a=1&b=2',
      ],
      ['https://example.com/a?', 'https://example.com/a'],
      ['https://example.com/%7euser/caf%c3%a9', 'https://example.com/~user/caf%C3%A9'],
      ['https://example.com/café', 'https://example.com/caf%C3%A9'],
      ['https://example.com/a?q=x+y', 'https://example.com/a?q=x%20y'],
      ['https://example.com/a//b/../c', 'https://example.com/a/c'],
      ['http://dx.doi.org/10.1000/182', 'https://doi.org/10.1000/182'],
      ['https://example.com/#!/page/2', 'https://example.com#!/page/2'],
      ['  https://example.com/a \n', 'https://example.com/a'],
    ])('normalises %s', (given, expected) => {
      expect(normaliseUrl(given)).toBe(expected);
    });

    it('keeps differences between pages', () => {
      expect(normaliseUrl('https://example.com:8080/a')).toBe('https://example.com:8080/a');
      expect(normaliseUrl('https://example.com/A')).not.toBe(normaliseUrl('https://example.com/a'));
      expect(normaliseUrl('https://example.com/a?id=1')).not.toBe(normaliseUrl('https://example.com/a?id=2'));
      expect(normaliseUrl('https://www.com/a')).toBe('https://www.com/a');
      expect(normaliseUrl('https://example.com/a%2Fb')).not.toBe(normaliseUrl('https://example.com/a/b'));
      expect(normaliseUrl('https://example.com/?a=2&a=1')).toBe('https://example.com?a=2&a=1');
    });

    it('returns other texts trimmed', () => {
      expect(normaliseUrl(' not a url ')).toBe('not a url');
      expect(normaliseUrl('urn:isbn:0451450523')).toBe('urn:isbn:0451450523');
    });

    it('is idempotent', () => {
      fc.assert(
        fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
          const once = normaliseUrl(url);
          expect(normaliseUrl(once)).toBe(once);
        }),
        { seed: 3, numRuns: 100 },
      );
    });
  });

  describe('mergeByUrl', () => {
    it('keeps the longest content of an address and lists the merged ids', () => {
      const result = mergeByUrl([
        entry('short', 'http://www.example.com/a?utm_source=x', 10),
        entry('other', 'https://example.com/b', 5),
        entry('long', 'https://example.com/a/', 20),
        entry('none-1', null, 1),
        entry('none-2', null, 1),
      ]);
      expect(result.sources.map((source) => source.id)).toEqual(['other', 'long', 'none-1', 'none-2']);
      expect(result.merged).toEqual([{ id: 'short', into: 'long' }]);
    });

    it('keeps the parts of a page that fragments name, and merges a page that was read twice', () => {
      const parts = [entry('a', 'https://example.com/p#one', 7), entry('b', 'https://example.com/p#two', 9)];
      expect(mergeByUrl(parts).merged).toEqual([]);
      const twice = [entry('a', 'https://example.com/p#one', 7), entry('b', 'https://example.com/p#two', 7)];
      expect(mergeByUrl(twice).merged).toEqual([{ id: 'b', into: 'a' }]);
      expect(mergeByUrl([...parts, entry('c', 'https://example.com/p', 20)]).sources).toHaveLength(1);
    });

    it('keeps the same source in any order, the smaller id of equals', () => {
      const entries = [
        entry('b', 'https://example.com', 7),
        entry('a', 'http://example.com/', 7),
        entry('c', 'https://www.example.com', 7),
      ];
      for (const order of [entries, entries.toReversed()]) {
        const result = mergeByUrl(order);
        expect(result.sources.map((source) => source.id)).toEqual(['a']);
        expect(result.merged.every((merge) => merge.into === 'a')).toBe(true);
      }
    });
  });
});

describe('ids of works', () => {
  test.each([
    ['10.1000/XYZ', '10.1000/xyz'],
    ['https://doi.org/10.1000/XYZ', '10.1000/xyz'],
    ['http://dx.doi.org/10.1000/xyz?utm_source=x#top', '10.1000/xyz'],
    ['doi: 10.1000/xyz.', '10.1000/xyz'],
    [
      'https://doi.org/10.1002%2F%28SICI%291097-0258%2819980815%2917%3A15%3C1661%3A%3AAID-SIM968%3E3.0.CO%3B2-2',
      '10.1002/(sici)1097-0258(19980815)17:15<1661::aid-sim968>3.0.co;2-2',
    ],
    [
      '10.1002/(SICI)1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-2',
      '10.1002/(sici)1097-0258(19980815)17:15<1661::aid-sim968>3.0.co;2-2',
    ],
    ['https://example.org/10.1000/xyz', null],
    ['11.1000/xyz', null],
    ['https://doi.org/10.1000/%zz', '10.1000/%zz'],
    ['', null],
  ])('bareDoi of %s', (text, doi) => {
    expect(normaliseDoi(text)).toBe(doi);
  });

  test.each([
    ['2101.00001v2', '2101.00001'],
    ['arXiv:2101.00001', '2101.00001'],
    ['http://arxiv.org/abs/2101.00001v3', '2101.00001'],
    ['https://arxiv.org/pdf/2101.00001v3.pdf', '2101.00001'],
    ['https://doi.org/10.48550/arXiv.2101.00001', '2101.00001'],
    ['10.48550/arxiv.2101.00001', '2101.00001'],
    ['http://arxiv.org/abs/hep-ex/0307015v1', 'hep-ex/0307015'],
    ['math.GT/0309136', 'math.gt/0309136'],
    ['10.1000/xyz', null],
    ['https://example.org/abs/2101.00001', null],
  ])('bareArxivId of %s', (text, id) => {
    expect(normaliseArxivId(text)).toBe(id);
  });

  test.each([
    ['28202713', '28202713'],
    ['https://pubmed.ncbi.nlm.nih.gov/28202713', '28202713'],
    ['https://www.ncbi.nlm.nih.gov/pubmed/28202713/', '28202713'],
    ['PMID: 28202713', '28202713'],
    ['PMC5310969', null],
  ])('barePmid of %s', (text, pmid) => {
    expect(normalisePmid(text)).toBe(pmid);
  });
});

describe('isoDate', () => {
  const DATES: Record<string, string | null> = {
    '2019': '2019',
    ' 2019-04 ': '2019-04',
    '2019-04-12T23:30:00-05:00': '2019-04-12',
    '2019-13': null,
    'Mon, 04 May 2020 23:30:00 -0500': '2020-05-04',
    '04 May 20 00:30 EST': '2020-05-04',
    'May 4, 2020': '2020-05-04',
    '3 days ago': null,
    '': null,
  };

  // A process keeps to the zone that it was started in.
  test.each(['Asia/Tokyo', 'America/New_York'])('returns the same dates in the time zone %s', (zone) => {
    const program = `const { isoDate } = require(process.argv[1]);
    process.stdout.write(JSON.stringify(JSON.parse(process.argv[2]).map(isoDate)));`;
    const file = path.join(BUILT, 'lib/strings.js');
    const args = ['-e', program, file, JSON.stringify(Object.keys(DATES))];
    const told = execFileSync(process.execPath, args, {
      env: { ...process.env, TZ: zone },
      encoding: 'utf8',
    });
    expect(JSON.parse(told)).toEqual(Object.values(DATES));
  });
});
