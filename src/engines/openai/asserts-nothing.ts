import { splitSentences } from '../../core/text/sentences';
import { documentRejection } from '../../core/worth/not-a-result';

/** What speaks to a model or asks a question asserts nothing. */
const NO_ASSERTION =
  /\?["'”’)\]]*$|\b(?:your|the (?:next|final)) (?:response|reply|answer|output)\b|\b(?:ignore|disregard|forget|override) (?:\w+ ){0,3}(?:instructions?|prompts?|rules|above|previous)\b|\bsystem prompt\b|\bas an? (?:ai|language model)\b|\byou are (?:now )?an? (?:ai|assistant|language model)\b/i;

/** Orders for a text, of which the rule for sources' own instructions does not know. */
const ORDER =
  /^(?:please )?(?:draft|develop|break (?:up|down)|render|jumble|shuffle|produce|prepare|design|invent|imagine|say|sing|recite|paraphrase|simplify) (?:a|an|the|this|that|your|my|me|us|up|down|it)\b|^(?:please )?(?:mention|say|include|append|reply|respond|tell|forget|ignore|disregard) /i;

/**
 * Whether a text asks, orders, or speaks to a model, in any of its sentences: one spoils the others, which may be there for
 * its sake.
 */
export function assertsNothing(text: string): boolean {
  return splitSentences(text).some(
    ({ text: sentence }) =>
      NO_ASSERTION.test(sentence) ||
      ORDER.test(sentence) ||
      documentRejection(sentence)?.kind === 'instruction',
  );
}
