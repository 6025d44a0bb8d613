import fc from 'fast-check';
import { joinParts } from '../../src/sources/formats/parsing/join-parts';
import { pageText, type PageItem } from '../../src/sources/formats/pdf/page-text';

const joinPages = (texts: readonly string[]): ReturnType<typeof joinParts> =>
  joinParts({ fields: {}, parts: texts.map((text) => ({ text })), isPaged: true, isSet: true });

const item = (text: string, y: number, fontSize = 10): PageItem => ({ text, y, fontSize, endsLine: true });

it('sets paragraphs, headings and columns apart', () => {
  const lines = [item('One', 680), item('two.', 668), item('Three.', 640), item('Four.', 690)];
  expect(pageText([item('Heading', 700, 16), ...lines])).toBe('Heading\n\nOne\ntwo.\n\nThree.\n\nFour.');
});

it('keeps a line together that comes in parts', () => {
  const part = (text: string): PageItem => ({ ...item(text, 100), endsLine: false });
  const parts = [part('A '), part('  line'), item('.', 100), item('', 90), item('Next', 88)];
  expect(pageText(parts)).toBe('A line.\nNext');
});

it('has no ligatures and nothing that nobody sees in its text', () => {
  expect(joinPages(['e\ufb00ect \ufb01ne\u0000\u202e so\u00adft']).content).toBe('effect fine soft');
});

it('has no heads that run through its pages, and no page numbers', () => {
  const texts = ['One.', 'Two.', 'Three.', 'Four.', 'Five.'].map(
    (text, at) =>
      `${at % 2 === 0 ? 'Journal of Walking 12' : 'Lovelace and others'}\n\n${text}\n${text} It ends.\n\n${at + 1}`,
  );
  expect(joinPages(texts).content).toBe(
    ['One.', 'Two.', 'Three.', 'Four.', 'Five.'].map((text) => `${text}\n${text} It ends.`).join('\n\n'),
  );
});

it('finds each page at its place in any text', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 12 }), (texts) => {
      const { content, pages } = joinPages(texts);
      expect(pages.map(({ number }) => number)).toEqual(texts.map((_text, at) => at + 1));
      let end = 0;
      for (const page of pages) {
        expect(page.start).toBeGreaterThanOrEqual(end);
        expect(page.end).toBeGreaterThanOrEqual(page.start);
        end = page.end;
      }
      expect(end).toBe(content.length);
    }),
  );
});
