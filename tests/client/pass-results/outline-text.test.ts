import { readOutlineText } from '../../../src/client/pass-results/outline-text';

const LONG = `A heading ${'x'.repeat(200)}`;

test('an outline is read as it was edited', () => {
  const text = '# Sleep\n\n## Adults\n\nWhat is known\nof them.\n\n- Naps\n- Nights\n\n## Children\n';
  expect(readOutlineText(text)).toEqual({
    outline: {
      overallTheme: 'Sleep',
      sections: [
        { title: 'Adults', description: 'What is known of them.', subsections: ['Naps', 'Nights'] },
        { title: 'Children' },
      ],
    },
  });
});

test.each([
  [
    'a title that is too long',
    `# Sleep\n\n## Adults\n\n## ${LONG}\n`,
    `The section of line 5: sections[1].title is "${LONG.slice(0, 80)}…" (210 characters); allowed: a text of 1 to 120 characters.`,
  ],
  [
    'a subsection that is too long',
    `## Adults\n\n- ${LONG}\n`,
    `The section of line 1: sections[0].subsections[0] is "${LONG.slice(0, 80)}…" (210 characters); allowed: a text of 1 to 120 characters.`,
  ],
  [
    'a description that is too long',
    `## Adults\n\n${'x'.repeat(1_001)}\n`,
    `The section of line 1: sections[0].description is "${'x'.repeat(80)}…" (1,001 characters); allowed: a text of 1 to 1000 characters.`,
  ],
  [
    'a theme that is too long',
    `# ${'x'.repeat(1_001)}\n## Adults\n`,
    `overallTheme is "${'x'.repeat(80)}…" (1,001 characters); allowed: a text of 1 to 1000 characters.`,
  ],
  ['no section', '# Sleep\n', 'sections has 0 items: an outline has one section at least.'],
  ['21 sections', '## One\n'.repeat(21), 'sections has 21 items: an outline has 20 sections at most.'],
])('%s is told with its line, before anything is sent', (_name, text, problem) => {
  expect(readOutlineText(text)).toEqual({ problems: [problem] });
});

test('a line that belongs to no section is told by its number', () => {
  expect(readOutlineText('of nothing\n')).toEqual({
    problems: [expect.stringMatching(/^Line 1: an outline has/)],
  });
});
