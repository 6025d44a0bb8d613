import rules from '../../src/core/sources/data/source-quality-rules.json';
import { stored as english } from '../../src/texts/english/stored';
import { stored as german } from '../../src/texts/german/stored';
import { storedText, translated, translatedPlace } from '../../src/texts/stored';
import type { Template } from '../../src/texts/template';

const holesOf = (template: Template): string[] => {
  const text = typeof template === 'string' ? template : template.other;
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort();
};

const keys = Object.keys(english) as (keyof typeof english)[];

test.each(keys)('%s says in each language what stands in its holes', (key) => {
  expect(holesOf(german[key])).toEqual(holesOf(english[key]));
});

test('a text is told in another language with what stands in it, and in that of a title as well', () => {
  expect(translated(storedText('fromOneSource', { n: 4 }), 'de')).toBe(
    'Alle 4 Befunde dazu stammen aus derselben Quelle.',
  );
  expect(translated(storedText('saidAbout', { title: 'further results' }), 'de')).toBe(
    'Was sagen die Quellen zum Thema Weitere Ergebnisse?',
  );
  const counts = storedText('against', { count: 2, counts: 1 });
  expect(translated(storedText('nothingFavours', { counts }), 'de')).toContain('(2 gegen 1)');
});

test('sentences that follow one another are told one by one', () => {
  const both = `${storedText('denied', { topic: 'tea' })} ${storedText('oneIsAuthoritative', { ordinal: storedText('second') })}`;
  expect(translated(both, 'de')).toBe(
    'Beim Thema tea bestreitet eine Seite, was die andere sagt. Nur die zweite Sicht stützt sich auf eine Quelle, die als maßgeblich gilt.',
  );
});

test('a place in a source is told part by part, and names in it stay', () => {
  const row = (n: number): string => storedText('inSheet', { name: 'A – B', rows: storedText('row', { n }) });
  expect(translatedPlace(`${row(2)} – ${row(4)}`, 'de')).toBe(
    'Blatt “A – B”, Zeile 2 – Blatt “A – B”, Zeile 4',
  );
  expect(translatedPlace('“Methods”', 'de')).toBe('“Methods”');
  expect(translatedPlace(storedText('rows', { from: 3, to: 9 }), 'de')).toBe('Zeilen 3–9');
});

test('a phrase within a shortfall is told too', () => {
  const sentence = storedText('notFinished', {
    pass: 2,
    reason: 'it is away',
    instead: storedText('briefUntilThen'),
  });
  expect(translated(sentence, 'de')).toBe(
    'Durchgang 2 konnte nicht beendet werden (it is away), daher hat das Dossier, was bis dahin da war.',
  );
});

test('what nobody wrote by the catalogue stays as it is, and in English everything does', () => {
  const own = 'Why the trials differ; nobody knows. They were small.';
  expect(translated(own, 'de')).toBe(own);
  expect(translated(storedText('cancelled'), 'en')).toBe(storedText('cancelled'));
});

test.each([...new Set(rules.rules.map(({ reason }) => reason))])(
  'a rule that ships is told: %s',
  (reason) => {
    expect(translated(`example.org: ${reason}`, 'de')).not.toContain(reason);
  },
);
