import type { Finding, Gap } from '../contracts/finding';
import type { Ask } from '../question/asks';
import {
  type Facet,
  type ParsedQuestion,
  parseQuestion,
  type QuestionPart,
  type Topic,
} from '../question/parse-question';
import { count, type GapSection, saidBy, topicStems } from './material';

/** What words show that a kind of answer was given. */
const ANSWERED: Partial<Record<Ask, RegExp>> = {
  cost: /\bcosts?\b|cost-|\bprices?\b|\beconomic|\bexpens|\bQALY|[$€£]\s?\d/i,
  safety: /\bsafe|\badverse\b|side[- ]effects?|\bharm|\btolerat|\btoxic|\bcomplication|\binjur|\bvulnerab/i,
  duration:
    /follow(?:ed)?[- ]?up|\blong[- ]term\b|\b(?:months?|years?) (?:after|later|post)|\bmaintained\b|\bsustained\b|\bpersist|\blasted\b|\blong[- ]lasting/i,
  why: /\bmechanis|\bbecause\b|\bmediat|\bexplain|\bdue to\b|\bcaused? by\b|\bowing to\b|\bpathway/i,
  compare: /\bcompared (?:with|to)\b|\bversus\b|\bvs\b|\bthan\b|\bdiffer/i,
};

/** Parts of the question that no finding answers, as questions of their own. */
export function questionGaps(question: string, sections: readonly GapSection[]): Gap[] {
  const findings = sections.flatMap((section) => section.findings);
  if (findings.length === 0) return [];
  const parsed = parseQuestion(question);
  const said = findings.map(saidBy);
  const stems = topicStems(
    [
      ...said,
      ...sections.filter(({ findings: own }) => own.length > 0).map(({ section }) => section.title),
    ].join('\n'),
  );
  return [
    ...scarcity(parsed, findings),
    ...topicGaps(parsed, stems, findings.length),
    ...askGaps(parsed, said),
  ];
}

/** Fewer sources than this leave the question itself open, whatever they say. */
const FEW_SOURCES = 6;

/** Says plainly how little there is. */
function scarcity(parsed: ParsedQuestion, findings: readonly Finding[]): Gap[] {
  const sources = new Set(findings.flatMap((finding) => finding.citations)).size;
  const [first] = parsed.parts;
  if (sources >= FEW_SOURCES || first === undefined || !STARTS_AS_QUESTION.test(first.text)) return [];
  return [
    {
      question: asQuestion(first.text),
      reason: `Only ${count(sources, 'source')} of those given ${sources === 1 ? 'has' : 'have'} a result on it that could be quoted; that is too little for an answer.`,
    },
  ];
}

/** Topics that the question names and no finding mentions; those of one list together. */
function topicGaps(parsed: ParsedQuestion, stems: ReadonlySet<string>, findings: number): Gap[] {
  return parsed.parts.flatMap((part) =>
    part.facets.flatMap((facet): Gap[] => {
      const missing = facet.topics.filter(
        (topic) => isLookedFor(part, facet, topic) && isUnmentioned(topic, stems),
      );
      if (missing.length === 0) return [];
      return [
        {
          question: askOnly(part, facet, missing),
          reason: `None of the ${count(findings, 'finding')} mentions ${enumerate(
            missing.map(({ text }) => text),
            'or',
          )}.`,
        },
      ];
    }),
  );
}

/** Where kinds of something are asked for, answers name the kinds, not the something. */
function isLookedFor(part: QuestionPart, facet: Facet, topic: Topic): boolean {
  const isKind =
    part.asks.includes('which') && facet.role === 'subject' && topic.words.at(-1)?.wordClass === 'light';
  return !isKind && topic.words.some((word) => word.wordClass === 'heavy');
}

/** True where none of the topic's specific words was said. */
export function isUnmentioned(topic: Topic, stems: ReadonlySet<string>): boolean {
  return topic.words.every((word) => word.wordClass !== 'heavy' || !stems.has(word.stem));
}

export function enumerate(items: readonly string[], joint: 'and' | 'or'): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${joint} ${items.at(-1)}`;
}

const STARTS_AS_QUESTION =
  /^(?:and |or )?(?:how|what|which|why|when|where|who|whom|do|does|did|is|are|was|were|can|could|should|will|would|has|have|by how|to what)\b/i;

/** The part of the question, with only the given topics in the place of the list that they stand in. */
function askOnly(part: QuestionPart, facet: Facet, topics: readonly Topic[]): string {
  const named = enumerate(
    topics.map(({ text }) => text),
    'and',
  );
  if (!STARTS_AS_QUESTION.test(part.text)) return asQuestion(`What do sources say about ${named}`);
  const first = facet.topics[0]?.text ?? '';
  const last = facet.topics.at(-1)?.text ?? '';
  const start = part.text.indexOf(first);
  const end = part.text.indexOf(last, start) + last.length;
  const isPartOfList = topics.length < facet.topics.length && start >= 0 && end > start;
  return asQuestion(isPartOfList ? part.text.slice(0, start) + named + part.text.slice(end) : part.text);
}

/** Kinds of answer that the question wants and no finding gives. */
function askGaps(parsed: ParsedQuestion, said: readonly string[]): Gap[] {
  const subject = parsed.parts.flatMap((part) => part.facets).find((facet) => facet.topics.length > 0)
    ?.topics[0]?.text;
  return parsed.parts.flatMap((part) =>
    part.asks.flatMap((ask): Gap[] => {
      const sign = ANSWERED[ask];
      if (sign === undefined || said.some((text) => sign.test(text))) return [];
      const own = part.facets.some((facet) => facet.topics.length > 0);
      const text =
        own && !/\bit\b|\bthey\b/i.test(part.text)
          ? part.text
          : subject === undefined
            ? part.text
            : askOf(ask, subject);
      return [
        {
          question: asQuestion(text),
          reason: `None of the ${count(said.length, 'finding')} ${MISSING[ask] ?? 'answers it'}.`,
        },
      ];
    }),
  );
}

const MISSING: Partial<Record<Ask, string>> = {
  cost: 'speaks of cost',
  safety: 'speaks of harm or safety',
  duration: 'follows the effect beyond the end of the study',
  why: 'gives a cause or a mechanism',
  compare: 'compares one with another',
};

function askOf(ask: Ask, subject: string): string {
  switch (ask) {
    case 'cost':
      return `What does the use of ${subject} cost`;
    case 'safety':
      return `What harm can come of ${subject}`;
    case 'duration':
      return `How long do the effects of ${subject} last`;
    case 'why':
      return `Through what mechanism does the effect of ${subject} come about`;
    default:
      return `How do different kinds of ${subject} compare`;
  }
}

function asQuestion(text: string): string {
  const trimmed = text
    .trim()
    .replace(/^(?:and|or)\s+/i, '')
    .replace(/[\s?.,;]+$/, '');
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}?`;
}
