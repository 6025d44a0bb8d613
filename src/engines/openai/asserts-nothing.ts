import { hasEncodedText } from '../../core/encoded-text';
import { splitSentences } from '../../language/sentences';
import { documentRejection } from '../../core/worth/not-a-result';

const QUESTION = /\?["'”’)\]]*$/;

/** What speaks to a model asserts nothing. */
const SPEAKS_TO_MODEL =
  /\b(?:your|the (?:next|final)) (?:response|reply|answer|output)\b|\b(?:ignore|disregard|forget|override) (?:\w+ ){0,3}(?:instructions?|prompts?|rules|above|previous)\b|\bsystem prompt\b|\bas an? (?:ai|language model)\b|\byou are (?:now )?an? (?:ai|assistant|language model)\b/i;

/** Orders for a text, of which the rule for sources' own instructions does not know. */
const ORDER =
  /^(?:please )?(?:draft|develop|break (?:up|down)|render|jumble|shuffle|produce|prepare|design|invent|imagine|say|sing|recite|paraphrase|simplify) (?:a|an|the|this|that|your|my|me|us|up|down|it)\b|^(?:please )?(?:mention|say|include|append|reply|respond|tell|forget|ignore|disregard) /i;

/** The brackets and the address of a link or an image, without its words. */
const LINK_MARKS = /!?\[|\]\([^)\s]*\)?|\]/g;
const OPENING_MARKS = /^[\s"'“”‘’«»(){}*_#>~`-]+/u;

/** So many characters one after the other that nobody sees are a text of their own. */
const INVISIBLE_RUN = /\p{Default_Ignorable_Code_Point}{4}/u;

/** Whether a sentence gives orders or speaks to a model. */
export function givesOrder(sentence: string): boolean {
  const plain = sentence.replace(LINK_MARKS, ' ').replace(OPENING_MARKS, '');
  return SPEAKS_TO_MODEL.test(plain) || ORDER.test(plain) || documentRejection(plain)?.kind === 'instruction';
}

/**
 * Whether a text asks, orders, speaks to a model, or hides something from its readers, in any of its sentences: one spoils
 * the others, which may be there for its sake.
 */
export function assertsNothing(text: string): boolean {
  return (
    INVISIBLE_RUN.test(text) ||
    hasEncodedText(text) ||
    splitSentences(text.replace(LINK_MARKS, ' ')).some(
      ({ text: sentence }) => QUESTION.test(sentence) || givesOrder(sentence),
    )
  );
}
