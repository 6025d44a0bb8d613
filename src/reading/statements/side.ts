import { effectsTold } from '../../language/direction';
import { deniesEffect, namesHarm, negationsIn, withoutDenied } from '../../language/negation';
import trained from '../data/side-weights.json';
import { resultScore, wordsWithPairs } from '../features/result-score';
import comparisonWords from './data/comparison-words.json';
import { intervalsIn } from './intervals';
import { isOfOthers, isOfStart } from './own-result';
import { pValuesIn } from './p-values';
import { roleScores } from './sentence-role';
import { significanceVotes } from './significance';
import { isConclusion, tellsIntent } from './tells-intent';

/** What is measured of a sentence, besides which words and pairs of words it has. */
export const SIDE_SIGNS = [
  'becomes',
  'becomesBesides',
  'denies',
  'votes',
  'significant',
  'insignificant',
  'saysSignificant',
  'result',
  'finding',
  'procedure',
  'concludes',
  'intends',
  'ofOthers',
  'ofStart',
  'ofHarm',
  'hedges',
  'opposes',
  'negations',
  'length',
  'takesBack',
] as const;
export type SideSign = (typeof SIDE_SIGNS)[number];

/** No sentence is the surer for more than that. */
const MOST = { votes: 3, score: 6, negations: 2, words: 60 };
const HEDGED = /\b(?:may|might|could|can|suggest|possib|potential)\w*\b/i;
const OPPOSED = /\b(?:but|however|although|though|while|whereas|despite|except|only)\b/i;

/** What is told first is taken back: `They gained less, but the difference was not significant`. */
const TAKES_BACK = new RegExp(
  String.raw`\b(?:this|the|that|these) (?:${comparisonWords.changes.join('|')})s? (?:was|were|is|are|did) not (?:\w+ )?significan`,
  'i',
);

interface Row {
  intercept: number;
  signs: Readonly<Record<SideSign, number>>;
  words: ReadonlyMap<string, number>;
}

const rowOf = ({ words, ...row }: typeof trained.effect | typeof trained.none): Row => ({
  ...row,
  words: new Map(Object.entries(words)),
});
const rows = { effect: rowOf(trained.effect), none: rowOf(trained.none) };

/**
 * How likely a sentence tells an effect of its own source's finding, and how likely that there was none, each 0–1; what is left is that it
 * tells neither, or both. Multinomial logistic regression, learned by `training/` from sentences that were marked by reading.
 */
export function sideProbabilities(text: string): Record<'effect' | 'none', number> {
  const signs = sideSigns(text);
  const words = wordsWithPairs(text);
  const oddsOf = (row: Row): number =>
    Math.exp(
      SIDE_SIGNS.reduce((sum, sign) => sum + signs[sign] * row.signs[sign], row.intercept) +
        [...words].reduce((sum, word) => sum + (row.words.get(word) ?? 0), 0),
    );
  const [effect, none] = [oddsOf(rows.effect), oddsOf(rows.none)];
  return { effect: effect / (1 + effect + none), none: none / (1 + effect + none) };
}

export function sideSigns(text: string): Record<SideSign, number> {
  const figures = [...pValuesIn(text), ...intervalsIn(text)];
  const { finding, procedure } = roleScores(text);
  return {
    becomes: Number(becomes(text)),
    becomesBesides: Number(becomes(withoutDenied(text))),
    denies: Number(deniesEffect(text)),
    votes: within(significanceVotes([text]), MOST.votes),
    significant: Number(figures.some(({ isSignificant }) => isSignificant)),
    insignificant: Number(figures.some(({ isSignificant }) => !isSignificant)),
    saysSignificant: Number(/signific/i.test(text)),
    result: within(resultScore(text), MOST.score),
    finding: within(finding, MOST.score),
    procedure: within(procedure, MOST.score),
    concludes: Number(isConclusion(text)),
    intends: Number(tellsIntent(text)),
    ofOthers: Number(isOfOthers(text)),
    ofStart: Number(isOfStart(text)),
    ofHarm: Number(namesHarm(text)),
    hedges: Number(HEDGED.test(text)),
    opposes: Number(OPPOSED.test(text)),
    negations: Math.min(MOST.negations, negationsIn(text)),
    length: Math.min(MOST.words, text.split(/\s+/).length) / MOST.words,
    takesBack: Number(TAKES_BACK.test(text)),
  };
}

function becomes(text: string): boolean {
  return effectsTold(text).some((effect) => effect !== 'none');
}

function within(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}
