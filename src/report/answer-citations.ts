import type { AnswerCitation, AnswerPassage, PageRange } from '../contracts/answer';
import type { ClaimVerdict } from '../contracts/finding';
import type { AnswerCitationStyle } from '../contracts/run-settings';
import { distinctBy, groupBy } from '../lib/iterables';
import { cutLongText } from '../lib/strings';
import { alternation, escapeWithinLine, toSafeLine } from '../lib/untrusted-text';
import { citationUrl } from '../lib/url';
import { answerTexts, type RejectedVerdict } from './answer-texts';

// Citations in answers, and the texts of answers without evidence or after a failure.

export type CitedPassage = Pick<AnswerPassage, 'document' | 'url' | 'pages'> & { n: number };

export function citationText(cited: readonly CitedPassage[], style: AnswerCitationStyle): string {
  const ordered = [...cited].sort((a, b) => a.n - b.n);
  if (style === 'inline') return [...new Set(ordered.map((passage) => inlineCitation(passage)))].join(' ');
  if (style === 'passage') return ordered.map(({ n, pages }) => `[${passageLabel(n, pages)}]`).join('');
  return ordered.length === 0 ? '' : `[${compactRanges(ordered.map(({ n }) => n))}]`;
}

/** Document 001: `(file, Page 3)`, `[Source: https://…]`; `(file)` without page and address. */
function inlineCitation({ document, url, pages }: CitedPassage): string {
  const address = pages === null || pages.name !== undefined ? citationUrl(url) : null;
  if (address !== null) return `[Source: ${address}]`;
  return `(${documentName(document)}${pages === null ? '' : `, ${pagesText(pages)}`})`;
}

/** `Page 3`, `Pages 5-6`, `slide 4`. */
function pagesText(pages: PageRange): string {
  if (pages.name !== undefined) return escapeWithinLine(pages.name);
  return answerTexts.pages(pageNumbers(pages), pages.from === pages.to);
}

/** File names without active Markdown: underscores stand between letters, and no renderer makes a link of them. */
const PLAIN_FILE = /^[\p{L}\p{N}]+(?:[ _-][\p{L}\p{N}]+)*\.(?:pdf|docx|pptx|xlsx|epub|csv|html?)$/iu;

function documentName(document: string): string {
  return PLAIN_FILE.test(document) ? document : escapeWithinLine(document.replace(/\s+/g, ' '));
}

/** `1-3, 5` for numbers in any order; two neighbours are listed as `1, 2`. */
export function compactRanges(numbers: readonly number[]): string {
  const runs: { from: number; to: number }[] = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.to === number - 1) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs
    .map(({ from, to }) => {
      if (from === to) return `${from}`;
      return to === from + 1 ? `${from}, ${to}` : `${from}-${to}`;
    })
    .join(', ');
}

/** Rank of a passage by relevance: 3 for `P3`. */
export function passageNumber({ id }: Pick<AnswerPassage, 'id'>): number {
  return Number(id.slice(1));
}

/** `5`, or `5-6`. */
export function pageNumbers({ from, to }: PageRange): string {
  return from === to ? `${from}` : `${from}-${to}`;
}

/** `1: p.5-6`, or `1` without a page: the text in square brackets (document 003), which models copy. */
export function passageLabel(n: number, pages: PageRange | null): string {
  return pages === null || pages.name !== undefined ? `${n}` : `${n}: p.${pageNumbers(pages)}`;
}

/** Brackets that cite, in the form that writers are told to use (document 003): `[2]`, `[1-3]`, `[1, 3]`, `[1-3, 5]`. */
export interface CitedRange {
  /** Offset of the brackets in the text; `end` is exclusive. */
  start: number;
  end: number;
  /** In the written order, ranges expanded, without repeats. */
  numbers: number[];
}

/** No answer has more passages. The limit keeps `[1-100000]` cheap. */
const MAX_NUMBERS = 200;

/** Also matches a passage label with its page: `[3: p.5-6]` is 3. */
const BRACKETS = /\[(?<list>[\d\s,;‐-―−-]{1,200})(?::\s*pp?\.?\s*[\d\s,‐-―−-]{1,40})?\]/g;
const NUMBER_OR_RANGE = /^(\d{1,3})(?:\s*[‐-―−-]\s*(\d{1,3}))?$/;
const DEFINED_LABELS = /^ {0,3}\[([^\]\n]{1,200})\]:/gm;

/** Numeric citation brackets of a Markdown text, in order; none in code, links and link definitions. */
export function citedRanges(markdown: string): CitedRange[] {
  const prose = proseOnly(markdown);
  const defined = new Set([...markdown.matchAll(DEFINED_LABELS)].map(([, label]) => label));
  return [...prose.matchAll(BRACKETS)].flatMap((match) => {
    const numbers = expandRanges(match.groups?.list ?? '');
    if (numbers === null || defined.has(match[0].slice(1, -1))) return [];
    return [{ start: match.index, end: match.index + match[0].length, numbers }];
  });
}

/** Null if `list` is no list of numbers and ranges, or has too many. */
function expandRanges(list: string): number[] | null {
  const numbers = new Set<number>();
  for (const part of list.split(/[,;]/)) {
    const match = NUMBER_OR_RANGE.exec(part.trim());
    const first = Number(match?.[1]);
    const last = Number(match?.[2] ?? first);
    const [from, to] = first <= last ? [first, last] : [last, first];
    if (match === null || from < 1 || to - from >= MAX_NUMBERS) return null;
    for (let number = from; number <= to; number += 1) numbers.add(number);
    if (numbers.size > MAX_NUMBERS) return null;
  }
  return [...numbers];
}

const FENCED = /^ {0,3}(?<fence>`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\k<fence>|(?![\s\S]))/;
const CODE = /(?<!`)(?<ticks>`+)(?!`)[\s\S]{1,2000}?(?<!`)\k<ticks>(?!`)/;
const LINK = /!?\[(?:[^[\]\n]|\[[^[\]\n]*\]){0,500}\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/;
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:.*$/;
const ADDRESS = /<https?:[^<>\s]*>|https?:\/\/[^\s[\]]*/;
const ESCAPED = /\\[[\]]/;

const NOT_PROSE = alternation([FENCED, CODE, LINK, DEFINITION, ADDRESS, ESCAPED], 'gm');

/** Replaces code, links, addresses and escaped brackets with spaces, so that offsets stay. */
function proseOnly(markdown: string): string {
  return markdown.replace(NOT_PROSE, (part) => part.replace(/[^\n]/g, ' '));
}

export interface CitedDocument {
  document: string;
  title: string;
  url: string | null;
  citations: AnswerCitation[];
}

/** In the order in which the answer first cites each document. */
export function citationsByDocument(citations: readonly AnswerCitation[]): CitedDocument[] {
  const groups = groupBy(citations, ({ sourceId }) => sourceId);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return [{ document: first.document, title: first.title, url: first.url, citations: group }];
  });
}

/** Document 001: the writer's context without passages. */
export const NO_OBSERVATIONS = 'No observations available.';

const MAX_NEAREST = 3;
const MAX_QUESTION_CHARS = 300;
/** Temporal limits a result to 2 MB, and a character may take 3 bytes. */
const FALLBACK_CHARS = { most: 200_000, least: 190_000 };

const MAX_NAME_CHARS = 100;

export interface NothingFound {
  question: string;
  documents: number;
  missing: string | null;
  nearest: readonly Pick<AnswerPassage, 'sourceId' | 'document' | 'score'>[];
}

export function notFoundText({ question, documents, missing, nearest }: NothingFound): string {
  const said = missing?.trim() ?? '';
  const hints = documents === 0 ? answerTexts.hintsWithoutSources : answerTexts.hints;
  const best = [...nearest].sort((a, b) => b.score - a.score);
  const near = distinctBy(best, ({ sourceId }) => sourceId).slice(0, MAX_NEAREST);
  const named = near.filter(({ document }) => !said.replaceAll('\\', '').includes(document));
  const names = named.map(({ document }) => documentName(truncateName(document)));
  return [
    answerTexts.notFound(formatQuestion(question), documents),
    ...(said === '' ? [] : [toSafeLine(said)]),
    ...(names.length === 0 ? [] : [answerTexts.nearest(names, named.length < near.length)]),
    [answerTexts.whatHelps, ...hints.map((hint, at) => `${at + 1}. ${hint}`)].join('\n'),
  ].join('\n\n');
}

function truncateName(name: string): string {
  return name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS).trimEnd()}…` : name;
}

function formatQuestion(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim();
  const short = line.length > MAX_QUESTION_CHARS ? `${line.slice(0, MAX_QUESTION_CHARS)}…` : line;
  return toSafeLine(short).replace(/[“”]/g, '"');
}

/** Note under an answer with removed claims: their number for each verdict. It does not repeat the claims. */
export function removedClaimsText(setAside: readonly Pick<ClaimVerdict, 'verdict'>[]): string {
  const amounts = new Map<RejectedVerdict, number>();
  for (const { verdict } of setAside) {
    const why = verdict === 'supported' || verdict === 'inference' ? 'unchecked' : verdict;
    amounts.set(why, (amounts.get(why) ?? 0) + 1);
  }
  return answerTexts.leftOut([...amounts].map(([why, amount]) => ({ why, amount })));
}

/** Reply on failure: the caller's own output, cut to the size limit; null if there is none. */
export function fallbackText(finalOutput: string | undefined): string | null {
  if (finalOutput === undefined || finalOutput.trim() === '') return null;
  if (finalOutput.length <= FALLBACK_CHARS.most) return finalOutput;
  const [beginning] = cutLongText(finalOutput, FALLBACK_CHARS);
  return `${finalOutput.slice(beginning?.start, beginning?.end)}…`;
}
