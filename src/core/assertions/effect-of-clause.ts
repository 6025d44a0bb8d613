import { armsIn } from './adjuncts';
import type { Concept, Direction, Effect } from './assertion';
import { cueAt, isPreposition, type Clause, type Token } from './clauses';
import { namesControl, outcomeConcept, treatmentConcept } from './concepts';
import { NEGATIONS, type CueMeaning } from './polarity-words';

const BE = /^(?:was|were|is|are|be|been|being|remained|remains|became)$/;
const AUXILIARY =
  /^(?:was|were|is|are|be|been|being|has|have|had|did|does|do|can|could|may|might|will|would|should|also|both|to|not|n't|only|even|further|not-only|seem|seems|seemed|appear|appears|appeared|tended|failed|fails|unable|cannot|all|each|either|remained|more|most|much|even|then|still|yet|never|no|longer|been|effective|in|for|at|able)$/;
const ADVERB =
  /^(?:[a-z-]+ly|also|both|even|further|well|much|more|less|very|quite|not|still|thus|then|again|only|somewhat|twice)$/;
const SUPPORT =
  /^(?:resulted|results|result|led|leads|lead|leading|resulting|showed|shows|show|shown|showing|produced|produces|had|has|have|having|experienced|demonstrated|demonstrates|caused|causes|cause|induced|induces|achieved|exhibited|reported|observed|found|revealed|displayed|made|provided|provides|reached|gained|elicited|yielded|attained|indicated|detected|seen|noted|was|were|is|are|there|exerted|exert|associated|by|due|with)$/;
const CLAUSE_OPENER =
  /^(?:that|found|finding|suggest|suggests|suggested|indicate|indicates|indicated|concluded|conclude|which|who|hypothesized|showed|revealed|demonstrated|shows|show|because|confirmed|confirm)$/;
const ANY_ONE =
  /^(?:the |both |all |these |two |three |four |any |study |treatment |of )*(?:groups?|arms?|conditions?|participants?|subjects?|patients?|individuals?|women|men|children|they|we|trials?|it|those|respondents|people|adults|who|which|that|)$/i;
const NAMED_ARMS =
  /\b(?:groups|arms|conditions|participants|subjects|patients|trials|interventions|treatments)$/i;
const TREATED =
  /\b(?:both|between|among|compared|than|versus|vs|relative|intervention|treatment|treated|experimental|and) /i;
const MODAL =
  /\b(?:may|might|could(?! be (?:seen|found|observed|shown|demonstrated|detected|confirmed)| not)|possibly|perhaps|potentially|appear(?:s|ed)? to|seem(?:s|ed)? to|(?<!more |less )likely|promising)\b/i;
const TREND =
  /\b(?:tended|tendency|tendencies|trends?|trended|borderline|marginal(?:ly)?|approached significance)\b/i;
const LATER_NEGATION =
  /\b(?:(?:was|were|is|are|did|do|does|has|have|but|although|though|yet) (?:[\w-]+ ){0,3}?(?:not|never)\b|(?:failed to|did not) (?:reach|be|attain|achieve|differ)|non-?significant|was absent|were absent|not (?:statistically )?significant(?:ly)?\b|no longer)/i;

interface Choice {
  index: number;
  part: 'verb' | 'noun' | 'comparative' | 'link';
  meaning: CueMeaning;
  word: string;
}

/** What one clause states; null where it states nothing about an outcome. `raw` is the clause with its brackets. */
export function effectOfClause(clause: Clause, masked: string, raw: string): Omit<Effect, 'results'> | null {
  const { lead, body } = withoutLead(clause);
  const choice = mainCue(body);
  if (choice === null) return null;
  const left = body.slice(0, choice.index);
  const right = body.slice(choice.index + 1);
  const parts = partsOf(choice, left, right, masked);
  const adjuncts = `${textOf(lead, masked)} ; ${parts.adjuncts} ; ${raw.match(/\((?:compared|versus|vs)[^)]*\)/i)?.[0] ?? ''}`;
  const arms = armsIn(`${adjuncts} .`);
  const named = treatmentConcept(parts.agent);
  const agentArms =
    named.terms.length > 0 && /\b(?:group|arm|in|receiving)\b/i.test(parts.agent)
      ? armsIn(`in ${parts.agent} .`)
      : null;
  const treated =
    agentArms !== null && agentArms.treated.terms.length > 0
      ? agentArms.treated
      : named.terms.length > 0
        ? named
        : arms.treated;
  const outcomes = outcomesIn(parts.outcome);
  if (
    treated.terms.length === 0 &&
    arms.comparator.terms.length === 0 &&
    namesControl(parts.agent === '' ? adjuncts : parts.agent) &&
    !TREATED.test(adjuncts)
  )
    return null;
  const negated = isNegated(body, choice, masked);
  const direction = directionOf(choice, body, negated, raw, masked);
  const whole = textOf(body, masked);
  return {
    direction: arms.swapped && named.terms.length === 0 ? opposite(direction) : direction,
    basis: arms.basis,
    tentative: MODAL.test(whole) || TREND.test(whole),
    intervention: treated,
    comparator: arms.comparator,
    outcomes,
  };
}

function textOf(tokens: readonly Token[], masked: string): string {
  const first = tokens[0];
  const last = tokens.at(-1);
  return first === undefined || last === undefined
    ? ''
    : masked.slice(first.start, last.end).replace(/\s+/g, ' ');
}

/** Takes "After 12 weeks," and "Compared with placebo," from the front. */
function withoutLead(clause: Clause): { lead: readonly Token[]; body: readonly Token[] } {
  if (!isPreposition(clause.tokens[0]) && !/^(?:as|also|moreover)$/.test(clause.tokens[0]?.lower ?? ''))
    return { lead: [], body: clause.tokens };
  const comma = clause.tokens.findIndex(
    (token, index) => token.lower === ',' && index < 30 && clause.cues.some((cue) => cue > index),
  );
  return comma > 0
    ? { lead: clause.tokens.slice(0, comma), body: clause.tokens.slice(comma + 1) }
    : { lead: [], body: clause.tokens };
}

function mainCue(body: readonly Token[]): Choice | null {
  const choices = body.flatMap((token, index): Choice[] => {
    const cue = cueAt(body, index);
    if (cue === undefined) return [];
    const part = partAt(body, index);
    return part === null ? [] : [{ index, part, meaning: cue.meaning, word: token.lower }];
  });
  const negated = choices.find(
    (choice) => choice.part !== 'comparative' && precededByNegation(body, choice.index),
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
        !ADVERB.test(next.lower);
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

function isNegated(body: readonly Token[], choice: Choice, masked: string): boolean {
  if (precededByNegation(body, choice.index)) return true;
  const rest = textOf(body.slice(choice.index + 1), masked);
  const later = LATER_NEGATION.exec(rest.split(/\b(?:than|but not (?:in|for|with|after|to))\b/)[0] ?? rest);
  return later !== null && !/\bnot only\b/.test(later[0]);
}

interface Parts {
  agent: string;
  outcome: string;
  adjuncts: string;
}

function partsOf(choice: Choice, left: readonly Token[], right: readonly Token[], masked: string): Parts {
  const text = (tokens: readonly Token[]): string => textOf(tokens, masked);
  const { subject, helpers } = splitSubject(left);
  const subjectParts = beforeAdjunct(subject);
  const subjectHead = text(subjectParts.head);
  const subjectRest = text(subjectParts.rest);
  const anybody = ANY_ONE.test(subjectHead) || (NAMED_ARMS.test(subjectHead) && !/\bof\b/i.test(subjectHead));
  if (choice.part === 'verb') {
    const passive = helpers.some((token) => BE.test(token.lower)) && !choice.word.endsWith('ing');
    const object = nounPhrase(skipAdverbs(right));
    const differs = choice.meaning === 'change' && /^differ/.test(choice.word);
    if (!passive && !differs && object.head.length > 0) {
      return { agent: text(subject), outcome: text(object.head), adjuncts: text(object.rest) };
    }
    const about = afterPreposition(right, /^(?:in|for|on|regarding|concerning|respect)$/);
    if ((anybody || (differs && subjectHead === '')) && about !== null) {
      return {
        agent: '',
        outcome: text(about.head),
        adjuncts: `${subjectHead} ${subjectRest} ; ${text(about.before)} ; ${text(about.rest)}`,
      };
    }
    return { agent: '', outcome: subjectHead, adjuncts: `${subjectRest} ; ${text(right)}` };
  }
  if (choice.part === 'link') {
    const linked = afterPreposition(right, /^(?:with|to|of)$/);
    const outcome = linked === null ? [] : withoutCues(linked.head);
    const rest = linked === null ? right : linked.rest;
    const nested =
      linked !== null && linked.head.length > 0 && outcome.length === 0
        ? afterPreposition(linked.rest, /^(?:in|of|on)$/)
        : null;
    return {
      agent: text(subject),
      outcome: text(nested === null ? outcome : nested.head),
      adjuncts: text(nested === null ? rest : nested.rest),
    };
  }
  if (choice.part === 'comparative') {
    const predicate = helpers.some((token) => BE.test(token.lower));
    if (choice.meaning === 'effective') {
      const about = afterPreposition(right, /^(?:in|for|at|on|to)$/);
      return {
        agent: text(subject),
        outcome: about === null ? '' : text(withoutCues(about.head)),
        adjuncts: about === null ? text(right) : text(about.rest),
      };
    }
    const object = nounPhrase(skipAdverbs(right));
    if (predicate || object.head.length === 0) {
      const about = anybody ? afterPreposition(right, /^(?:in|for|on|regarding|respect)$/) : null;
      if (about !== null)
        return {
          agent: '',
          outcome: text(about.head),
          adjuncts: `${subjectRest} ; ${text(about.before)} ; ${text(about.rest)}`,
        };
      return { agent: '', outcome: subjectHead, adjuncts: `${subjectRest} ; ${text(right)}` };
    }
    return {
      agent: text(beforeSupport(left).agent),
      outcome: text(withoutCues(object.head)),
      adjuncts: text(object.rest),
    };
  }
  return nounParts(choice, left, right, text);
}

function nounParts(
  choice: Choice,
  left: readonly Token[],
  right: readonly Token[],
  text: (tokens: readonly Token[]) => string,
): Parts {
  const { agent, modifiers } = beforeSupport(left);
  const effectLike = /^(?:effect|impact|influence|benefit)/.test(choice.word);
  const relation = /^(?:association|correlation|relationship|interaction)/.test(choice.word);
  const between = /^(?:between)$/.test(right[0]?.lower ?? '');
  if (relation && between) {
    const joined = right.findIndex((token) => token.lower === 'and');
    if (joined > 0)
      return {
        agent: text(right.slice(1, joined)),
        outcome: text(nounPhrase(right.slice(joined + 1)).head),
        adjuncts: text(nounPhrase(right.slice(joined + 1)).rest),
      };
  }
  if (effectLike) {
    const on = afterPreposition(right, /^(?:on|upon|in|for|over)$/);
    const of = right[0]?.lower === 'of' ? nounPhrase(right.slice(1)) : null;
    return {
      agent: of !== null && text(of.head) !== 'time' ? text(of.head) : text(agent),
      outcome: on === null ? '' : text(on.head),
      adjuncts: `${on === null ? text(right) : `${text(on.before)} ; ${text(on.rest)}`}`,
    };
  }
  const about = afterPreposition(right, /^(?:in|of|for|on|regarding|respect|to)$/);
  const modifier = modifiers.filter((token) => cueAt([token], 0) === undefined);
  const own = outcomesIn(text(modifier));
  if (
    own.length > 0 &&
    (about === null ||
      right.findIndex((token) => /^(?:in|of|for|on)$/.test(token.lower)) > 0 ||
      treatmentConcept(text(about.head)).terms.length === 0)
  ) {
    return { agent: text(agent), outcome: text(modifier), adjuncts: text(right) };
  }
  // "Glucose measurements revealed no differences": what would be the agent is the outcome.
  if (about === null)
    return { agent: '', outcome: ANY_ONE.test(text(agent)) ? '' : text(agent), adjuncts: text(right) };
  return {
    agent: text(agent),
    outcome: text(withoutCues(about.head)),
    adjuncts: `${text(about.before)} ; ${text(about.rest)}`,
  };
}

/** The subject without reporting words before it, and the auxiliaries, adverbs and negations between it and the predicate. */
function splitSubject(left: readonly Token[]): { subject: readonly Token[]; helpers: readonly Token[] } {
  let end = left.length;
  while (end > 0) {
    const lower = left[end - 1]?.lower ?? '';
    if (!AUXILIARY.test(lower) && !ADVERB.test(lower) && !NEGATIONS.has(lower)) break;
    end -= 1;
  }
  const head = left.slice(0, end);
  const opener = head.findLastIndex((token) => CLAUSE_OPENER.test(token.lower));
  return { subject: head.slice(opener + 1), helpers: left.slice(end) };
}

/** What stands before "showed", "resulted in" or "there was", and the words between that and the noun. */
function beforeSupport(left: readonly Token[]): { agent: readonly Token[]; modifiers: readonly Token[] } {
  const support = left.findLastIndex((token) => SUPPORT.test(token.lower));
  const opener = left.slice(0, Math.max(support, 0)).findLastIndex((token) => token.lower === 'that');
  const from = opener + 1;
  const agent = support > from ? splitSubject(left.slice(from, support)).subject : [];
  const modifiers = left
    .slice(support + 1)
    .filter(
      (token) =>
        !/^(?:in|to|a|an|the|no|any|not|significant|significantly|statistically|clear|such|both|greater|larger|smaller|more|great|large|small|further|better|there|main|consistent|substantial|marked|modest|mean|average|similar|other|positive|negative|beneficial)$/.test(
          token.lower,
        ),
    );
  return {
    agent:
      agent.some((token) => /^(?:there|we|it|results?|analysis|study)$/.test(token.lower)) &&
      agent.length <= 3
        ? []
        : agent,
    modifiers: support < 0 && isLong(modifiers) ? [] : modifiers,
  };
}

function isLong(tokens: readonly Token[]): boolean {
  return tokens.length > 6;
}

function beforeAdjunct(subject: readonly Token[]): { head: readonly Token[]; rest: readonly Token[] } {
  const at = subject.findIndex(
    (token, index) => index > 0 && isPreposition(token) && !/^(?:of|to)$/.test(token.lower),
  );
  return at < 0 ? { head: subject, rest: [] } : { head: subject.slice(0, at), rest: subject.slice(at) };
}

function nounPhrase(tokens: readonly Token[]): { head: readonly Token[]; rest: readonly Token[] } {
  if (/^\d/.test(tokens[0]?.lower ?? '') || /^[-+<>=~]$/.test(tokens[0]?.lower ?? ''))
    return { head: [], rest: tokens };
  const at = tokens.findIndex(
    (token, index) =>
      (isPreposition(token) && token.lower !== 'of') ||
      /^(?:that|which|who|where|so|such|both|only|even)$/.test(token.lower) ||
      (/^(?:[.:]|was|were|is|are|did)$/.test(token.lower) && index > 0),
  );
  return at < 0 ? { head: tokens, rest: [] } : { head: tokens.slice(0, at), rest: tokens.slice(at) };
}

/** The noun phrase after the first of the prepositions that is not part of an arm ("between groups"). */
function afterPreposition(
  tokens: readonly Token[],
  pattern: RegExp,
): { before: readonly Token[]; head: readonly Token[]; rest: readonly Token[] } | null {
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined || !pattern.test(token.lower)) continue;
    const start = /^(?:respect|regard)$/.test(token.lower) ? at + 2 : at + 1;
    const phrase = withoutArm(nounPhrase(tokens.slice(start)));
    const words = phrase.head.map((word) => word.lower).join(' ');
    if (phrase.head.length === 0 || isArm(words)) continue;
    return { before: tokens.slice(0, at), head: phrase.head, rest: phrase.rest };
  }
  return null;
}

/** "impulsivity of the treatment group" is about impulsivity. */
function withoutArm(phrase: { head: readonly Token[]; rest: readonly Token[] }): {
  head: readonly Token[];
  rest: readonly Token[];
} {
  const of = phrase.head.findLastIndex((token) => token.lower === 'of');
  if (
    of <= 0 ||
    !isArm(
      phrase.head
        .slice(of + 1)
        .map((token) => token.lower)
        .join(' '),
    )
  )
    return phrase;
  return { head: phrase.head.slice(0, of), rest: [...phrase.head.slice(of), ...phrase.rest] };
}

function isArm(words: string): boolean {
  return (
    /\b(?:groups?|arms?|conditions?|both|all|participants|subjects|patients|either|cases)$/.test(words) ||
    /^(?:the )?(?:favou?r|group|baseline|placebo|control|addition|contrast|this|our|time|men|women|children|adults|comparison)\b/.test(
      words,
    )
  );
}

function skipAdverbs(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex((token) => !ADVERB.test(token.lower));
  return at < 0 ? [] : tokens.slice(at);
}

/** Without leading words of direction: "reducing pain" and "higher pain" are about pain. */
function withoutCues(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex(
    (token) =>
      !(
        cueAt([token], 0) !== undefined ||
        /^(?:a|an|the|significantly|significant|of|and|in|to|for|treating|preventing|treatment|prevention|management)$/.test(
          token.lower,
        )
      ),
  );
  return at < 0 ? [] : tokens.slice(at);
}

const LIST_JOINT = /\s*(?:,|;|\/(?=\s)|\band\b|\bor\b|\bas well as\b|\bnor\b|\bplus\b)\s*/i;
const QUALIFIER =
  /^(?:[\p{L}-]*(?:olic|tal|nal|ral|ial|ical|ive|ing|ting|ised|ized|atic|obic)|upper|lower|left|right|free|fasting)$/iu;

/** The items of a list, each a concept; `systolic and diastolic pressure` are both pressures. */
function outcomesIn(text: string): Concept[] {
  const items = text
    .split(LIST_JOINT)
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const concepts = items.map((item, index) => {
    const next = items[index + 1];
    if (next !== undefined && QUALIFIER.test(item) && next.includes(' '))
      return outcomeConcept(`${item} ${next.slice(next.indexOf(' ') + 1)}`);
    return outcomeConcept(item);
  });
  return concepts.filter((concept) => concept.terms.length > 0 && concept.terms.length <= 9);
}

const MEANING: Readonly<Record<CueMeaning, Direction>> = {
  up: 'up',
  down: 'down',
  better: 'better',
  worse: 'worse',
  change: 'differs',
  equal: 'none',
  effective: 'better',
};

function directionOf(
  choice: Choice,
  body: readonly Token[],
  negated: boolean,
  raw: string,
  masked: string,
): Direction {
  const before = textOf(body.slice(Math.max(0, choice.index - 7), choice.index), masked).toLowerCase();
  const after = textOf(body.slice(choice.index + 1), masked).toLowerCase();
  if (TREND.test(textOf(body, masked)) && choice.meaning !== 'equal') return 'none';
  if (negated) return choice.meaning === 'equal' ? 'differs' : 'none';
  let direction = MEANING[choice.meaning];
  if (choice.part === 'link') {
    const near = body
      .slice(choice.index + 1, choice.index + 7)
      .map((token) => cueAt([token], 0))
      .find((cue) => cue !== undefined);
    direction = /\b(?:negatively|inversely)\b/.test(before)
      ? 'down'
      : /\bpositively\b/.test(before)
        ? 'up'
        : near !== undefined
          ? MEANING[near.meaning]
          : 'differs';
  } else if (choice.part === 'noun') {
    if (direction === 'differs' && /\b(?:beneficial|positive|favou?rable)\b/.test(before))
      direction = 'better';
    if (direction === 'differs' && /\b(?:negative|adverse|detrimental|harmful)\b/.test(before))
      direction = 'worse';
    if (
      /\b(?:smaller|less|lower|lesser)\b/.test(before) ||
      /\b(?:was|were) (?:significantly )?(?:smaller|less|lower)\b/.test(after)
    )
      direction = opposite(direction);
    if (
      direction === 'differs' &&
      (/\b(?:greater|larger|higher)\b/.test(before) ||
        /\b(?:was|were) (?:significantly )?(?:greater|larger|higher)\b/.test(after))
    )
      direction = 'up';
  }
  if (direction === 'differs' && /\bin favou?r of (?!(?:the )?(?:controls?|placebo))/.test(after))
    direction = 'better';
  if (choice.part === 'verb' && /^(?:significantly )?(?:less|lower|fewer|smaller)\b/.test(after))
    direction = opposite(direction);
  return direction !== 'none' && onlyInsignificant(raw) ? 'none' : direction;
}

function opposite(direction: Direction): Direction {
  const pairs: Readonly<Record<Direction, Direction>> = {
    up: 'down',
    down: 'up',
    better: 'worse',
    worse: 'better',
    none: 'none',
    differs: 'differs',
  };
  return pairs[direction];
}

/** Whether the clause gives p values and none of them is below 0.05. */
function onlyInsignificant(raw: string): boolean {
  const values = [...raw.matchAll(/\bp(?:[- ]values?)?\s?([=<>≤≥])\s?(0?\.\d+|1\.0+|0)/gi)];
  if (values.length === 0) return /\((?:NS|n\.s\.)\)/.test(raw);
  return values.every(([, sign = '=', value = '0']) =>
    /[>≥]/.test(sign) ? Number(value) >= 0.04 : sign === '=' ? Number(value) >= 0.05 : Number(value) > 0.05,
  );
}
