import { writeFileSync } from 'node:fs';
import { studiesOf } from './studies';
import { sourcePairs } from './source-pairs';
import { populationIn } from '../../src/core/assertions/conditions';
import { plainText } from '../../src/core/assertions/plain-text';
import { studyContextOf } from '../../src/core/study-context';
import { splitPassages } from '../../src/core/text/passages';
import { sentencesOf } from '../../src/core/worth/source-sentences';
it('pop', () => {
  const lines: string[] = [];
  for (const p of sourcePairs(studiesOf('even'), 'methods', 1)) {
    for (const x of [p.a, p.b]) {
      const ps = splitPassages(x.content); const ss = ps.flatMap(sentencesOf);
      const m = ss.filter(s => s.inAbstract && /methods|background|participants/.test(s.zone)).map(s => s.text);
      lines.push(`${x.title.slice(0, 90)}\n   P ${studyContextOf({ sourceId: x.id, title: x.title, passages: ps }).participants}`, ...m.map(t => { const q = populationIn(plainText(t)); return q ? `     ${JSON.stringify({ ...q, text: undefined })} «${q.text}»  ${t.slice(0, 200)}` : ''; }).filter(x => x));
    }
  }
  writeFileSync('/tmp/conf/pop.txt', lines.join('\n'));
});
