import { phraseWriter } from '../../../src/core/planning/casing';
import { readCollection } from '../../../src/core/planning/collection';
import { headingTerms } from '../../../src/core/planning/heading-phrases';
import { findPhrases } from '../../../src/core/planning/phrases';
import { plainText } from '../../../src/core/planning/plain-text';
import { buildTermSpace } from '../../../src/core/planning/term-space';

function headingsOf(texts: { title: string; summary: string }[]): string[] {
  const collection = readCollection(texts.map((text, at) => ({ sourceId: `s${at}`, ...text })));
  const space = buildTermSpace(collection, findPhrases(collection, 1_000));
  const write = phraseWriter(collection);
  return headingTerms(space).flatMap((term) => {
    const phrase = space.phrases[term];
    return phrase === undefined ? [] : [write(phrase)];
  });
}

const rivers = [
  {
    title: 'Effects of river restoration on brown trout in alpine streams: a randomised trial',
    summary:
      'River restoration significantly increased brown trout. The study group differed from the control group. LDH rose.',
  },
  {
    title: 'River restoration and water temperature in lowland streams',
    summary:
      'Restoring rivers lowered water temperature. In LDH the study group differed significantly. Brown trout were counted.',
  },
  {
    title: 'Water temperature and brown trout after river restoration programmes',
    summary:
      'We examined a river restoration programme. Each river restoration programme was assessed. Water temperature fell.',
  },
];

test('finds whole noun phrases, in running-text case', () => {
  expect(headingsOf(rivers)).toEqual(
    expect.arrayContaining(['brown trout', 'water temperature', 'river restoration']),
  );
});

test('words of reporting never stand in a heading', () => {
  expect(headingsOf(rivers).join(' ')).not.toMatch(/study|group|significant|random|effect|assess/i);
});

test('keeps capital letters that running text has', () => {
  const texts = ['Vitamin D and LDL Cholesterol in Adults', 'Vitamin D and Ldl Particles', 'vitamin D'].map(
    (title) => ({
      title,
      summary:
        'Intake of vitamin D changed LDL cholesterol. The LDL cholesterol and vitamin D of the others stayed.',
    }),
  );
  expect(headingsOf(texts)).toEqual(expect.arrayContaining(['vitamin D', 'LDL cholesterol']));
});

test('reads a hyphenated and a separate spelling as one phrase', () => {
  const texts = ['A weight-loss programme for cats', 'Weight loss in dogs', 'Dogs, cats and weight loss'].map(
    (title) => ({
      title,
      summary: 'They wanted weight loss.',
    }),
  );
  expect(headingsOf(texts)).toContain('weight loss');
});

test('plain text has no markup, addresses, code or invisible characters', () => {
  const text = plainText(
    '# A [link](https://x.example) ![i](u) `code` <b>bold</b>\u200B\u001b[31m [![b][1]][2] mail me@x.example',
  );
  expect(text).not.toMatch(/https|[<>`\u200B\u001b]|\[\d|@/);
  expect(text).toMatch(/link/);
  expect(text).toMatch(/bold/);
});
