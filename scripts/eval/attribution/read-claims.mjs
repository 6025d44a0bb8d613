import { built } from '../built.mjs';
import { readRecords } from '../read-records.mjs';
import { UsageError } from '../usage-error.mjs';

/** By label, whether the references bear the claim; what they bear in part they do not bear. */
const IS_BORNE = {
  attributable: true,
  'not attributable': false,
  supported: true,
  'partially supported': false,
  'not supported': false,
};

/**
 * Claims in the format of AttributionBench, each of whose references is a passage, or of WiCE, whose evidence is the sentences
 * of one page. A claim comes without citation marks, as everybody's report is read.
 */
export function readClaims(file) {
  const { withoutCitationMarks } = built('language/citation-marks.js');
  return readRecords(file, { claim: 'text', label: 'text' }).map((record, at) => {
    const { id = '', claim, label, references, evidence, subset = 'all' } = record;
    const isBorne = IS_BORNE[label.toLowerCase().replaceAll('_', ' ')];
    if (isBorne === undefined)
      throw new UsageError(
        `${file}, record ${at + 1}: the label "${label}" is none of ${Object.keys(IS_BORNE).join(', ')}.`,
      );
    const texts = references ?? evidence;
    if (!Array.isArray(texts) || texts.some((text) => typeof text !== 'string'))
      throw new UsageError(`${file}, record ${at + 1} has no list of texts as "references" or "evidence".`);
    const passages = references === undefined ? [texts.join('\n')] : texts;
    return { id, claim: withoutCitationMarks(claim), isBorne, subset, passages };
  });
}
