import { cueAt, isPreposition, type Token } from './clauses';
import { NEGATIONS } from './polarity-words';

const AUXILIARY =
  /^(?:was|were|is|are|be|been|being|has|have|had|did|does|do|can|could|may|might|will|would|should|also|both|to|not|n't|only|even|further|not-only|seem|seems|seemed|appear|appears|appeared|tended|failed|fails|unable|cannot|all|each|either|remained|more|most|much|even|then|still|yet|never|no|longer|been|effective|in|for|at|able)$/;
const ADVERB =
  /^(?:[a-z-]+ly|also|both|even|further|well|much|more|less|very|quite|not|still|thus|then|again|only|somewhat|twice)$/;
const SUPPORT =
  /^(?:resulted|results|result|led|leads|lead|leading|resulting|showed|shows|show|shown|showing|produced|produces|had|has|have|having|experienced|demonstrated|demonstrates|caused|causes|cause|induced|induces|achieved|exhibited|reported|observed|found|revealed|displayed|made|provided|provides|reached|gained|elicited|yielded|attained|indicated|detected|seen|noted|was|were|is|are|there|exerted|exert|associated|by|due|with)$/;
const CLAUSE_OPENER =
  /^(?:that|found|finding|suggest|suggests|suggested|indicate|indicates|indicated|concluded|conclude|which|who|hypothesized|showed|revealed|demonstrated|shows|show|because|confirmed|confirm)$/;

/** A noun phrase, and what comes after it. */
interface Phrase {
  head: readonly Token[];
  rest: readonly Token[];
}

export function textOf(tokens: readonly Token[], masked: string): string {
  const first = tokens[0];
  const last = tokens.at(-1);
  return first === undefined || last === undefined
    ? ''
    : masked.slice(first.start, last.end).replace(/\s+/g, ' ');
}

/** The subject without reporting words before it, and the auxiliaries, adverbs and negations between it and the predicate. */
export function splitSubject(left: readonly Token[]): {
  subject: readonly Token[];
  helpers: readonly Token[];
} {
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
export function beforeSupport(left: readonly Token[]): {
  agent: readonly Token[];
  modifiers: readonly Token[];
} {
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

export function beforeAdjunct(subject: readonly Token[]): Phrase {
  const at = subject.findIndex(
    (token, index) => index > 0 && isPreposition(token) && !/^(?:of|to)$/.test(token.lower),
  );
  return at < 0 ? { head: subject, rest: [] } : { head: subject.slice(0, at), rest: subject.slice(at) };
}

export function nounPhrase(tokens: readonly Token[]): Phrase {
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
export function afterPreposition(
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
function withoutArm(phrase: Phrase): {
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

export function skipAdverbs(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex((token) => !ADVERB.test(token.lower));
  return at < 0 ? [] : tokens.slice(at);
}

/** Without leading words of direction: "reducing pain" and "higher pain" are about pain. */
export function withoutCues(tokens: readonly Token[]): readonly Token[] {
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
