import { html } from '../../../src/document/page/html';
import { markdownHtml } from '../../../src/document/page/markdown-html';

/** With claims in square brackets, on one line. */
function shown(markdown: string, ...texts: string[]): string {
  return markdownHtml(markdown, {
    spans: texts.map((text) => ({
      start: markdown.indexOf(text),
      end: markdown.indexOf(text) + text.length,
    })),
    around: (_span, said, isFirst) => html`${isFirst ? '[' : '…['}${said}]`,
    words: (words) => words,
    headingLevel: 3,
  })
    .markup.replace(/ dir="auto"/g, '')
    .replace(/>\s*\n\s*</g, '><')
    .replace(/\s+/g, ' ')
    .replace(/(<\/(?:p|h\d|li|pre)>) (?=<)/g, '$1')
    .trim();
}

it.each([
  [
    'among others',
    'It is so. It is not. Nobody knows.',
    ['It is not.'],
    '<p>It is so. [It is not.] Nobody knows.</p>',
  ],
  [
    'behind escaped signs',
    'Of \\*A\\* and &amp;c. B \\[1\\] is. C.',
    ['B \\[1\\] is.'],
    '<p>Of *A* and &amp;c. [B [1] is.] C.</p>',
  ],
  [
    'with emphasis in it',
    'A. It is **very** *so* indeed. B.',
    ['It is **very** *so* indeed.'],
    '<p>A. [It is <strong>very</strong> <em>so</em> indeed.] B.</p>',
  ],
  [
    'that begins in emphasis',
    '**Walking. It helps** a lot. B.',
    ['It helps** a lot.'],
    '<p><strong>Walking. [It helps]</strong>…[ a lot.] B.</p>',
  ],
  [
    'over lines of a quotation',
    '> A. It is\n> so. B.',
    ['It is\n> so.'],
    '<blockquote><p>A. [It is so.] B.</p></blockquote>',
  ],
  ['in a list', '- One.\n- Two. Three.', ['Two.'], '<ul><li>One.</li><li>[Two.] Three.</li></ul>'],
  ['of a table’s cell', '| a | b |\n| - | - |\n| It \\| is. | c |', ['It \\| is.'], null],
  [
    'with a link in it',
    'See [it](https://example.org) here. B.',
    ['See [it](https://example.org) here.'],
    '<p>[See it here.] B.</p>',
  ],
  ['within code', '    It is so.', ['It is so.'], '<pre tabindex="0"><code> [It is so.]</code></pre>'],
])('links a claim %s', (_where, markdown, claims, expected) => {
  const result = shown(markdown, ...claims);
  if (expected === null) expect(result).toContain('<td>[It | is.]</td>');
  else expect(result).toBe(expected);
});

it('shows as text what is no text: HTML, images, footnotes, definitions, addresses of other kinds', () => {
  expect(
    shown('<b>A</b> ![pic](https://example.org/p.png) B[^1] [c](data:x) [d]\n\n[d]: https://example.org'),
  ).toBe('<p>&lt;b&gt;A&lt;/b&gt; pic B[^1] c [d]</p><p>[d]: https://example.org</p>');
});

it('has headings that follow one another', () => {
  expect(shown('#### A\n\nB\n\n## C\n\n##### D')).toBe('<h3>A</h3><p>B</p><h3>C</h3><h4>D</h4>');
});
