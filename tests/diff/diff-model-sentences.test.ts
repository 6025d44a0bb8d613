import { type Told, type ToldFinding } from './told-report';
import { alpha, diff, MOOD, onlyChange, PRESSURE, withAlpha } from './walking-reports';

describe('sentences that a model wrote', () => {
  const model = (sentence: string, others: ToldFinding[] = []): Told => ({
    engine: 'openai',
    sources: { ...alpha.sources, beta: { content: MOOD } },
    findings: [...others, { quotes: [['alpha', PRESSURE]], sentence }],
  });
  const other: ToldFinding = { quotes: [['beta', MOOD]], sentence: 'Mood stayed as it was' };

  test.each<[string, Partial<Told>]>([
    ['cited by addresses', { citationStyle: 'url' }],
    ['not cross-checked', { unchecked: true }],
  ])('are the same where they stand %s', (_how, how) => {
    const told = model('Walks lower blood pressure', [other]);
    const none = { new: [], newlyQuoted: [], changed: [], notQuoted: [], withdrawn: [] };
    expect(diff(told, { ...told, ...how }).findings).toEqual(none);
  });

  test('are the same under other citation numbers', () => {
    const found = diff(model('Walks lower blood pressure'), model('Walks lower blood pressure', [other]));
    const newlyQuoted = [{ statement: 'Mood stayed as it was.' }];
    expect(found.findings).toMatchObject({ changed: [], notQuoted: [], newlyQuoted });
  });

  test('are changed where they are worded otherwise', () => {
    const [before, after] = [
      'Walks lower blood pressure by 4 mmHg',
      'Blood pressure falls by 5 mmHg with walks',
    ];
    expect(onlyChange(diff(model(before), model(after)))).toEqual([
      { kind: 'wording', before: `${before}.`, after: `${after}.` },
      { kind: 'figures', figures: [{ before: '4 mmHg', after: '5 mmHg' }] },
    ]);
  });

  test('are matched with what the other engine quotes', () => {
    const found = diff(withAlpha(PRESSURE, PRESSURE), model('Walks lower blood pressure'));
    expect(onlyChange(found)).toMatchObject([
      { kind: 'wording', before: PRESSURE },
      { kind: 'figures', figures: [{ before: '4 mmHg', after: null }] },
      { kind: 'verdict', before: 'supported', after: 'unchecked' },
    ]);
    expect(found.notes).toEqual([expect.stringMatching(/extractive engine .* openai engine/)]);
  });
});
