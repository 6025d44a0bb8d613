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
