import trained from '../data/role-weights.json';
import { resultWords } from '../features/result-score';

/** What a sentence is there for: to tell what was found; what was done, or was meant to be; or what was known before. */
export type SentenceRole = 'finding' | 'procedure' | 'background';

type Row = readonly [role: SentenceRole, intercept: number, weights: ReadonlyMap<string, number>];

const rows = (['finding', 'procedure'] as const).map((role): Row => [
  role,
  trained[role].intercept,
  new Map(Object.entries<number>(trained[role].weights)),
]);

/**
 * The likeliest role, by multinomial logistic regression on the words and pairs of words of a sentence, each counted once. Learned by
 * `training/` from the headings under which sentences stand; measured by `eval -- roles`.
 */
export function roleOf(text: string): SentenceRole {
  const words = resultWords(text);
  const features = new Set(words.flatMap((word, at) => [word, `${word} ${words[at + 1] ?? ''}`]));
  // Against background, which has the log-odds 0.
  let best: readonly [SentenceRole, number] = ['background', 0];
  for (const [role, intercept, weights] of rows) {
    let score = intercept;
    for (const feature of features) score += weights.get(feature) ?? 0;
    if (score > best[1]) best = [role, score];
  }
  return best[0];
}
