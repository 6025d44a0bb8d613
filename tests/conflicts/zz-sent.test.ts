import { writeFileSync } from 'node:fs';
import { studiesOf } from './studies';
import { quotable } from './source-pairs';
import { withConditionChanged } from './edits/condition';
import { withNumberChanged } from './edits/number';
import { withDirectionChanged } from './edits/direction';
import { reworded } from './edits/wording';
import { otherPeople } from './edits/population';
import { otherDose } from './edits/dose';
import { assertionOf } from '../../src/core/assertions/assertion-of';
import { compareAssertions } from '../../src/core/conflicts/compare-assertions';
import { acronymsOf } from '../../src/core/assertions/acronyms';
jest.setTimeout(600_000);
it('sent', () => {
  const half = (process.env.HALF ?? 'even') as 'even' | 'odd';
  const lines: string[] = [];
  const table: Record<string, Record<string, number>> = {};
  for (const s of studiesOf(half)) {
    const acronyms = acronymsOf(s.content);
    for (const { text } of process.env.ALL
      ? s.sentences.filter(
          (x) =>
            x.text.length > 60 &&
            x.text.length < 320 &&
            /significant|increas|decreas|improv|reduc|higher|lower|effect|differ/.test(x.text),
        )
      : quotable(s)) {
      const edits: [string, string | null, string][] = [
        ['condition', withConditionChanged(text), s.title],
        ['number', withNumberChanged(text, 0), s.title], ['number', withNumberChanged(text, 1), s.title], ['number', withNumberChanged(text, 2), s.title],
        ['direction0', withDirectionChanged(text, 0), s.title],
        ['direction1', withDirectionChanged(text, 1), s.title],
        ['wording', reworded(text), s.title],
      ];
      const people = otherPeople(text) ?? otherPeople(s.title);
      if (people) {
        edits.push(['people', people(text), people(s.title)]);
        const d = withDirectionChanged(people(text), 0);
        if (d) edits.push(['people+', d, people(s.title)]);
      }
      const dose = otherDose(text);
      if (dose) {
        edits.push(['dose', dose(text), dose(s.title)]);
        const d = withDirectionChanged(dose(text), 0);
        if (d) edits.push(['dose+', d, dose(s.title)]);
      }
      for (const [kind, changed, title] of edits) {
        if (changed === null) continue;
        const a = assertionOf(text, { title: s.title, acronyms });
        const b = assertionOf(changed, { title, acronyms });
        const c = a && b ? compareAssertions(a, b) : null;
        const r = c?.relation ?? (a ? 'B-none' : 'A-none');
        table[kind] = table[kind] ?? {};
        table[kind]![r] = (table[kind]![r] ?? 0) + 1;
        lines.push(
          `${kind} ${r}: ${c?.reason}\n   T ${s.title}\n   A ${text.replace(/\s+/g, ' ')}\n   B ${changed.replace(/\s+/g, ' ')}`,
        );
      }
    }
  }
  writeFileSync('/tmp/conf/sent.txt', lines.join('\n'));
  writeFileSync(
    '/tmp/conf/senttable.txt',
    Object.entries(table)
      .map(([k, v]) => k + ' ' + JSON.stringify(v))
      .join('\n') + '\n',
  );
});
