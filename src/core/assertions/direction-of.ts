import type { Direction } from './assertion';
import { cueAt, type Token } from './clauses';
import type { Choice } from './main-cue';
import { textOf } from './phrases';
import type { CueMeaning } from './polarity-words';

/** Not quite a result, whatever its direction. */
export const TREND =
  /\b(?:tended|tendency|tendencies|trends?|trended|borderline|marginal(?:ly)? significan\w+|approached significance)\b/i;

const MEANING: Readonly<Record<CueMeaning, Direction>> = {
  up: 'up',
  down: 'down',
  better: 'better',
  worse: 'worse',
  change: 'differs',
  equal: 'none',
  effective: 'better',
};

/** What happened, from the word that the clause turns on, the words around it, negation and p values. */
export function directionOf(
  choice: Choice,
  body: readonly Token[],
  negated: boolean,
  raw: string,
  masked: string,
): Direction {
  const before = textOf(body.slice(Math.max(0, choice.index - 7), choice.index), masked).toLowerCase();
  const after = textOf(body.slice(choice.index + 1), masked).toLowerCase();
  if (TREND.test(textOf(body, masked)) && choice.meaning !== 'equal') return 'none';
  if (negated) return choice.meaning === 'equal' ? 'differs' : 'none';
  let direction = MEANING[choice.meaning];
  if (choice.part === 'link') {
    const near = body
      .slice(choice.index + 1, choice.index + 7)
      .map((token) => cueAt([token], 0))
      .find((cue) => cue !== undefined);
    direction = /\b(?:negatively|inversely)\b/.test(before)
      ? 'down'
      : /\bpositively\b/.test(before)
        ? 'up'
        : near !== undefined
          ? MEANING[near.meaning]
          : 'differs';
  } else if (choice.part === 'noun') {
    if (direction === 'differs' && /\b(?:beneficial|positive|favou?rable)\b/.test(before))
      direction = 'better';
    if (direction === 'differs' && /\b(?:negative|adverse|detrimental|harmful)\b/.test(before))
      direction = 'worse';
    if (
      /\b(?:smaller|less|lower|lesser)\b/.test(before) ||
      /\b(?:was|were) (?:significantly )?(?:smaller|less|lower)\b/.test(after)
    )
      direction = opposite(direction);
    if (
      direction === 'differs' &&
      (/\b(?:greater|larger|higher)\b/.test(before) ||
        /\b(?:was|were) (?:significantly )?(?:greater|larger|higher)\b/.test(after))
    )
      direction = 'up';
  }
  if (direction === 'differs' && /\bin favou?r of (?!(?:the )?(?:controls?|placebo))/.test(after))
    direction = 'better';
  if (choice.part === 'verb' && /^(?:significantly )?(?:less|lower|fewer|smaller)\b/.test(after))
    direction = opposite(direction);
  // What the authors call significant at p = 0.05 stays so.
  return direction !== 'none' && !/\bsignificant/i.test(raw) && onlyInsignificant(raw) ? 'none' : direction;
}

export function opposite(direction: Direction): Direction {
  const pairs: Readonly<Record<Direction, Direction>> = {
    up: 'down',
    down: 'up',
    better: 'worse',
    worse: 'better',
    none: 'none',
    differs: 'differs',
  };
  return pairs[direction];
}

/** Whether the clause gives p values and none of them is below 0.05. */
function onlyInsignificant(raw: string): boolean {
  const values = [...raw.matchAll(/\bp(?:[- ]values?)?\s?([=<>≤≥])\s?(0?\.\d+|1\.0+|0)/gi)];
  if (values.length === 0) return /\((?:NS|n\.s\.)\)/.test(raw);
  return values.every(([, sign = '=', value = '0']) =>
    /[>≥]/.test(sign) ? Number(value) >= 0.04 : sign === '=' ? Number(value) > 0.05 : Number(value) > 0.05,
  );
}
