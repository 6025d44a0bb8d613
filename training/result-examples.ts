// Writes what the result score is trained on, one sentence a line: `{ label, words }`; 1 stands under a heading of results in
// its article's structured abstract, 0 under one of methods or background. Articles on which there are questions are left
// out. `npx tsx training/result-examples.ts DATA OUT`.
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitPassages } from '../src/language/passages';
import { splitSentences } from '../src/language/sentences';
import { resultWords } from '../src/reading/features/result-score';

const [data = '../shared/data', target = 'result-examples.jsonl'] = process.argv.slice(2);
const RESULTS = /RESULT|FINDING/;
const OTHERS = /METHOD|DESIGN|BACKGROUND|INTRODUCTION|OBJECTIVE|AIM|PURPOSE/;

const open = new Set(readFileSync(join(data, 'studies', 'without-questions.txt'), 'utf8').split(/\s+/));
const out = createWriteStream(target);
for (const line of readFileSync(join(data, 'studies', 'sources.jsonl'), 'utf8').split('\n')) {
  if (line.trim() === '') continue;
  const { id, content } = JSON.parse(line) as { id: string; content: string };
  if (!open.has(id)) continue;
  for (const { headings, text } of splitPassages(content)) {
    const heading = headings.join(' ').toUpperCase();
    if (!heading.startsWith('ABSTRACT')) continue;
    const label = RESULTS.test(heading) ? 1 : OTHERS.test(heading) ? 0 : null;
    if (label === null) continue;
    for (const sentence of splitSentences(text))
      out.write(`${JSON.stringify({ label, words: resultWords(sentence.text) })}\n`);
  }
}
out.end();
