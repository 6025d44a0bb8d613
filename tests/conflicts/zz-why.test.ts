import { writeFileSync } from 'node:fs';
import { studiesOf, resultSentences } from './studies';
import { assessSentence } from '../../src/core/worth/assess-sentence';
import { genreOf } from '../../src/core/worth/source-sentences';
import { splitPassages } from '../../src/core/text/passages';
import { acronymExpansions, acronymsIn } from '../../src/core/worth/acronyms';
it('why', () => {
  const reasons: Record<string, [number, string[]]> = {};
  for (const s of studiesOf('even')) {
    const ps = splitPassages(s.content);
    const genre = genreOf(ps);
    const explained = new Set(acronymExpansions(s.content).keys());
    for (const x of resultSentences(s, 'anywhere')) {
      const r = assessSentence(x.text, {
        zone: x.zone,
        inAbstract: x.inAbstract,
        genre,
        knownAcronyms: new Set(acronymsIn(s.title)),
        explainedAcronyms: explained,
      });
      const key =
        r.worth > 0
          ? 'OK'
          : `${x.inAbstract ? 'ABS ' : ''}${x.zone} ${r.kind}: ${r.reasons[0]?.replace(/.*is explained/, 'ACR is explained')}`;
      reasons[key] = reasons[key] ?? [0, []];
      reasons[key]![0]++;
      if (reasons[key]![1].length < 4) reasons[key]![1].push(x.text.replace(/\s+/g, ' '));
    }
  }
  writeFileSync(
    '/tmp/conf/why.txt',
    Object.entries(reasons)
      .sort((a, b) => b[1][0] - a[1][0])
      .map(([k, v]) => `${v[0]} ${k}\n${v[1].map((t) => '      ' + t).join('\n')}`)
      .join('\n'),
  );
});
