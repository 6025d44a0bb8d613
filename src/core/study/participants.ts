import { COUNT, countOf } from './number-words';

const PEOPLE =
  'participants|patients|subjects|volunteers|adults|women|men|children|adolescents|individuals|persons|people|students|infants|boys|girls|athletes|players|cyclists|runners|swimmers|rowers|employees|workers|nurses|males|females|recipients|survivors|residents|couples|mothers|families|veterans|outpatients|inpatients|smokers|neonates|toddlers|seniors|elders|teenagers|youths?|dyads|schoolchildren|soldiers|recruits|users|drinkers|households|parents|caregivers|pairs|mice|rats|goats|pigs|dogs|calves|newborns|officers|drivers|clients|respondents';
/** A word that may stand between the number and the people: an adjective, a noun of the illness. */
const MODIFIER =
  "(?!(?:of|and|or|to|in|at|for|per|each|were|was|had|out|from|by|than|weeks?|months?|years?|days?|minutes?|hours?|times|sites?|centers?|centres?|schools?|groups?|sessions?|clinics?|hospitals?|control|intervention|placebo|eligible|screened|remaining|additional|more|other|who|which|with|percent)\\b)[\\p{L}][\\p{L}’'/-]*(?:,? \\(?[A-Z]{2,5}\\)?)?";
const PHRASE = new RegExp(
  `(?<![\\p{L}\\p{N}.,±–-]|\\d )(${COUNT}) ((?:${MODIFIER},? (?:and )?){0,5}?(?:${PEOPLE}))\\b`,
  'giu',
);
const WITH =
  /^ (?:with|at (?:high |increased )?risk (?:of|for)|suffering from|diagnosed with) (?:[\p{L}\d’'/-]+ ?){1,9}/u;
const WITH_STOP =
  /\b(?:were|was|had|have|has|who|whom|which|that|aged?|participat\w*|took|completed|received|underwent|in (?:a|an|this|the|our|two|each|all)|from|at|into|to|by|during|after|before|between|as|on|for|mean|using|randomly|randomi[sz]ed|recruited|enrolled|entered|attending|living|visited|visiting|undergoing|without|and (?:were|a|the|had|\d+)|or (?:a|to))\b/i;

/** The people are the whole sample of the study. */
const WHOLE_SAMPLE =
  /\brandom(?:i[sz]ed|ly)|\b(?:recruited|enrol+ed|participated|took part|included|studied|trial (?:of|with|in|involving)|study (?:of|with|in|involving|population|sample)|sample of|total of|allocated|assigned|volunteered|entered)\b|^/i;
const STRONG = /\brandom(?:i[sz]ed|ly)\b|\ballocated\b|\bassigned\b/i;
const RECRUITED =
  /\b(?:recruited|enrol+ed|participated|took part|were included|volunteered|trial (?:of|with|in|involving)|study (?:of|with|in|involving)|total of|were studied|sample (?:of|consisted)|entered (?:the|this|into))\b/i;
/** The people are those before the choice, after the losses, a part of the sample, or somebody else's. */
const NOT_THE_SAMPLE =
  /\b(?:screened|eligible|approached|invited|contacted|assessed for|withdrew|dropped|excluded|lost to|discontinued|completers|declined|required|needed|necessary|power|sample size|calculated|calculation|per (?:group|arm)|in each|each group|each arm|of whom|of these|of them|respectively|previous|prior|other stud|identified|applied|interested|would be|will be|remaining|subset|subsample|sub-sample|subgroup|responded|non-?responders|died|refused|planned|target|at least|up to|approximately|about|nearly|almost|more than|over|data from|analy[sz]ed|analysis|missing|returned|consented|indicated|visited|interest\w*|workforce|employs?|database|out of)\b/i;

/** The participants of a study with their number, as a phrase of the source, or undefined where it is not sure. */
export function participantsOf(sentences: readonly string[]): string | undefined {
  const found: { phrase: string; count: number; strength: number }[] = [];
  for (const sentence of sentences) {
    if (!WHOLE_SAMPLE.test(sentence) || sentence.length > 600) continue;
    const matches = [...sentence.matchAll(PHRASE)].slice(0, 6);
    for (const [index, match] of matches.entries()) {
      const clause = clauseAround(sentence, match.index, match[0].length);
      if (NOT_THE_SAMPLE.test(clause)) continue;
      const after = sentence.slice(match.index + match[0].length);
      if (
        /^ ?(?:per|in each|in the \w+ (?:group|arm)|\/|each)\b/.test(after) ||
        /^ \(?\d+(?:\.\d+)? ?%/.test(after)
      )
        continue;
      if (
        /^,?(?: and| or|, ) ?\d+ /.test(after) ||
        /\b(?:to|in|into) [^.;]{1,60}? and \d+ (?:to|in|were|received|was)\b/.test(after)
      )
        continue;
      if (
        /(?:workforce|population|database|sample|out) of (?:about |over )?$/.test(
          sentence.slice(0, match.index),
        ) &&
        !/sample of $/.test(sentence.slice(0, match.index))
      )
        continue;
      if (index > 0 && !/total of/.test(sentence.slice(0, match.index))) continue;
      const count = countOf(match[1] ?? '');
      if (count === null || count < 4 || (/^\d{4}$/.test(match[1] ?? '') && count >= 1900 && count <= 2030))
        continue;
      const strength = (STRONG.test(clause) ? 3 : 0) + (RECRUITED.test(clause) ? 2 : 0);
      if (strength === 0) continue;
      found.push({ phrase: phraseOf(match[1] ?? '', match[2] ?? '', after), count, strength });
    }
  }
  if (found.length === 0) return undefined;
  const best = found.reduce((one, other) => (other.strength > one.strength ? other : one));
  const rivals = found.filter((other) => other.strength >= best.strength && other.count !== best.count);
  const countsTime = /\b(?:minutes?|hours?|days?|weeks?|months?)\b/i.test(best.phrase);
  return rivals.length === 0 && best.phrase.length <= 110 && !countsTime ? best.phrase : undefined;
}

function clauseAround(sentence: string, at: number, length: number): string {
  const before = Math.max(sentence.lastIndexOf(';', at), sentence.lastIndexOf(': ', at)) + 1;
  const after = sentence.slice(at + length).search(/;|, (?:of which|of whom|and \d+|\d+)|\. /);
  return sentence.slice(before, after < 0 ? sentence.length : at + length + after);
}

/** `7,216 men` of `7,216 men and women` would be another sample. */
const OTHER_SEX = /^ and (?:women|men|girls|boys|females|males)\b/i;
/** A degree without its illness: `patients with mild` of `patients with mild to moderate asthma`. */
const DEGREE_ALONE = /^with (?:mild|moderate|severe|low|high|early|late|stage|grade)$/i;

function phraseOf(count: string, people: string, text: string): string {
  const both = OTHER_SEX.exec(text)?.[0] ?? '';
  const after = text.slice(both.length);
  let postfix = WITH.exec(after)?.[0] ?? '';
  const rest = after.slice(postfix.length);
  if (
    /^(?:with an? )/.test(postfix.trim()) &&
    !/^\s*(?:$|[,.;]|\(mean|\(age)/.test(rest) &&
    !WITH_STOP.test(postfix)
  )
    postfix = '';
  const stop = WITH_STOP.exec(postfix);
  if (stop) postfix = postfix.slice(0, stop.index);
  // Words go on behind the most that are read: the phrase would break off in the middle of a condition's name.
  else if (/^\s*\p{L}/u.test(after.slice(postfix.length))) postfix = '';
  postfix = postfix.trim().replace(/\s+(?:and|or|with|of|the|a|an|for|in)$/i, '');
  if (/^(?:with|at(?: \w+)? risk \w+|suffering from|diagnosed with)$/i.test(postfix)) postfix = '';
  if (DEGREE_ALONE.test(postfix)) postfix = '';
  const number = /^\p{L}/u.test(count) ? count.toLowerCase() : count;
  return `${number} ${people}${both}${postfix === '' ? '' : ` ${postfix}`}`.replace(/\s+/g, ' ');
}
