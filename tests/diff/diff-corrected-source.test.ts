import { type Told } from './told-report';
import { alpha, diff, onlyChange, PRESSURE, SLEEP, withAlpha } from './walking-reports';

const figures = (before: string, after: string): unknown => ({
  kind: 'figures',
  figures: [{ before, after }],
});

describe('a source that was corrected', () => {
  test('in a number gives a changed finding', () => {
    const corrected = PRESSURE.replace('4 mmHg', '7 mmHg');
    const changes = onlyChange(diff(alpha, withAlpha(`${corrected} ${SLEEP}`, corrected, SLEEP)));
    expect(changes).toEqual([
      { kind: 'quote', source: 'On alpha', before: PRESSURE, after: corrected },
      figures('4 mmHg', '7 mmHg'),
    ]);
  });

  test('far from where it stood, in a note that only its title names', () => {
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

  test('in a condition, but not another result under another condition', () => {
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

  test('so that it says the opposite tells the direction', () => {
    const opposite = PRESSURE.replace('lowered', 'raised');
    const changes = onlyChange(diff(alpha, withAlpha(`${opposite} ${SLEEP}`, opposite, SLEEP)));
    expect(changes).toContainEqual({ kind: 'direction', before: 'a decrease', after: 'an increase' });
  });

  test.each(['Walking did not change systolic pressure.', 'Walking had no effect on systolic pressure.'])(
    'from a denial to an effect tells it, wherever it stands: %s',
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

  test('in what it counts tells the figure with what is counted', () => {
    const [farms, more] = [31, 47].map((count) => `The tax hit ${count} dairy farms and twelve mills.`);
    const changes = onlyChange(diff(withAlpha(farms ?? '', farms ?? ''), withAlpha(more ?? '', more ?? '')));
    expect(changes).toContainEqual(figures('31 dairy farms', '47 dairy farms'));
  });
});
