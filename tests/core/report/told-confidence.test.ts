import { ENGLISH } from '../../../src/texts/texts';
import { type ToldClaim, withConfidence } from '../../../src/core/report/told-confidence';

const SENTENCES = ['Walking lowers it [1].', 'Running lowers it [2].', 'Swimming does nothing [3].'];
const TEXT = `${SENTENCES.slice(0, 2).join(' ')}\n\n${SENTENCES[2] ?? ''}`;

/** The sentences of the text with these confidences. */
function claims(...confidences: number[]): ToldClaim[] {
  return confidences.map((confidence, at) => {
    const said = SENTENCES[at] ?? '';
    const start = TEXT.indexOf(said);
    return { start, end: start + said.length, confidence, validated: true };
  });
}

/** One text with these claims. */
function told(markdown: string, own: readonly ToldClaim[]): { markdown: string | undefined; line: string } {
  const { texts, line } = withConfidence([{ markdown, claims: own }], ENGLISH);
  return { markdown: texts[0], line };
}

test('what all claims of a text have is told once, and none of its sentences is touched', () => {
  expect(told(TEXT, claims(0.75, 0.7, 0.8))).toEqual({
    markdown: TEXT,
    line: '**Confidence:** (Medium confidence) for all of this report.',
  });
});

test('a sentence that departs from what most have says so itself', () => {
  const { markdown, line } = told(TEXT, claims(0.75, 0.95, 0.8));
  expect(markdown).toBe(TEXT.replace('it [2].', 'it [2] (High confidence).'));
  expect(line).toBe('**Confidence:** (Medium confidence) where this report says nothing else.');
});

test('of two that as many have, the lower is the usual one', () => {
  const { line } = told(TEXT, claims(0.95, 0.5));
  expect(line).toContain('(Low confidence) where');
});

test('what was not cross-checked departs from what was', () => {
  const [first, ...rest] = claims(0.75, 0.75, 0.75);
  const open = first === undefined ? [] : [{ ...first, validated: false }];
  const { markdown } = told(TEXT, [...open, ...rest]);
  expect(markdown).toContain('it [1] (Medium confidence, not cross-checked). Running');
});

test('a sentence of an earlier release that has its remark has no second one', () => {
  const text = 'Walking lowers it [1] (High confidence). Running lowers it [2].';
  const at = text.indexOf('Running');
  const own = [
    { start: 0, end: at - 1, confidence: 0.95, validated: true },
    { start: at, end: text.length, confidence: 0.5, validated: true },
  ];
  expect(told(text, own).markdown).toBe(text);
});

test('a text without claims says nothing of it', () => {
  expect(told('Nothing was found.', [])).toEqual({
    markdown: 'Nothing was found.',
    line: '',
  });
});

test('what most claims of several texts have is told once for all of them', () => {
  const [most, other] = [claims(0.75, 0.75, 0.75), claims(0.95)];
  const { texts, line } = withConfidence(
    [
      { markdown: TEXT, claims: other },
      { markdown: TEXT, claims: most },
    ],
    ENGLISH,
  );
  expect(texts).toEqual([TEXT.replace('it [1].', 'it [1] (High confidence).'), TEXT]);
  expect(line).toContain('(Medium confidence) where this report');
});
