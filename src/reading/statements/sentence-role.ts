import trained from '../data/role-weights.json';
import { wordsWithPairs } from '../features/result-score';

/** What a sentence is there for: to tell what was found; what was done, or was meant to be; or what was known before. */
export type SentenceRole = 'finding' | 'procedure' | 'background';

interface Row {
  intercept: number;
  weights: ReadonlyMap<string, number>;
}

const rowOf = ({ intercept, weights }: { intercept: number; weights: Record<string, number> }): Row => ({
  intercept,
  weights: new Map(Object.entries(weights)),
});
const rows = { finding: rowOf(trained.finding), procedure: rowOf(trained.procedure) };

/**
 * A procedure is so much likelier than anything else, in log-odds: what was found is lost by it, and what was done costs a line. Of other
 * fields a third of the findings were taken for procedures without.
 */
const LIKELIER = 0.5;

/**
 * The likeliest role, by multinomial logistic regression on the words and pairs of words of a sentence, each counted once. Learned by
 * `training/` from the headings under which sentences stand; measured by `eval -- roles`.
 */
export function roleOf(text: string): SentenceRole {
  const { finding, procedure } = roleScores(text);
  // Against background, which has the log-odds 0.
  if (procedure > Math.max(finding, 0) + LIKELIER) return 'procedure';
  return finding > 0 ? 'finding' : 'background';
}

/** How far a sentence tells what was found, and how far what was done or meant, each in log-odds against what was known before. */
export function roleScores(text: string): Record<'finding' | 'procedure', number> {
  const features = wordsWithPairs(text);
  const scoreOf = ({ intercept, weights }: Row): number =>
    [...features].reduce((score, feature) => score + (weights.get(feature) ?? 0), intercept);
  return { finding: scoreOf(rows.finding), procedure: scoreOf(rows.procedure) };
}
