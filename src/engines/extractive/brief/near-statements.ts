import type { Encoder } from '../../../encoder/encoder';
import type { Nearness } from '../../../encoder/late-interaction';
import type { Finding } from '../../../contracts/report/finding';
import { nearnessTo } from '../../../reading/rank-by-meaning';

/** How near statements come to the question, by their texts; empty where they are read by their words alone. */
export type NearStatements = ReadonlyMap<string, Nearness>;

/** Plan and text read the same statements, so that they choose alike. */
export async function nearStatements(
  encoder: Encoder | null,
  question: string,
  findings: readonly Finding[],
): Promise<NearStatements> {
  if (encoder === null) return new Map();
  const texts = [...new Set(findings.map(({ claim }) => claim))];
  const near = await nearnessTo(
    encoder,
    question,
    texts.map((text) => ({ text, title: '' })),
  );
  return new Map(texts.flatMap((text, at) => (near[at] === undefined ? [] : [[text, near[at]]])));
}
