import { studiesOf } from './studies';
import { withConditionChanged } from './edits/condition';
import { assessSentence } from '../../src/core/worth/assess-sentence';
import { genreOf } from '../../src/core/worth/source-sentences';
import { splitPassages } from '../../src/core/text/passages';
import { acronymExpansions, acronymsIn } from '../../src/core/worth/acronyms';
it('look', () => {
  const out: string[] = [];
  const ids = new Set();
  let all = 0;
  for (const s of studiesOf('even')) {
    const ps = splitPassages(s.content);
    const genre = genreOf(ps);
    const explained = new Set(acronymExpansions(ps.map((p) => p.text).join('\n')).keys());
    for (const x of s.sentences) {
      if (
        assessSentence(x.text, {
          zone: x.zone,
          inAbstract: x.inAbstract,
          genre,
          knownAcronyms: new Set(acronymsIn(s.title)),
          explainedAcronyms: explained,
        }).worth <= 0
      )
        continue;
      all++;
      const c = withConditionChanged(x.text);
      if (c) {
        ids.add(s.id);
        out.push(
          s.id + ' ' + x.zone + '\n   ' + x.text.replace(/\n/g, ' ') + '\n   ' + c.replace(/\n/g, ' '),
        );
      }
    }
  }
  require('fs').writeFileSync('/tmp/conf/look.txt', out.join('\n'));
  console.log(all, out.length, ids.size);
});
