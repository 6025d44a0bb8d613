// Writes what tells a claim that its page bears from one that it does not, one claim a line: `{ id, group, borne, features }`,
// the features as the product computes them. `npx tsx training/bearing-examples.ts DATA OUT`; DATA has attribution/.
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BEARING_FEATURES, bearingFeatures } from '../src/verification/score/bearing-features';
import { indexPassage } from '../src/verification/score/index-passage';
import { pageOf, readRecords, type WiceRecord } from './wice';

const [data = '../shared/data', target = 'bearing-examples.jsonl'] = process.argv.slice(2);
const out = createWriteStream(target);

out.write(`${JSON.stringify({ features: BEARING_FEATURES })}\n`);
for (const record of readRecords<WiceRecord>(
  readFileSync(join(data, 'attribution', 'wice-dev.jsonl'), 'utf8'),
)) {
  const { id, claim, evidence, label } = record;
  const features = bearingFeatures(claim, [indexPassage(evidence.join('\n'))]);
  const example = {
    id,
    // Claims of one page share what is hard about it; a page without a title is nobody else's.
    group: pageOf(record).title.trim() || id,
    borne: Number(label === 'supported'),
    features: BEARING_FEATURES.map((feature) => Math.round(features[feature] * 1e5) / 1e5),
  };
  out.write(`${JSON.stringify(example)}\n`);
}
out.end();
