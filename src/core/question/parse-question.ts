import { topicStem } from '../planning/topic-stem';
import { isReportingVerb, type WordClass, wordClass } from '../planning/word-classes';
import { type Ask, asksOf } from './asks';

/** A noun phrase of the question. */
export interface Topic {
  /** As the question words it: `lifestyle interventions`. */
  text: string;
  words: { lower: string; stem: string; wordClass: WordClass }[];
}

/** Topics that stand for each other in one place of the question: `errors, cancellation and caching`. */
export interface Facet {
  role: 'subject' | 'object' | 'condition';
  topics: Topic[];
}

/** One question of what may be several joined by `and`. */
export interface QuestionPart {
  text: string;
  asks: Ask[];
  facets: Facet[];
}

export interface ParsedQuestion {
  text: string;
  parts: QuestionPart[];
  /** All that is asked, in any part. */
  asks: Ask[];
}

const JOINT =
  /(?:[,;]?\s+(?:and|or)\s+|[?;.]\s*(?:and\s+)?)(?=(?:by\s+how|to\s+what|in\s+which|for\s+(?:how|whom)|at\s+what|how|what|which|why|when|where|who|whom|does|do|did|is|are|was|were|can|could|should|will|would|has|have)\b)/gi;
const LEAD =
  /^(?:and\s+|but\s+|please\s+|(?:can|could)\s+you\s+)?(?:tell\s+me\s+|explain\s+|describe\s+|summari[sz]e\s+|compare\s+)?(?:(?:by|to|in|for|at|on|from|with|under)\s+)?(?:(?:how|what|which|why|when|where|who|whom|whether|whose)(?:\s+(?:much|many|well|far|long|often|large|big|extent|safe|effective|kinds?\s+of|types?\s+of|sorts?\s+of))?\s+)*(?:(?:does|do|did|is|are|was|were|can|could|should|will|would|has|have|may|might)\s+)?(?:(?:there|it|the|an?|any|these|those|this)\s+)*/i;
const CONDITION = new Set([
  'in',
  'among',
  'during',
  'within',
  'across',
  'after',
  'before',
  'when',
  'while',
  'where',
  'under',
  'at',
  'throughout',
]);
const LIST_JOINT = new Set(['and', 'or', 'versus', 'vs', 'than']);
const TOKEN = /[\p{L}\p{N}]+(?:[-'’.][\p{L}\p{N}]+)*|[,;:()?]/gu;

/** Takes a question apart: its parts, what each asks, and the topics that the sources must be about. */
export function parseQuestion(question: string): ParsedQuestion {
  const text = question.replace(/\s+/g, ' ').trim();
  const parts = text
    .split(JOINT)
    .map((part) => part.replace(/^[\s,;]+|[\s?.,;]+$/g, ''))
    .filter((part) => part !== '')
    .map((part): QuestionPart => ({ text: part, asks: asksOf(part), facets: facetsOf(part) }));
  return { text, parts, asks: [...new Set(parts.flatMap((part) => part.asks))] };
}

/** The topics of a question that are about something, subject first; words such as `effect` or `study` are not. */
export function topicsOf(question: ParsedQuestion): Topic[] {
  return question.parts.flatMap((part) => part.facets.flatMap((facet) => facet.topics));
}

function facetsOf(part: string): Facet[] {
  const rest = part.replace(LEAD, '');
  const auxiliary = AUXILIARY.test(part.slice(0, part.length - rest.length));
  const facets: Facet[] = [];
  let role: Facet['role'] = 'subject';
  let facet: Facet | null = null;
  let open: { text: string; word: Topic['words'][number] }[] = [];
  const closeTopic = (): void => {
    if (open.some(({ word }) => word.wordClass === 'heavy' || word.wordClass === 'light')) {
      if (facet === null) {
        facet = { role, topics: [] };
        facets.push(facet);
      }
      facet.topics.push({
        text: open.map((item) => item.text).join(' '),
        words: open.map((item) => item.word),
      });
    }
    open = [];
  };
  const next = (nextRole: Facet['role']): void => {
    closeTopic();
    facet = null;
    role = nextRole;
  };
  const asksWhich = /\b(?:which|what)\b/i.test(part.slice(0, part.length - rest.length));
  for (const [token] of rest.matchAll(TOKEN)) {
    const lower = token.toLowerCase();
    const stem = topicStem(lower);
    // `Which packages parse …`: what follows the plural is the verb, and says what is asked of them.
    if (
      asksWhich &&
      role === 'subject' &&
      facet === null &&
      /[^s]s$/.test(open.at(-1)?.word.lower ?? '') &&
      /^[a-z-]*[^s,;:()?]$/.test(token)
    ) {
      next('object');
    }
    const kind = wordClass(lower, stem);
    const letterOfName = /^[A-Z]$/.test(token) && open.length > 0;
    if (ASK_WORDS.has(lower)) closeTopic();
    else if (auxiliary && role === 'subject' && open.length > 0 && VERBS_OR_NOUNS.has(lower)) next('object');
    else if (
      kind === 'heavy' ||
      kind === 'light' ||
      letterOfName ||
      (/^\d+$/.test(token) && open.length > 0)
    ) {
      open.push({
        text: token,
        word: { lower, stem, wordClass: letterOfName ? 'light' : kind === 'light' ? 'light' : 'heavy' },
      });
    } else if (token === ',' || LIST_JOINT.has(lower)) closeTopic();
    else if (CONDITION.has(lower)) next('condition');
    else if (VERBS_OF_QUESTIONS.has(lower) || isReportingVerb(lower, stem)) next('object');
    else if (lower === 'on' || lower === 'to' || lower === 'for' || lower === 'with')
      next(role === 'subject' ? 'object' : role);
    else closeTopic();
  }
  closeTopic();
  return facets.filter((candidate) => candidate.topics.length > 0);
}

/** Verbs that are function words in running text. */
const VERBS_OF_QUESTIONS = new Set([
  'make',
  'makes',
  'give',
  'gives',
  'take',
  'takes',
  'use',
  'uses',
  'get',
  'gets',
  'work',
  'works',
]);
/** After `do`, `does` or `can` they are the verb: `Do programmes change diet?` */
const VERBS_OR_NOUNS = new Set([
  'change',
  'help',
  'control',
  'support',
  'benefit',
  'influence',
  'impact',
  'cause',
  'treat',
  'handle',
  'cut',
  'cost',
  'harm',
]);
const AUXILIARY = /\b(?:does|do|did|can|could|will|would|should|may|might)\b/i;
/** They say what is asked, not about what. */
const ASK_WORDS = new Set([
  'safe',
  'safely',
  'safety',
  'cost',
  'costs',
  'harm',
  'harms',
  'mechanism',
  'mechanisms',
  'kinds',
  'types',
]);
