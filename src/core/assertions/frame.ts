import { STOP_WORDS, stemOf } from '../../language/words';
import type { Frame } from './assertion';
import { tokensOf } from './clauses';
import { CUES, NEGATIONS } from './polarity-words';
import type { Quantity } from './quantities';

const DIRECTION: Readonly<Record<string, string>> = {
  up: 'up',
  down: 'down',
  better: 'better',
  worse: 'worse',
  change: 'change',
  equal: 'same',
  effective: 'better',
};

/** Words that may come and go without a change of what is said. */
const FILLERS: ReadonlySet<string> = new Set(
  `significant significantly statistically markedly substantially considerably clearly strongly slightly greatly notably overall respectively
  result results finding findings study studies trial data show shows showed shown showing found find observed observe reported report
  revealed demonstrate demonstrated demonstrates indicate indicated indicates suggest suggests conclude concluded conclusion present current
  compared comparison relative versus vs however therefore thus also group groups mean average value p total approximately about nearly
  treated receiving received taking given participants subjects people individuals level levels`
    .split(/\s+/)
    .map(stemOf),
);

export function frameOf(plain: string, quantities: readonly Quantity[]): Frame {
  const terms: string[] = [];
  const polarity: string[] = [];
  for (const token of tokensOf(plain)) {
    if (!token.word) continue;
    if (
      /^\d/.test(token.lower) ||
      quantities.some((quantity) => token.start < quantity.end && token.end > quantity.start)
    )
      continue;
    if (NEGATIONS.has(token.lower)) {
      polarity.push('not');
      continue;
    }
    const cue = CUES.get(token.lower);
    if (cue !== undefined && !cue.parts.has('link')) {
      polarity.push(DIRECTION[cue.meaning] ?? cue.meaning);
      continue;
    }
    for (const part of token.lower.split(/[-/]/)) {
      const stem = stemOf(part);
      if (part.length > 1 && !STOP_WORDS.has(part) && !FILLERS.has(stem) && !/^\d/.test(part))
        terms.push(stem);
    }
  }
  return { terms, polarity, quantities };
}
