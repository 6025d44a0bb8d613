import { withoutMarks } from '../../src/search/search-hit';

test.each([
  ['<jats:title>Results</jats:title><jats:p>It fell.</jats:p>', 'Results It fell.'],
  ['Vitamin D<sub>3</sub> &amp; &alpha;-tocopherol', 'Vitamin D3 & α-tocopherol'],
  ['Th&eacute;orie de <i>Z</i>&#8320; and &#x1d6fc;', 'Théorie de Z₀ and 𝛼'],
  ['p < 0.05 and x<y, AT&T', 'p < 0.05 and x<y, AT&T'],
  ['&amp;lt;b&amp;gt; &#0; &nosuch;', '&lt;b&gt; \ufffd &nosuch;'],
  [null, ''],
])('of %j is what a reader sees', (written, seen) => {
  expect(withoutMarks(written)).toBe(seen);
});
