import { unknownAcronyms } from './acronyms';
import { DOCUMENT_WORTH, STUDY_WORTH } from './weights';
import type { SentenceAssessment, SentenceSetting } from './kinds';
import { documentRejection, studyRejection } from './not-a-result';
import { readingProblem } from './reads-whole';
import { isWholeAssertion } from './whole-assertion';
import { OWN_STUDY, resultKind } from './result-cues';
import { statisticsCues } from './statistics-cues';

const NO_ACRONYMS: ReadonlySet<string> = new Set();
const HEDGE =
  /\b(?:may|might|could|appears? to|seems? to|suggest(?:s|ed|ing)?|potential(?:ly)?|tend(?:s|ed)? to|trends?)\b/i;
/** A conclusion in the present tense says what the studied thing does: `improves`, `is effective`, `does not reduce`. */
const ACTIVE_PRESENT =
  /\b(?:improves?|reduces?|increases?|decreases?|lowers?|raises?|enhances?|prevents?|attenuates?|promotes?|restores?|affects?|leads? to|results? in|produces?|provides?|protects?|induces?|(?:is|are|has|have|does|do) (?:not |no |an? |the |\w+ly |more |less |as |equally |highly )*(?:effective|efficacious|beneficial|effects?|benefits?|superior|inferior|safe|ineffective|influence|impact|improve|reduce|increase|affect|decrease|better|associated|related)|can (?:\w+ly )?(?:improve|reduce|increase|decrease|lower|enhance|prevent|partially|restore|help|lead|produce|attenuate|promote))\b/i;
/** Boys with girls, men with women: a difference of people, not of what was done. */
const COMPARES_KINDS_OF_PEOPLE =
  /\b(?:boys|men|males?|women|girls|females?|younger|older)\b[^.]{0,80}\b(?:than|compared (?:with|to)|versus|vs\.?) (?:\w+ ){0,2}(?:boys|men|males?|women|girls|females?|younger|older)\b|\b(?:gender|sex|age) differences?\b|\b(?:compared (?:with|to|in)|than|versus|vs\.?) (?:[\w-]+ ){0,5}(?:non-?smokers|healthy (?:controls|individuals|subjects|people|volunteers)|normal (?:individuals|subjects|controls))\b|\b(?:overweight|obese|lean|normal[- ]weight|underweight|diabetic|healthy|older|younger|male|female)\b[^.]{0,40}\b(?:than|compared (?:with|to|in)|versus|vs\.?) (?:\w+ ){0,3}(?:overweight|obese|lean|normal[- ]weight|underweight|non-?diabetic|healthy|older|younger|male|female)\b|^(?:(?:morbidly|severely|more|less) )?(?:overweight|obese|lean|normal[- ]weight|underweight|older|younger|male|female|boys|girls)\b[^.]{0,60}\b(?:had|showed|were|have) (?:\w+ ){0,2}(?:lower|higher|greater|less|more|fewer)\b|\b(?:those|patients|participants|subjects|women|men) with a (?:BMI|body mass index)\b/i;
/** How two measures go together, which says nothing of what was done. */
const CORRELATION =
  /\bcorrelat|\br ?= ?[-−–]?0?[.·]\d|\b(?:relationship|association) between\b|\b(?:was|were) (?:\w+ly )?associated(?! with)\b/i;
const SELF_REFERENCE =
  /^(?:this|the (?:present|current)|our|these) |^(?:we|in (?:conclusion|summary|this|our|the present)) /i;
/** True where the sentence is no more than a guess of its writers: hedged, and without figures. */
export function isHedged(sentence: string): boolean {
  return HEDGE.test(sentence);
}

/**
 * How much a sentence is worth reporting: a result that the source itself asserts and that reads whole on its own. The
 * worth starts from the part of the source that it stands in and rises with tests, figures and comparisons (`weights`).
 */
export function assessSentence(sentence: string, setting: SentenceSetting): SentenceAssessment {
  const start = (setting.genre === 'study' ? STUDY_WORTH : DOCUMENT_WORTH)[setting.zone];
  if (start === 0) return { worth: 0, kind: 'no-result', reasons: [`stands in the ${setting.zone}`] };
  return setting.genre === 'study'
    ? assessResult(sentence, setting, start)
    : assessAssertion(sentence, setting, start);
}

function assessResult(sentence: string, setting: SentenceSetting, start: number): SentenceAssessment {
  const kind = resultKind(sentence);
  if (kind === null)
    return { worth: 0, kind: 'no-result', reasons: ['reports no change, difference or association'] };
  const figures = statisticsCues(sentence);
  const hasEffect = figures.tested || figures.compares;
  const rejection =
    readingProblem(sentence, setting.knownAcronyms ?? NO_ACRONYMS, setting.explainedAcronyms) ??
    studyRejection(sentence, figures);
  if (rejection) return { worth: 0, kind: rejection.kind, reasons: [rejection.reason] };
  const own = OWN_STUDY.test(sentence);
  const past = /\b(?:was|were|had|did|\p{Ll}{3,}ed|fell|rose|lost|led)\b/u.test(sentence);
  if (setting.zone === 'discussion' && !own && !(hasEffect && past)) {
    return { worth: 0, kind: 'others-work', reasons: ['a general statement of the discussion'] };
  }
  if (setting.zone === 'unknown' && !own && !past && !hasEffect)
    return { worth: 0, kind: 'no-result', reasons: ['a general statement'] };
  if (
    (setting.zone === 'conclusions' || setting.zone === 'abstract') &&
    !own &&
    !past &&
    !hasEffect &&
    !ACTIVE_PRESENT.test(sentence)
  ) {
    return { worth: 0, kind: 'no-result', reasons: ['a general statement'] };
  }
  const reasons: string[] = [kind];
  let worth = start;
  const count = (amount: number, reason: string): void => {
    worth += amount;
    reasons.push(reason);
  };
  if (setting.inAbstract === true || setting.zone === 'abstract') count(0.25, 'in the abstract');
  else if (setting.zone === 'results' && !figures.tested && !figures.interval)
    count(-0.2, 'an untested detail');
  if (figures.tested) count(0.08, 'tested');
  if (figures.quantities > 0) count(0.1, 'says how much');
  if (figures.compares) count(0.06, 'compares figures');
  if (figures.interval) count(0.04, 'says how sure');
  if (kind === 'comparison') count(0.05, 'compares');
  if (kind === 'association' || CORRELATION.test(sentence))
    count(CORRELATION.test(sentence) ? -0.45 : -0.22, 'an association');
  if (kind === 'no-difference') count(-0.05, 'reports no difference');
  const unexplained = setting.explainedAcronyms
    ? unknownAcronyms(sentence, setting.knownAcronyms ?? NO_ACRONYMS).length
    : 0;
  if (unexplained > 0) count(-0.16 * unexplained, 'acronyms that are explained elsewhere');
  if (HEDGE.test(sentence)) count(hasEffect ? -0.12 : -0.3, 'hedged');
  if (COMPARES_KINDS_OF_PEOPLE.test(sentence)) count(-0.3, 'compares kinds of people');
  if (SELF_REFERENCE.test(sentence)) count(-0.1, 'speaks of itself');
  return { worth: clamp(worth), kind, reasons };
}

function assessAssertion(sentence: string, setting: SentenceSetting, start: number): SentenceAssessment {
  const rejection =
    readingProblem(sentence, setting.knownAcronyms ?? NO_ACRONYMS, setting.explainedAcronyms) ??
    documentRejection(sentence);
  if (rejection) return { worth: 0, kind: rejection.kind, reasons: [rejection.reason] };
  if (!isWholeAssertion(sentence))
    return { worth: 0, kind: 'unreadable', reasons: ['no subject or no verb'] };
  const reasons = ['asserts'];
  let worth = start;
  if (/\b(?:you|your|we|our)\b/i.test(sentence)) {
    worth -= 0.15;
    reasons.push('addresses the reader');
  }
  if (HEDGE.test(sentence)) worth -= 0.05;
  if (SELF_REFERENCE.test(sentence)) worth -= 0.05;
  if (statisticsCues(sentence).quantities > 0) worth += 0.05;
  return { worth: clamp(worth), kind: 'assertion', reasons };
}

function clamp(worth: number): number {
  return Math.round(Math.min(1, Math.max(0.01, worth)) * 1000) / 1000;
}
