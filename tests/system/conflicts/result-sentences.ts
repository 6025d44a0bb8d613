import { terms } from '../../../src/language/words';
import { resultScore } from '../../../src/reading/features/result-score';
import type { Study } from './studies';

/** What may be a table taken for a sentence is longer, a heading shorter. */
const LENGTH = { least: 30, most: 500 };

/** The sentences that the result score and their words take for results of an effect, where sources tell theirs. */
export function quotableResults({ sentences }: Study): string[] {
  return sentences
    .filter(
      ({ text, zone }) => TELLING.test(zone) && text.length >= LENGTH.least && text.length <= LENGTH.most,
    )
    .map(({ text }) => text)
    .filter((text) => text.endsWith('.') && resultScore(text) > 0 && RESULT.test(text));
}

const TELLING = /^(?:results|conclusions|abstract)$/;
const RESULT =
  /\b(?:(?:in|de)crease[ds]?|reduced?|reductions?|improve(?:d|ments?)?|lower(?:ed)?|higher|greater|smaller|rose|fell|declined?|gain(?:ed)?|lost|differ(?:ed|ences?)?|effects?|effective|associated|significant(?:ly)?|change[ds]?|attenuated|enhanced|prevented|remained)\b/i;
const PAST = /\b(?:was|were|had|did|\p{Ll}{3,}ed|fell|rose|lost|led)\b/u;
const NO_RESULT =
  /\b(?:may|might|could|should|would|can|suggests?|suggesting|likely|possibl[ey]|probably|perhaps|hypothes\w+|aim(?:ed)?|whether|recommend\w*|previous(?:ly)?|baseline differences|drop-?outs?|withdr[ae]w\w*|correlat\w*|adher\w*|attend\w*|unclear|essential|other (?:studies|experiments)|examined|investigated|randomi[sz]ed|assigned|analy[sz]ed|assessed|measured|we performed|future|expected|appears?|seems?|trend|tended|tendency|interaction)\b|\?/i;
const POINTS_ELSEWHERE =
  /\[\d|\bet al\b|\b(?:Table|Fig|Figure|Additional|Supplement\w* (?:file|table|figure))|https?:|[a-z]\(\d{1,2}[),]|\^/i;
const POINTS_BACK =
  /^(?:this|these|those|that|it|its|they|their|he|she|such|both|however|also|moreover|furthermore|in addition|additionally|similarly|conversely|in contrast|likewise|there(?:fore|by)|thus|hence|here|another|the (?:other|latter|former|same|above)|none)\b|\b(?:the latter|the former|respectively)\b|\b(?:these|this|such) (?!study|trial)\w+/i;
const ABBREVIATION = /\b[A-Z][A-Za-z]?[A-Z]+[\w-]*/g;
const WELL_KNOWN = /^(?:BMI|LDL|HDL|CI|OR|RR|HR|SD|SE|SEM|DHA|EPA|DNA|HIV|IU|USA|UK|US|II|III)\b/;

/** The sentences that a reader would take for results by their words, whatever the engine makes of them. */
export function plainResults({ title, sentences }: Study): string[] {
  const named = new Set(terms(title));
  return sentences
    .filter(({ zone }) => TELLING.test(zone))
    .map(({ text }) => text)
    .filter((text) => {
      const words = text.split(/\s+/).length;
      return (
        words >= 8 &&
        words <= 45 &&
        /^\p{Lu}.*\.$/su.test(text) &&
        RESULT.test(text) &&
        PAST.test(text) &&
        [NO_RESULT, POINTS_ELSEWHERE, POINTS_BACK].every((pattern) => !pattern.test(text)) &&
        [...text.matchAll(ABBREVIATION)].every(
          ([word]) => WELL_KNOWN.test(word) || text.includes(`(${word})`),
        ) &&
        terms(text).some((term) => named.has(term))
      );
    });
}
