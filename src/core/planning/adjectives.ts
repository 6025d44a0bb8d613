/** Endings of adjectives and participles: a phrase that ends in one has lost its noun, unless it often ends sentences so. */
const ADJECTIVE =
  /(?:al|ic|ive|ous|able|ible|ary|ar|based|related|specific|free|rich|dependent|induced|ed|ian|ant|ent|ese|less|ful|ing|er|est|y)$/;
const NOUN_IN_SPITE =
  /(?:ity|ency|ancy|ency|logy|graphy|therapy|ment|ing|ery|energy|body|study|memory|biopsy|activity|copy|history|anxiety|artery|surgery|recovery|city|key|query|library|registry|directory|factory|binary|boundary|dictionary|entry|retry|proxy|policy|dependency|latency)s?$/;

/** Whether a word is more likely an adjective or a participle than a noun, by its ending. */
export function looksAdjectival(form: string): boolean {
  return ADJECTIVE.test(form) && !NOUN_IN_SPITE.test(form);
}
