import { topicStem } from '../planning/topic-stem';
import { isReportingVerb, type WordClass, wordClass } from '../planning/word-classes';
import { type Ask, asksOf } from './asks';
import { withoutCompounds } from './compound-words';

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
    .map((part): QuestionPart => ({
      text: part,
      asks: asksOf(part),
      facets: facetsOf(withoutCompounds(part)),
    }));
  return { text, parts, asks: [...new Set(parts.flatMap((part) => part.asks))] };
}

/** The topics of a question that are about something, subject first; words such as `effect` or `study` are not. */
export function topicsOf(question: ParsedQuestion): Topic[] {
  return question.parts.flatMap((part) => part.facets.flatMap((facet) => facet.topics));
}

type TopicWord = Topic['words'][number];

function facetsOf(part: string): Facet[] {
  const whole = part.replace(LEAD, '');
  const lead = part.slice(0, part.length - whole.length);
  const rest = AUXILIARY.test(lead) ? whole.replace(WORKS, '') : whole;
  const reader = facetReader();
  let afterJoint = false;
  for (const [token] of rest.matchAll(TOKEN)) {
    const lower = token.toLowerCase();
    const stem = topicStem(lower);
    const kind = wordClass(lower, stem);
    const inSubject = reader.role() === 'subject';
    // `limit weight gain or avoid diabetes`: the second verb brings an alternative, not another condition.
    const bringsAlternative = afterJoint && reader.role() === 'object';
    afterJoint = LIST_JOINT.has(lower);
    if (WHICH.test(lead) && inSubject && reader.afterPlural() && /^[a-z-]*[^s,;:()?]$/.test(token)) {
      // `Which packages parse …`: what follows the plural is the verb, and says what is asked of them.
      reader.next('object');
    }
    if (ASK_WORDS.has(lower)) reader.closeTopic();
    else if (inSubject && AUXILIARY.test(lead) && reader.isOpen() && VERBS_OR_NOUNS.has(lower))
      reader.next('object');
    else if (kind === 'heavy' || kind === 'light') reader.add(token, { lower, stem, wordClass: kind });
    else if (reader.isOpen() && /^(?:[A-Z]|\d+)$/.test(token))
      reader.add(token, { lower, stem, wordClass: 'light' });
    else if (lower === 'of') reader.join(token);
    else if (token === ',' || LIST_JOINT.has(lower)) reader.closeTopic();
    else if (CONDITION.has(lower)) reader.next('condition');
    else if (VERBS_OF_QUESTIONS.has(lower) || isReportingVerb(lower, stem)) {
      if (!bringsAlternative) reader.next('object');
    } else if (/^(?:on|to|for|with)$/.test(lower)) reader.next(inSubject ? 'object' : reader.role());
    else reader.closeTopic();
  }
  reader.closeTopic();
  return reader.facets;
}

interface FacetReader {
  facets: Facet[];
  role(): Facet['role'];
  isOpen(): boolean;
  /** Whether the words read so far are the first topic, and end in a plural. */
  afterPlural(): boolean;
  add(text: string, word: TopicWord): void;
  /** A word within a topic that is none of its own: `of` in `quality of life`. */
  join(text: string): void;
  closeTopic(): void;
  /** Ends the facet; what follows belongs to another one. */
  next(role: Facet['role']): void;
}

function facetReader(): FacetReader {
  const facets: Facet[] = [];
  let current: Facet = { role: 'subject', topics: [] };
  let open: { text: string; word: TopicWord | null }[] = [];
  const closeTopic = (): void => {
    while (open.at(-1)?.word === null) open.pop();
    if (open.some(({ word }) => word?.wordClass === 'heavy' || word?.wordClass === 'light')) {
      if (current.topics.length === 0) facets.push(current);
      current.topics.push({
        text: open.map((item) => item.text).join(' '),
        words: open.flatMap(({ word }) => word ?? []),
      });
    }
    open = [];
  };
  return {
    facets,
    role: () => current.role,
    isOpen: () => open.length > 0,
    afterPlural: () => current.topics.length === 0 && /[^s]s$/.test(open.at(-1)?.word?.lower ?? ''),
    add(text, word) {
      open.push({ text, word });
    },
    join(text) {
      if (open.length > 0) open.push({ text, word: null });
    },
    closeTopic,
    next(role) {
      closeTopic();
      current = { role, topics: [] };
    },
  };
}

const WHICH = /\b(?:which|what)\b/i;
/** Verbs that are function words in running text. */
/** `Does yoga work`, `does it work for children`; `shift work` followed by a verb is a topic. */
const WORKS = /(?<=\S )works?(?=$|\s+(?:for|in|on|against|among|when|if|better|best|well)\b)/i;
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
