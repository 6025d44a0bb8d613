import { cueAt, isPreposition, type Token } from './clauses';
import { textOf } from './phrases';
import { NEGATIONS, type CueMeaning } from './polarity-words';

const ADVERB_AHEAD =
  /^(?:[a-z-]+ly|also|both|even|further|well|much|more|less|very|quite|not|still|thus|then|again|only|somewhat|twice)$/;
const LATER_NEGATION =
  /\b(?:(?:was|were|is|are|did|do|does|has|have|but|although|though|yet) (?:[\w-]+ ){0,3}?(?:not|never)\b|(?:failed to|did not) (?:reach|be|attain|achieve|differ)|non-?significant|was absent|were absent|not (?:statistically )?significant(?:ly)?\b|no longer)/i;

/** The polarity word that a clause turns on, and what it is in the sentence. */
export interface Choice {
  index: number;
  part: 'verb' | 'noun' | 'comparative' | 'link';
  meaning: CueMeaning;
  word: string;
}

/** The word that the clause turns on: a link, what is negated, a verb, a predicate, a noun, in this order. */
export function mainCue(body: readonly Token[], cues: ReadonlySet<Token | undefined>): Choice | null {
  const choices = body.flatMap((token, index): Choice[] => {
    const cue = cueAt(body, index);
    if (cue === undefined || !cues.has(token)) return [];
    const part = partAt(body, index);
    return part === null ? [] : [{ index, part, meaning: cue.meaning, word: token.lower }];
  });
  const negated = choices.find(
    (choice) =>
      choice.part !== 'comparative' &&
      !body.slice(0, choice.index).some((token) => token.lower === 'without') &&
      precededByNegation(body, choice.index),
  );
  const predicate = (choice: Choice): boolean =>
    choice.part === 'comparative' &&
    /^(?:equal|change)$/.test(choice.meaning) &&
    !choices.some((other) => other.part === 'verb');
  return (
    choices.find((choice) => choice.part === 'link') ??
    negated ??
    choices.find((choice) => choice.part === 'verb') ??
    choices.find(predicate) ??
    choices.find((choice) => choice.part === 'noun') ??
    choices[0] ??
    null
  );
}

function partAt(body: readonly Token[], index: number): Choice['part'] | null {
  const cue = cueAt(body, index);
  if (cue === undefined) return null;
  const before = wordBefore(body, index);
  const immediate = body[index - 1]?.lower ?? '';
  const next = body[index + 1];
  if (cue.parts.has('link')) return 'link';
  const word = body[index]?.lower ?? '';
  const afterAuxiliary =
    /^(?:was|were|is|are|be|been|did|does|do|not|to|may|might|can|could|will|would|should|has|have|had|cannot|neither|n't|didn't|doesn't|also|failed)$/.test(
      before,
    );
  const determined =
    /^(?:the|a|an|this|these|no|any|of|with|by|for|in|its|their|significant|greater|larger|smaller|mean|average|and|or|showed|had|had|experienced|reported|observed|to)$/.test(
      before,
    );
  if (
    cue.parts.has('noun') &&
    !(afterAuxiliary && cue.parts.has('verb') && !isNounAfterHave(body, index, before))
  ) {
    const asVerb =
      cue.parts.has('verb') &&
      !determined &&
      !/^(?:of|in|on|between|among|for|was|were|from)$/.test(next?.lower ?? '') &&
      /s$|^(?:fell|rose|lost)$/.test(word);
    const bareVerb =
      cue.parts.has('verb') &&
      !determined &&
      next !== undefined &&
      next.word &&
      !isPreposition(next) &&
      index > 0 &&
      !/^(?:was|were|is|are)$/.test(next.lower);
    return asVerb || bareVerb ? 'verb' : 'noun';
  }
  if (cue.parts.has('comparative')) {
    const beBefore = /^(?:was|were|is|are|be|been|being)$/.test(before);
    if (cue.parts.has('verb')) {
      if (beBefore) return 'verb';
      const attribute =
        /^(?:the|a|an|with|of|in|by|had|has|have|showed|for|and|to|experienced|demonstrated|reported|observed|as|resulted|led)$/.test(
          before,
        ) &&
        next !== undefined &&
        next.word &&
        !isPreposition(next) &&
        !ADVERB_AHEAD.test(next.lower);
      return attribute && before !== 'have' && before !== 'has' ? 'comparative' : 'verb';
    }
    return 'comparative';
  }
  if (cue.parts.has('verb') && /^(?:the|a|an|this)$/.test(immediate) && word.endsWith('ed')) return null;
  return cue.parts.has('verb') ? 'verb' : 'noun';
}

function isNounAfterHave(body: readonly Token[], index: number, before: string): boolean {
  return (
    /^(?:had|has|have|was|were|is|are|not)$/.test(before) &&
    /^(?:in|on|of|between)$/.test(body[index + 1]?.lower ?? '')
  );
}

/** The word before, adverbs and numbers skipped. */
function wordBefore(body: readonly Token[], index: number): string {
  for (let at = index - 1; at >= 0; at -= 1) {
    const lower = body[at]?.lower ?? '';
    if (/^(?:[a-z-]+ly|also|both|even|further|statistically)$/.test(lower)) continue;
    return lower;
  }
  return '';
}

function precededByNegation(body: readonly Token[], index: number): boolean {
  if (/^(?:none|neither)$/.test(body[0]?.lower ?? '')) return true;
  for (let at = index - 1, seen = 0; at >= 0 && seen < 9; at -= 1, seen += 1) {
    const lower = body[at]?.lower ?? '';
    if (lower === 'only' && body[at - 1]?.lower === 'not') return false;
    // "…, but not the weight, fell" denies one item of a list.
    if (lower === 'not' && body[at - 1]?.lower === 'but') continue;
    if (NEGATIONS.has(lower))
      return !(lower === 'no' && /^(?:of|group|control|in|received)$/.test(body[at - 1]?.lower ?? ''));
    const cue = cueAt(body, at);
    if (lower === 'that' || (lower === ',' && seen > 0 && !isPreposition(body[at + 1]))) {
      if (lower === 'that') return false;
    }
    if (cue !== undefined && cue.parts.has('verb') && !cue.parts.has('noun') && !cue.parts.has('comparative'))
      return false;
  }
  return false;
}

export function isNegated(body: readonly Token[], choice: Choice, masked: string): boolean {
  if (precededByNegation(body, choice.index)) return true;
  const rest = textOf(body.slice(choice.index + 1), masked);
  const later = LATER_NEGATION.exec(rest.split(/\b(?:than|but not (?:in|for|with|after|to))\b/)[0] ?? rest);
  return later !== null && !/\bnot only\b/.test(later[0]);
}
