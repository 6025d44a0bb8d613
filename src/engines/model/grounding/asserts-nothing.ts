import { hasEncodedText } from '../../../core/text/encoded-text';
import { splitSentences } from '../../../language/sentences';
import orders from './data/orders.json';

const QUESTION = /\?["'”’)\]]*$/;

const TO_MODEL = [
  /\b(?:your|the (?:next|final)) (?:response|reply|answer|output)\b/i,
  /\b(?:ignore|disregard|forget|override) (?:\w+ ){0,3}(?:instructions?|prompts?|rules|above|previous)\b/i,
  /\b(?:your|this|the above|my) system prompt\b/i,
  /\bas an? (?:ai|language model)\b|\byou are (?:now )?an? (?:ai|assistant|language model)\b/i,
];

/** An order to a writer begins with its verb. */
const ORDER = new RegExp(
  `^(?:please )?(?:(?:${orders.alone.join('|')})|(?:${orders.nounsToo.join('|')}) (?:${orders.objects.join('|')}))\\b`,
  'i',
);

/** The brackets and the address of a link or an image, without its words. */
const LINK_MARKS = /!?\[|\]\([^)\s]*\)?|\]/g;
const OPENING_MARKS = /^[\s"'“”‘’«»(){}*_#>~`-]+/u;

/** So many characters one after the other that nobody sees are a text of their own. */
const INVISIBLE_RUN = /\p{Default_Ignorable_Code_Point}{4}/u;

/** Whether a sentence gives orders or speaks to a model. */
export function givesOrder(sentence: string): boolean {
  const plain = sentence.replace(LINK_MARKS, ' ').replace(OPENING_MARKS, '');
  return ORDER.test(plain) || TO_MODEL.some((pattern) => pattern.test(plain));
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
