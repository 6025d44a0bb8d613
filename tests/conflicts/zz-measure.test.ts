import { writeFileSync } from 'node:fs';
import { studiesOf } from './studies';
import { sourcePairs, type Kind } from './source-pairs';
import { acronymsOf } from '../../src/core/assertions/acronyms';
import { assertionOf } from '../../src/core/assertions/assertion-of';
import { compareAssertions } from '../../src/core/conflicts/compare-assertions';
import { assessSentence } from '../../src/core/worth/assess-sentence';
import { acronymsIn } from '../../src/core/worth/acronyms';
import { readPair } from './disagreement';
jest.setTimeout(600_000);
it('measure', async () => {
  const half = (process.env.HALF ?? 'even') as 'even' | 'odd';
  const kinds = (process.env.KINDS ?? 'number,direction,condition,wording,population,dose').split(
    ',',
  ) as Kind[];
  const studies = studiesOf(half);
  const lines: string[] = [];
  const table: string[] = [];
  for (const kind of kinds) {
    const pairs = sourcePairs(studies, kind, Number(process.env.SEED ?? 1)).slice(
      0,
      Number(process.env.MAX ?? 500),
    );
    let found = 0;
    let found10 = 0;
    let exact = 0;
    let why: Record<string, number> = {};
    for (const [i, pair] of pairs.entries()) {
      const { passes, conflicts } = await readPair(pair);
      const hit = conflicts.length > 0;
      const right = conflicts.some(
        (c) =>
          c.viewpoints.some((v) => v.evidence.some((e) => e.quote === pair.changed)) &&
          c.viewpoints.some((v) => v.evidence.some((e) => e.quote === pair.sentence)),
      );
      const quoted = passes.checked.flatMap((s) =>
        s.found.findings.flatMap((f) => f.evidence.map((e) => e.quote)),
      );
      if (hit) {
        found++;
        if (i < 10) found10++;
      }
      if (right) exact++;
      const status = hit
        ? right
          ? 'FOUND'
          : 'FOUND-OTHER'
        : `missed(A ${quoted.includes(pair.sentence) ? 'q' : '-'} B ${quoted.includes(pair.changed) ? 'q' : '-'} n=${quoted.length})`;
      why[status] = (why[status] ?? 0) + 1;
      const acr = acronymsOf(pair.a.content);
      const xa = assertionOf(pair.sentence, { title: pair.a.title, acronyms: acr });
      const xb = assertionOf(pair.changed, { title: pair.b.title, acronyms: acr });
      const diag = `aA=${xa === null ? 'null' : xa.effects.length} aB=${xb === null ? 'null' : xb.effects.length} rel=${xa && xb ? compareAssertions(xa, xb).relation + ' ' + compareAssertions(xa, xb).reason : ''} assess=${JSON.stringify(assessSentence(pair.sentence, { zone: 'results', inAbstract: true, genre: 'study', knownAcronyms: new Set(acronymsIn(pair.sentence)) }))} ${JSON.stringify(assessSentence(pair.changed, { zone: 'results', inAbstract: true, genre: 'study', knownAcronyms: new Set(acronymsIn(pair.sentence)) }))}`;
      lines.push(
        `${i} ${kind} ${status} ${pair.a.id} ${conflicts.map((c) => c.kind + ': ' + c.topic + ' || ' + c.reason + ' || ' + c.viewpoints.map((v) => v.statement).join(' <> ')).join(' ;; ')}\n   D ${diag}\n   T ${pair.a.title}\n   A ${pair.sentence.replace(/\s+/g, ' ')}\n   B ${pair.changed.replace(/\s+/g, ' ')}`,
      );
    }
    table.push(
      `${kind}: ${found}/${pairs.length} (exact ${exact}), first ten ${found10}; ${JSON.stringify(why)}`,
    );
  }
  writeFileSync('/tmp/conf/measure.txt', lines.join('\n'));
  writeFileSync('/tmp/conf/table.txt', table.join('\n') + '\n');
});
