import fc from 'fast-check';
import {
  labelCitations,
  numberCitations,
  renderCitations,
  renderWithOffsets,
} from '../../../src/core/report/citation-numbers';
import { citationUrl } from '../../../src/core/report/citation-url';
import { activeNodes, styledNodes } from '../../support/active-nodes';

/** Document 002's own way to find citations. */
const CITATION = /\[(https?:\/\/[^\]]+)\]/g;

function citedIn(markdown: string): string[] {
  return [...markdown.matchAll(CITATION)].map((match) => match[1] ?? '');
}

test.each([
  'https://www.ncbi.nlm.nih.gov/pmc/articles/PMC4950066/',
  'https://en.wikipedia.org/wiki/Vitamin_D#Deficiency',
  'https://example.org/a__b/c_/d-e',
  'https://example.org/a?b=1&c=2;d,e+f:g@h!i',
  'https://www.cs.example.edu/~doe/p-1.2.html',
  'http://example.org:8080',
  'https://example.org/%E2%82%AC%20',
  'https://doi.org/10.1000/182',
])('%s is cited as it was given', (url) => {
  expect(citationUrl(url)).toBe(url);
});

test.each([
  ['brackets', 'https://example.org/a[1](b)', 'https://example.org/a%5B1%5D%28b%29'],
  ['white space', 'https://example.org/a b', 'https://example.org/a%20b'],
  ['a backslash', 'https://example.org/?a\\]', 'https://example.org/?a%5C%5D'],
  ['angle brackets', 'https://example.org/<b>', 'https://example.org/%3Cb%3E'],
  ['code', 'https://example.org/?`a`', 'https://example.org/?%60a%60'],
  ['emphasis', 'https://example.org/_a_*b*', 'https://example.org/%5Fa_%2Ab%2A'],
  ['deletion', 'https://example.org/~~a~~', 'https://example.org/%7E%7Ea%7E%7E'],
  ['an entity', 'https://example.org/?a&copy;b', 'https://example.org/?a&copy%3Bb'],
  ['parentheses', 'https://example.org/Walk_(gait)', 'https://example.org/Walk_%28gait%29'],
  ['a full stop at the end', 'https://example.org/Inc.', 'https://example.org/Inc%2E'],
  ['letters beyond ASCII', 'https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
  ['a bidi override', 'https://example.org/\u202eb', 'https://example.org/%E2%80%AEb'],
  ['a name and a password', 'https://me:secret@example.org/a', 'https://example.org/a'],
  [
    'an address within one that no renderer links',
    'http://localhost/https://evil.example/www.evil.example/a@evil.example',
    'http://localhost/https%3A//evil.example/www%2Eevil.example/a%40evil.example',
  ],
])('what would be active in it is encoded: %s', (_what, url, expected) => {
  expect(citationUrl(url)).toBe(expected);
});

test.each([
  ['no address', null],
  ['an empty one', ''],
  ['words', 'no address'],
  ['a file server', 'ftp://example.org/a'],
  ['a script', 'javascript:alert(1)'],
  ['data', 'data:text/html,a'],
  ['a host in brackets', 'https://[::1]/a'],
  ['a host that would be emphasised', 'https://_a_.example/'],
  ['one that is too long', `https://example.org/${'a'.repeat(2_000)}`],
])('%s is no address to cite by', (_what, given) => {
  expect(citationUrl(given)).toBeNull();
});

const NASTY = [
  ...['](https://evil.example)', '![x](https://evil.example/x.png)', '[x]: https://evil.example', '][', ']]'],
  ...'<img src=x>§<https://evil.example>§&copy;§&#93;§&lbrack;§_a_§__§*b*§**§~~§~§`§ §\\§\\]§%§%5D§%5B'.split(
    '§',
  ),
  ...'https://evil.example/§www.evil.example§@evil.example§mailto:a@evil.example§(planet)§)§.§..§?§#§&'.split(
    '§',
  ),
  ...';§:§!§"§\'§|§^§{}§ü§\u202e§\u200b§\u00a0§\n§\t§\u0000§$x$§a§Z9§/§-§:-:§|-|§[^1]'.split('§'),
];
const HOSTS =
  'example.org a-b.co.uk:8080 localhost wiki:81 under_score.example a.under_score [::1] 127.0.0.1 bücher.example ' +
  'me:secret@example.org EXAMPLE.org. _x.example -.- a..b';
const host = fc.constantFrom(...HOSTS.split(' '));
const tail = fc
  .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ maxLength: 3 })), { maxLength: 12 })
  .map((parts) => parts.join(''));
const url = fc.oneof(
  fc
    .tuple(fc.constantFrom('https', 'http', 'HTTPS', 'ftp'), host, fc.constantFrom('/', '?', '#', ''), tail)
    .map(([scheme, name, sign, rest]) => `${scheme}://${name}${sign}${rest}`),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
);
/** What a writer may put behind a mark. */
const behind = fc.constantFrom(
  ...['. ', ', while ', '; in agreement, ', ' (High confidence). ', '”, says ', '(x)', ': “y” ', '—z'],
);

test('whatever the addresses, exactly they are found as citations, and nothing else becomes active', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(url, behind), { minLength: 1, maxLength: 6 }), (cited) => {
      const sources = new Map(cited.map(([address], index) => [`s${index}`, { url: address }]));
      const draft = cited.map(([, after], index) => `It fell by 4 % [@s${index}; @s0]${after}`).join('');
      const numbers = numberCitations([draft], sources);
      const labels = labelCitations(numbers, sources, 'url');
      const markdown = renderCitations(`${draft}\n\n- [@s0]: it rose.\n\n[@s0]: it\n`, labels);

      const expected = cited.flatMap(([address], index) =>
        [address, ...(index === 0 ? [] : [cited[0]?.[0] ?? ''])].flatMap((one) => citationUrl(one) ?? []),
      );
      const first = citationUrl(cited[0]?.[0] ?? '');
      expect(citedIn(markdown)).toEqual([...expected, ...(first === null ? [] : [first, first])]);
      const known = new Set(expected);
      const foreign = activeNodes(markdown).filter(({ type, url: to }) => type !== 'link' || !known.has(to));
      expect(foreign).toEqual([]);
      expect(styledNodes(markdown)).toEqual([]);
      expect(markdown).not.toContain('secret');
    }),
    { numRuns: 500 },
  );
});

test('whatever stands between citations is found where it was, in both styles', () => {
  const pieces = fc.array(
    fc.constantFrom('It fell', ' by 4 %.', '(x)', ': y', '\n\n- ', '[@a]', '[@b; @a]', '[@c]'),
  );
  fc.assert(
    fc.property(pieces, fc.constantFrom('numbered' as const, 'url' as const), (texts, style) => {
      const sources = new Map([
        ['a', { url: 'https://a.example/x' }],
        ['b', { url: null }],
      ]);
      const draft = texts.join('');
      const labels = labelCitations(numberCitations([draft], sources), sources, style);
      const { rendered, offsetOf } = renderWithOffsets(draft, labels);
      expect(rendered).toBe(renderCitations(draft, labels));
      expect(offsetOf(draft.length)).toBe(rendered.length);
      let at = 0;
      for (const text of texts) {
        if (!text.startsWith('[@')) expect(rendered.startsWith(text, offsetOf(at))).toBe(true);
        at += text.length;
      }
    }),
  );
});

test('an address as it is cited leads where the given one leads', () => {
  fc.assert(
    fc.property(url, (given) => {
      const cited = citationUrl(given);
      if (cited === null) return;
      expect(new URL(cited).protocol).toBe(new URL(given).protocol);
      expect(new URL(cited).host).toBe(new URL(given).host);
      expect(decoded(cited)).toBe(decoded(given));
    }),
    { numRuns: 1_000 },
  );
});

/** Path, query and fragment as the bytes that they stand for. */
function decoded(address: string): string {
  const { pathname, search, hash } = new URL(address);
  return `${pathname}${search}${hash}`.replace(/%([0-9a-f]{2})/gi, (_encoded, byte: string) =>
    String.fromCharCode(Number.parseInt(byte, 16)),
  );
}
