// Writes what tells whether a sentence reports an effect, or none, one sentence a line: `{ side, signs, words }`, as the product computes
// them. What `npm run -s eval -- sides` measures on is left out. `npx tsx training/side-examples.ts DATA OUT`.
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordsWithPairs } from '../src/reading/features/result-score';
import { SIDE_SIGNS, sideSigns } from '../src/reading/statements/side';
import { markedSentences, type MarkedSentence } from './marked-results';
import { readRecords } from './wice';

const [data = '../shared/data', target = 'side-examples.jsonl'] = process.argv.slice(2);

const placeOf = ({ source_id: source, start }: MarkedSentence): string => `${source} ${start}`;
const heldOut = join(__dirname, '../scripts/eval/data/asked-results.jsonl');
const measured = new Set(readRecords<MarkedSentence>(readFileSync(heldOut, 'utf8')).map(placeOf));
const out = createWriteStream(target);
out.write(`${JSON.stringify({ signs: SIDE_SIGNS })}\n`);
for (const marked of ['sides.jsonl', 'asked-results.jsonl'].flatMap((file) => markedSentences(data, file))) {
  if (measured.has(placeOf(marked))) continue;
  const signs = sideSigns(marked.text);
  const example = {
    side: marked.side,
    signs: SIDE_SIGNS.map((sign) => Math.round(signs[sign] * 1e5) / 1e5),
    words: [...wordsWithPairs(marked.text)],
  };
  out.write(`${JSON.stringify(example)}\n`);
}
out.end();
