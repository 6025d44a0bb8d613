import fc from 'fast-check';
import type { SourceEntry } from '../../../src/contracts/source/source';
import { mergeByUrl, normaliseUrl } from '../../../src/core/sources/source-url';

function entry(id: string, url: string | null, contentChars: number): SourceEntry {
  return { id, url, title: id, contentRef: 'a'.repeat(64), contentChars, summaryRef: null };
}

describe('normaliseUrl', () => {
  it('gives the same form however often it is asked', () => {
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
    ['https://bücher.example/x', 'https://xn--bcher-kva.example/x'],
    ['  https://example.com/a \n', 'https://example.com/a'],
  ])('brings %s to one form', (given, expected) => {
    expect(normaliseUrl(given)).toBe(expected);
  });

  it('keeps what tells pages apart', () => {
    expect(normaliseUrl('https://example.com:8080/a')).toBe('https://example.com:8080/a');
    expect(normaliseUrl('https://example.com/A')).not.toBe(normaliseUrl('https://example.com/a'));
    expect(normaliseUrl('https://example.com/a?id=1')).not.toBe(normaliseUrl('https://example.com/a?id=2'));
    expect(normaliseUrl('https://www.com/a')).toBe('https://www.com/a');
    expect(normaliseUrl('https://example.com/a%2Fb')).not.toBe(normaliseUrl('https://example.com/a/b'));
    expect(normaliseUrl('https://example.com/?a=2&a=1')).toBe('https://example.com?a=2&a=1');
  });

  it('gives back what is no web address', () => {
    expect(normaliseUrl(' not a url ')).toBe('not a url');
    expect(normaliseUrl('urn:isbn:0451450523')).toBe('urn:isbn:0451450523');
  });

  it('changes nothing when it is applied again', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
        const once = normaliseUrl(url);
        expect(normaliseUrl(once)).toBe(once);
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});

describe('mergeByUrl', () => {
  it('keeps the longest content of an address, in input order, and says what went into what', () => {
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

  it('keeps the same source whatever the order, ties to the smaller id', () => {
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
