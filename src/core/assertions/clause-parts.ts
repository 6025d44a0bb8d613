import type { Token } from './clauses';
import { treatmentConcept } from './concepts';
import type { Choice } from './main-cue';
import { outcomesIn } from './outcome-list';
import {
  afterPreposition,
  beforeAdjunct,
  beforeSupport,
  nounPhrase,
  skipAdverbs,
  splitSubject,
  textOf,
  withoutCues,
} from './phrases';
import { cueAt } from './clauses';

const BE = /^(?:was|were|is|are|be|been|being|remained|remains|became)$/;
const ANY_ONE =
  /^(?:the |both |all |these |two |three |four |any |study |treatment |of )*(?:groups?|arms?|conditions?|participants?|subjects?|patients?|individuals?|women|men|children|they|we|trials?|it|those|respondents|people|adults|who|which|that|)$/i;
const NAMED_ARMS =
  /\b(?:groups|arms|conditions|participants|subjects|patients|trials|interventions|treatments)$/i;

/** Who or what acts, on what, and the words around. */
export interface Parts {
  agent: string;
  outcome: string;
  adjuncts: string;
}

export function partsOf(
  choice: Choice,
  left: readonly Token[],
  right: readonly Token[],
  masked: string,
): Parts {
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
    // "Users were more likely to stop": what is likely is the outcome.
    if (right[0]?.lower === 'likely' && right[1]?.lower === 'to') {
      const likely = nounPhrase(right.slice(2));
      return { agent: text(subject), outcome: text(likely.head), adjuncts: text(likely.rest) };
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
      adjuncts: on === null ? text(right) : `${text(on.before)} ; ${text(on.rest)}`,
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
