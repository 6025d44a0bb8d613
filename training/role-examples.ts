// Writes what the roles of sentences are trained on, one sentence a line: `{ role, isAbstract, words }`, by the heading under which it
// stands in an article. Articles on which there are questions are left out: `npm run -s eval -- roles` measures on those.
// `npx tsx training/role-examples.ts DATA OUT`.
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultWords } from '../src/reading/features/result-score';
import { labelledSentences } from './labelled-sentences';

const [data = '../shared/data', target = 'role-examples.jsonl'] = process.argv.slice(2);

const open = new Set(readFileSync(join(data, 'studies', 'without-questions.txt'), 'utf8').split(/\s+/));
const out = createWriteStream(target);
for (const line of readFileSync(join(data, 'studies', 'sources.jsonl'), 'utf8').split('\n')) {
  if (line.trim() === '') continue;
  const { id, content } = JSON.parse(line) as { id: string; content: string };
  if (!open.has(id)) continue;
  for (const { role, isAbstract, text } of labelledSentences(content))
    out.write(`${JSON.stringify({ role, isAbstract, words: resultWords(text) })}\n`);
}
out.end();
