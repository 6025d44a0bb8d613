// Writes what tells whether a result is of what a question asks the effect of, and on what it asks the effect on, one result a line:
// `{ cause, outcome, features }`, the features as the product computes them. `npx tsx training/effect-examples.ts DATA OUT`.
import { createWriteStream } from 'node:fs';
import { openOnnxEncoder } from '../src/encoder/onnx-encoder';
import { createRememberingEncoder } from '../src/encoder/remembering-encoder';
import { CAUSE_FEATURES, nearnessToEffect, OUTCOME_FEATURES } from '../src/reading/question/bearing';
import { readQuestion } from '../src/reading/question/question';
import { markedSentences, type MarkedResult } from './marked-results';

const [data = '../shared/data', target = 'effect-examples.jsonl'] = process.argv.slice(2);

async function main(): Promise<void> {
  const encoder = createRememberingEncoder(await openOnnxEncoder());
  const out = createWriteStream(target);
  out.write(`${JSON.stringify({ cause: CAUSE_FEATURES, outcome: OUTCOME_FEATURES })}\n`);
  for (const marked of markedSentences<MarkedResult>(data, 'asked-results.jsonl')) {
    if (marked.side === 'neither') continue;
    const [near] = await nearnessToEffect(encoder, [marked], readQuestion(marked.question));
    if (near === undefined) continue;
    const example = {
      isOfCause: marked.cause,
      isOnOutcome: marked.outcome,
      cause: CAUSE_FEATURES.map((feature) => near[feature]),
      outcome: OUTCOME_FEATURES.map((feature) => near[feature]),
    };
    out.write(`${JSON.stringify(example)}\n`);
  }
  out.end();
}

void main();
