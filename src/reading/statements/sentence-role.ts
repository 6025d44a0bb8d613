import trained from '../data/role-weights.json';
import { effectsTold } from '../../language/direction';
import { wordsWithPairs } from '../features/result-score';
import { figuresOf } from './statement-figures';
import { tellsIntent } from './tells-intent';

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
/** What is left out is nearly three times as likely a procedure as anything else. */
const SURELY = 1;

/**
 * The likeliest role, by multinomial logistic regression on the words and pairs of words of a sentence, each counted once. Learned by
 * `training/` from the headings under which sentences stand; measured by `eval -- roles`.
 */
export function roleOf(text: string): SentenceRole {
  return likeliest(text, LIKELIER);
}

/**
 * Whether a text is an aim or a method so surely that it may be left out where an effect is asked for, or a hope that reads as no
 * finding. What tells an effect with its figures is none, however it begins: of other fields than those that were learned from, words alone
 * would lose it.
 */
export function tellsNoEffect(text: string): boolean {
  const isMeant = tellsIntent(text) && roleOf(text) !== 'finding';
  if (!isMeant && likeliest(text, SURELY) !== 'procedure') return false;
  return effectsTold(text).length === 0 || figuresOf(text).results.length === 0;
}

/** How far a sentence tells what was found, and how far what was done or meant, each in log-odds against what was known before. */
export function roleScores(text: string): Record<'finding' | 'procedure', number> {
  const features = wordsWithPairs(text);
  const scoreOf = ({ intercept, weights }: Row): number =>
    [...features].reduce((score, feature) => score + (weights.get(feature) ?? 0), intercept);
  return { finding: scoreOf(rows.finding), procedure: scoreOf(rows.procedure) };
}

function likeliest(text: string, likelier: number): SentenceRole {
  const { finding, procedure } = roleScores(text);
  // Against background, which has the log-odds 0.
  if (procedure > Math.max(finding, 0) + likelier) return 'procedure';
  return finding > 0 ? 'finding' : 'background';
}
