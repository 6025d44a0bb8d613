import fc from 'fast-check';

/** Any sequence of UTF-16 units, unpaired surrogates among them. */
export function anyText(maxLength = 40): fc.Arbitrary<string> {
  const unit = fc.oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0, max: 0xffff }),
    fc.integer({ min: 0xd800, max: 0xdfff }),
  );
  return fc.array(unit, { maxLength }).map((units) => String.fromCharCode(...units));
}

/** Workflow ids as others choose them, and such as would run into each other where they are not told apart. */
export const IDS_OF_ANYBODY = [
  'a',
  'a/b',
  'a0',
  'a.b',
  '@a',
  '=YQ',
  'a b ',
  'nightly:vitamin d-2026-01-01T00:00:00Z',
  `it's "quoted" \\ and 100 %`,
  '..',
  'é'.repeat(255),
  '😀'.repeat(127),
  'a\u0000\u001b[31m',
];

/** What the record of an id holds: from a few to some thousand characters, so that pages are shared and overflow. */
export function recordText(id: string): string {
  const length = Array.from(id).reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return `${id} `.repeat(1 + (length % 90) * (length % 7 === 0 ? 5 : 1));
}
