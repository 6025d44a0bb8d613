import { parsePieces } from '../../src/cited-text/markdown/pieces';

/** Of a parser whose time grows with the square of what it is given. */
const LONGEST_PIECE = 165_000;
const MOST_LINES = 5_000;

const nested = Array.from({ length: 1_500 }, (_, depth) => `${'  '.repeat(depth)}- item\n`).join('');

test.each(
  Object.entries({
    'blank lines': '\n'.repeat(200_000),
    'one paragraph of short lines': 'Rice [1].\n'.repeat(50_000),
    'headings without blank lines': '# a\n'.repeat(100_000),
    'underlined headings': 'a\n=\n'.repeat(100_000),
    items: '- item [1]\n'.repeat(50_000),
    definitions: '[a]: b\n'.repeat(80_000),
    'rows of a table': '| a | b [1] |\n'.repeat(40_000),
    'blocks of code': '```\nx\n```\n'.repeat(50_000),
    'quotations within each other': Array.from(
      { length: 900 },
      (_, depth) => `${'>'.repeat(depth)} x\n`,
    ).join(''),
    'lists within each other': nested,
  }),
)('a parser is never given more than a piece of %s', (_what, text) => {
  const pieces: string[] = [];
  parsePieces(text, (piece, offset) => {
    expect(offset).toBe(pieces.reduce((sum, { length }) => sum + length, 0));
    pieces.push(piece);
    return [];
  });
  const lines = pieces.map((piece) => piece.split('\n').length);
  expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBe(text.length);
  expect(pieces.filter(({ length }) => length > LONGEST_PIECE)).toEqual([]);
  expect(lines.filter((count) => count > MOST_LINES)).toEqual([]);
});
