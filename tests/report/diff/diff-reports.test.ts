import { ReportDiff } from '../../../src/contracts/report';
import { assembleReport } from '../../../src/report/assemble-report';
import { diffReports } from '../../../src/report/diff/diff-reports';
import { completeRun } from '../report-fixture';
import { type Told, type ToldConflict, type ToldFinding, toldReport } from './told-report';
import { alpha, diff, MOOD, onlyChange, PRESSURE, SLEEP, withAlpha } from './walking-reports';

describe('findings', () => {
  test('are equal in a report and itself', () => {
    const { report } = assembleReport(completeRun());
    const sources = completeRun().catalogue?.sources ?? [];
    const found = ReportDiff.parse(diffReports(report, report, { before: sources, after: sources }));
    expect(found.findings).toEqual({ new: [], newlyQuoted: [], changed: [], notQuoted: [], withdrawn: [] });
    expect(found.conflicts).toEqual({ opened: [], closed: [], changed: [] });
    expect(found.gaps).toEqual({ opened: [], closed: [] });
    const read = { changed: [], came: [], went: [] };
    expect(found.sources).toEqual({ read, newlyCited: [], noLongerCited: [] });
    expect(found.sections).toEqual({ added: [], removed: [], renamed: [] });
    expect(found.summary.findings.unchanged).toBe(report.claims.length);
    expect(found.notes).toEqual([]);
  });

  test('are newly quoted or not quoted where their source did not change', () => {
    const found = diff(alpha, {
      ...alpha,
      findings: [{ quotes: [['alpha', PRESSURE]] }, { quotes: [['alpha', MOOD]], confidence: 0.9 }],
    });
    expect(found.findings.changed).toEqual([]);
    expect(found.findings).toMatchObject({ new: [], withdrawn: [] });
    const mood = { statement: MOOD, verbatim: true, confidence: 0.9, section: 'Walking' };
    expect(found.findings.newlyQuoted).toMatchObject([{ ...mood, sources: [{ title: 'On alpha' }] }]);
    expect(found.findings.notQuoted).toMatchObject([{ statement: SLEEP }]);
    expect(found.summary).toMatchObject({
      findings: { new: 0, newlyQuoted: 1, notQuoted: 1, withdrawn: 0 },
      sources: { read: { changed: 0, came: 0, went: 0, unchanged: 1 } },
    });
  });

  test('are new with an added source and withdrawn with a removed or changed one', () => {
    const rest = { content: 'Same.' };
    const before: Told = {
      sources: { alpha: { content: `${PRESSURE} ${MOOD}` }, beta: { content: SLEEP }, rest },
      findings: [{ quotes: [['alpha', PRESSURE]] }, { quotes: [['beta', SLEEP]] }],
    };
    const after: Told = {
      sources: { alpha: { content: MOOD }, gamma: { content: 'Walkers ate more.' }, rest },
      findings: [{ quotes: [['gamma', 'Walkers ate more.']] }],
    };
    const found = diff(before, after);
    expect(found.sources.read).toMatchObject({
      changed: [{ title: 'On alpha' }],
      came: [{ title: 'On gamma' }],
      went: [{ title: 'On beta' }],
    });
    expect(found.summary.sources.read).toEqual({ changed: 1, came: 1, went: 1, unchanged: 1 });
    expect(found.findings).toMatchObject({
      new: [{ statement: 'Walkers ate more.' }],
      newlyQuoted: [],
      notQuoted: [],
      withdrawn: [{ statement: PRESSURE }, { statement: SLEEP }],
    });
  });

  test('are never withdrawn where the read sources are unknown', () => {
    const found = ReportDiff.parse(diffReports(toldReport(alpha), toldReport({ ...alpha, findings: [] })));
    expect(found.findings).toMatchObject({ withdrawn: [], notQuoted: [{}, {}] });
    expect(found.sources.read).toBeNull();
    expect(found.notes).toEqual([expect.stringMatching(/What the two runs have read is not known/)]);
  });

  test('differ for another outcome of the same source', () => {
    const other = PRESSURE.replace('systolic pressure', 'body weight').replace('mmHg', 'kg');
    const content = `${PRESSURE} ${'Nothing of note was said here. '.repeat(5)}${other}`;
    const found = diff(withAlpha(content, PRESSURE), withAlpha(content, other));
    expect(found.findings).toMatchObject({
      newlyQuoted: [{ statement: other }],
      changed: [],
      notQuoted: [{ statement: PRESSURE }],
    });
  });

  test('are the same with a longer excerpt', () => {
    const clause = SLEEP.replace('.', ' in a trial of twelve weeks.');
    const content = `${PRESSURE} ${clause}`;
    const found = diff(withAlpha(content, SLEEP.replace('.', '')), withAlpha(content, clause));
    expect(onlyChange(found)).toContainEqual(expect.objectContaining({ kind: 'quote', after: clause }));
  });

  test('are the same with another form of the address', () => {
    const at = (id: string, url: string): Told => ({
      sources: { [id]: { content: PRESSURE, url } },
      findings: [{ quotes: [[id, PRESSURE]] }],
    });
    const found = diff(at('s1', 'http://www.example.org/a/?utm_source=x'), at('s2', 'https://example.org/a'));
    expect(found.summary).toMatchObject({
      findings: { new: 0, changed: 0, withdrawn: 0, unchanged: 1 },
      sources: { newlyCited: 0, noLongerCited: 0, inBoth: 1 },
    });
  });

  test('do not match sources by numbered ids', () => {
    const first = (title: string, url: string): Told => ({
      sources: { 1: { content: PRESSURE, title, url } },
      findings: [{ quotes: [['1', PRESSURE]] }],
    });
    const hiking = first('On hiking', 'https://example.org/b');
    const found = diff(first('On walking', 'https://example.org/a'), hiking);
    expect(found.sources).toMatchObject({
      newlyCited: [{ title: 'On hiking' }],
      noLongerCited: [{ title: 'On walking' }],
    });
    expect(onlyChange(found)).toMatchObject([
      { kind: 'sources', added: [{ title: 'On hiking' }], removed: [{ title: 'On walking' }] },
    ]);
  });

  test('report a lost source and the change of confidence', () => {
    const beta: [string, string] = ['beta', 'Daily walks lowered systolic pressure by 5 mmHg.'];
    const sources = { alpha: { content: PRESSURE }, beta: { content: beta[1] } };
    const before: Told = { sources, findings: [{ quotes: [['alpha', PRESSURE], beta], confidence: 0.85 }] };
    const after: Told = { sources, findings: [{ quotes: [['alpha', PRESSURE]], confidence: 0.75 }] };
    const found = diff(before, after);
    expect(onlyChange(found)).toEqual([
      { kind: 'confidence', before: { value: 0.85, word: 'High' }, after: { value: 0.75, word: 'Medium' } },
      { kind: 'sources', added: [], removed: [expect.objectContaining({ title: 'On beta' })] },
    ]);
    expect(found.sources.noLongerCited).toMatchObject([{ title: 'On beta' }]);

    const apart = diff(before, { sources, findings: [...after.findings, { quotes: [beta] }] });
    expect(apart.findings.newlyQuoted).toMatchObject([{ statement: beta[1], partOf: PRESSURE }]);
  });

  test('report a move, but not a renamed section', () => {
    const inSections = (...sections: string[]): Told => ({
      ...alpha,
      findings: [PRESSURE, SLEEP, MOOD].map((quote, index) => ({
        quotes: [['alpha', quote]],
        section: sections[index] ?? '',
      })),
    });
    const moved = diff(inSections('Heart', 'Heart', 'Mind'), inSections('Heart', 'Mind', 'Mind'));
    expect(onlyChange(moved)).toEqual([{ kind: 'section', before: 'Heart', after: 'Mind' }]);
    expect(moved.sections).toEqual({ added: [], removed: [], renamed: [] });

    const renamed = diff(inSections('Heart', 'Heart', 'Mind'), inSections('Blood', 'Blood', 'Mind'));
    expect(renamed.findings.changed).toEqual([]);
    const blood = { before: 'Heart', after: 'Blood' };
    expect(renamed.sections).toEqual({ added: [], removed: [], renamed: [blood] });
  });

  test('are compared with a note for another question or an incomplete report', () => {
    const found = diff(alpha, { ...alpha, id: 'later', question: 'Does hiking help?', status: 'cancelled' });
    expect(found.notes).toEqual([
      expect.stringMatching(/different questions: “Does walking help\?” and “Does hiking help\?”/),
      expect.stringMatching(/later ended as cancelled/),
    ]);
    expect(found.summary.findings.unchanged).toBe(2);
  });
});

describe('a corrected source', () => {
  const figures = (before: string, after: string): unknown => ({
    kind: 'figures',
    figures: [{ before, after }],
  });

  test('changes a number of a finding', () => {
    const corrected = PRESSURE.replace('4 mmHg', '7 mmHg');
    const changes = onlyChange(diff(alpha, withAlpha(`${corrected} ${SLEEP}`, corrected, SLEEP)));
    expect(changes).toEqual([
      { kind: 'quote', source: 'On alpha', before: PRESSURE, after: corrected },
      figures('4 mmHg', '7 mmHg'),
    ]);
  });

  test('is matched by title and sentence where the text moved', () => {
    const corrected = PRESSURE.replace('4 mmHg', '7 mmHg');
    const note = (id: string, content: string, quote: string): Told => ({
      sources: { [id]: { content, url: null, title: 'My notes on walking' } },
      findings: [{ quotes: [[id, quote]] }],
    });
    const preface = 'This was added later and says nothing of any result. '.repeat(9);
    const later = note('notes-2b', preface + corrected, corrected);
    const found = diff(note('notes-1a', PRESSURE, PRESSURE), later);
    expect(onlyChange(found)).toContainEqual(figures('4 mmHg', '7 mmHg'));
    const read = { changed: 1, came: 0, went: 0, unchanged: 0 };
    expect(found.summary.sources).toEqual({ read, newlyCited: 0, noLongerCited: 0, inBoth: 1 });
  });

  test('changes a condition, but another result is another finding', () => {
    const result = 'After 8 weeks walking lowered systolic pressure by 4 mmHg in the walking group.';
    const corrected = result.replace('8 weeks', '9 weeks');
    const another = corrected.replace('4 mmHg', '6 mmHg');
    const preface = 'Nothing of note was said here. '.repeat(9);
    const found = diff(withAlpha(result, result), withAlpha(preface + corrected, corrected));
    expect(onlyChange(found)).toContainEqual(figures('8 weeks', '9 weeks'));
    const content = `${result} ${preface}${another}`;
    expect(diff(withAlpha(content, result), withAlpha(content, another)).findings).toMatchObject({
      newlyQuoted: [{ statement: another }],
      changed: [],
      notQuoted: [{ statement: result }],
    });
  });

  test('changes the direction', () => {
    const opposite = PRESSURE.replace('lowered', 'raised');
    const changes = onlyChange(diff(alpha, withAlpha(`${opposite} ${SLEEP}`, opposite, SLEEP)));
    expect(changes).toContainEqual({ kind: 'direction', before: 'a decrease', after: 'an increase' });
  });

  test.each(['Walking did not change systolic pressure.', 'Walking had no effect on systolic pressure.'])(
    'changes from no effect to an effect and back: %s',
    (denial) => {
      const [before, after] = ['no significant effect or difference', 'a decrease'];
      const effect = 'Walking lowered systolic pressure.';
      const preface = 'Nothing of note was said here. '.repeat(9);
      const there = diff(withAlpha(denial, denial), withAlpha(preface + effect, effect));
      expect(onlyChange(there)).toContainEqual({ kind: 'direction', before, after });
      const back = diff(withAlpha(preface + effect, effect), withAlpha(denial, denial));
      expect(onlyChange(back)).toContainEqual({ kind: 'direction', before: after, after: before });
    },
  );

  test('changes a count with its noun', () => {
    const [farms, more] = [31, 47].map((count) => `The tax hit ${count} dairy farms and twelve mills.`);
    const changes = onlyChange(diff(withAlpha(farms ?? '', farms ?? ''), withAlpha(more ?? '', more ?? '')));
    expect(changes).toContainEqual(figures('31 dairy farms', '47 dairy farms'));
  });
});

describe('sentences of a model', () => {
  const model = (sentence: string, others: ToldFinding[] = []): Told => ({
    engine: 'openai',
    sources: { ...alpha.sources, beta: { content: MOOD } },
    findings: [...others, { quotes: [['alpha', PRESSURE]], sentence }],
  });
  const other: ToldFinding = { quotes: [['beta', MOOD]], sentence: 'Mood stayed as it was' };

  test.each<[string, Partial<Told>]>([
    ['cited by addresses', { citationStyle: 'url' }],
    ['not cross-checked', { unchecked: true }],
  ])('are the same where they are %s', (_how, how) => {
    const told = model('Walks lower blood pressure', [other]);
    const none = { new: [], newlyQuoted: [], changed: [], notQuoted: [], withdrawn: [] };
    expect(diff(told, { ...told, ...how }).findings).toEqual(none);
  });

  test('are the same under other citation numbers', () => {
    const found = diff(model('Walks lower blood pressure'), model('Walks lower blood pressure', [other]));
    const newlyQuoted = [{ statement: 'Mood stayed as it was.' }];
    expect(found.findings).toMatchObject({ changed: [], notQuoted: [], newlyQuoted });
  });

  test('are changed where the wording differs', () => {
    const [before, after] = [
      'Walks lower blood pressure by 4 mmHg',
      'Blood pressure falls by 5 mmHg with walks',
    ];
    expect(onlyChange(diff(model(before), model(after)))).toEqual([
      { kind: 'wording', before: `${before}.`, after: `${after}.` },
      { kind: 'figures', figures: [{ before: '4 mmHg', after: '5 mmHg' }] },
    ]);
  });

  test('are matched with quotes of the other engine', () => {
    const found = diff(withAlpha(PRESSURE, PRESSURE), model('Walks lower blood pressure'));
    expect(onlyChange(found)).toMatchObject([
      { kind: 'wording', before: PRESSURE },
      { kind: 'figures', figures: [{ before: '4 mmHg', after: null }] },
      { kind: 'verdict', before: 'supported', after: 'unchecked' },
    ]);
    expect(found.notes).toEqual([expect.stringMatching(/extractive engine .* openai engine/)]);
  });
});

describe('conflicts and gaps', () => {
  const LOWERED = 'Walking lowered systolic pressure by 4 mmHg.';
  const UNCHANGED = 'Walking did not change systolic pressure.';
  const RAISED = 'Walking raised the number of falls.';
  const FEWER = 'There were fewer falls with walking.';

  const sources: Told['sources'] = {
    alpha: { content: `${LOWERED} ${RAISED}` },
    beta: { content: `${UNCHANGED} ${FEWER}` },
    gamma: { content: LOWERED },
  };

  const pressure: ToldConflict = {
    topic: 'walking and systolic pressure',
    views: [[['alpha', LOWERED]], [['beta', UNCHANGED]]],
  };

  const falls: ToldConflict = { topic: 'walking and falls', views: [[['alpha', RAISED]], [['beta', FEWER]]] };

  function told(conflicts: ToldConflict[], more: Partial<Told> = {}): Told {
    return { sources, findings: [{ quotes: [['alpha', LOWERED]] }], conflicts, ...more };
  }

  function diff(before: Told, after: Told): ReportDiff {
    return ReportDiff.parse(diffReports(toldReport(before), toldReport(after)));
  }

  test('conflicts open and close', () => {
    const opened = diff(told([pressure]), told([falls, pressure]));
    expect(opened.conflicts).toMatchObject({ opened: [{ topic: falls.topic }], closed: [], changed: [] });
    const { conflicts } = diff(told([falls, pressure]), told([pressure]));
    const viewpoints = [
      { statement: RAISED, sources: [{ title: 'On alpha' }] },
      { statement: FEWER, sources: [{ title: 'On beta' }] },
    ];
    const closed = [{ topic: falls.topic, favoured: null, viewpoints }];
    expect(conflicts).toMatchObject({ opened: [], closed, changed: [] });
  });

  test('the same two sources may disagree on two things', () => {
    const found = diff(told([pressure]), told([falls]));
    const { opened, closed } = found.conflicts;
    expect([...opened, ...closed].map(({ topic }) => topic)).toEqual([falls.topic, pressure.topic]);
  });

  test('ignore the order of views and report another favoured view', () => {
    const turned: ToldConflict = { ...pressure, views: [...pressure.views].reverse() };
    const favouring = (conflict: ToldConflict, view: number): Told =>
      told([{ ...conflict, resolution: `favor_viewpoint_${view}` }]);

    const { summary } = diff(favouring(pressure, 1), favouring(turned, 2));
    expect(summary.conflicts).toEqual({ opened: 0, closed: 0, changed: 0, unchanged: 1 });
    const changed = diff(favouring(pressure, 1), favouring(turned, 1)).conflicts.changed;
    expect(changed).toMatchObject([{ changes: [{ kind: 'resolution', before: LOWERED, after: UNCHANGED }] }]);
    expect(diff(told([pressure]), favouring(pressure, 2)).conflicts.changed).toMatchObject([
      { changes: [{ kind: 'resolution', before: null, after: UNCHANGED }] },
    ]);
  });

  test('change with a new source and with a corrected view', () => {
    const [lowered = [], unchanged = []] = pressure.views;
    const joined: ToldConflict = { ...pressure, views: [[...lowered, ['gamma', LOWERED]], unchanged] };
    expect(diff(told([pressure]), told([joined])).conflicts.changed).toMatchObject([
      { changes: [{ kind: 'sources', added: [{ title: 'On gamma' }], removed: [] }] },
    ]);

    const corrected = LOWERED.replace('4', '7');
    const after = told([{ ...pressure, views: [[['alpha', corrected]], unchanged] }], {
      sources: { ...sources, alpha: { content: corrected } },
      findings: [{ quotes: [['alpha', corrected]] }],
    });
    const found = diff(told([pressure]), after);
    const changes = [{ kind: 'viewpoint', before: LOWERED, after: corrected }];
    expect(found.conflicts).toMatchObject({ opened: [], closed: [], changed: [{ changes }] });
  });

  test('gaps are matched by their question', () => {
    const asking = (...gaps: string[]): Told => told([], { gaps });
    const found = diff(
      asking('How long does it last?', 'What does it cost?'),
      asking('Who gains most?', '“How  long does it LAST?”'),
    );
    expect(found.gaps).toEqual({ opened: ['Who gains most?'], closed: ['What does it cost?'] });
    expect(found.summary.gaps).toEqual({ opened: 1, closed: 1, unchanged: 1 });
  });
});
