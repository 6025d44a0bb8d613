import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { citationMark } from '../../lib/citation-marks';
import { escapeMarkdown, escapeWithinLine, stripUnsafe } from '../../lib/untrusted-text';
import { citedRanges } from '../../report/answer-citations';
import { type CitationRewriter, createCitationRewriter, isInterval } from './citation-forms';

const processor = unified().use(remarkParse).use(remarkGfm);
type Node = ReturnType<typeof processor.parse>['children'][number];

/** Reserved for citation tokens; removed from all external text. */
const PRIVATE = /[\ue000-\uf8ff]/g;
/** A citation written as a link: `[S1](https://…)`, `[1-3](https://…)`. */
const LINKED_CITATION = /(\[[SP]?\s?\d[\d\s,;–-]*\])\([^)\s]*\)/g;
/** A footnote, or a line of the model's own list of sources: `[^1]: https://…`, `[S1]: A title`. */
const DEFINITION = /^ {0,3}\[[^[\]\n]+\]:[ \t]*\S.*$/gm;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:|www\.)\S*$|^\S+@\S+$/i;
/** A model's remarks on confidence. The report has its own. */
const CONFIDENCE =
  /\s*\((?:[^()]*\b)?(?:very )?(?:high|medium|moderate|low)[ -]confidence[^()]*\)|\s*\(confidence:?[^()]*\)/gi;

export interface CleanBlock {
  markdown: string;
  unknown: string[];
  hasDropped: boolean;
}

/**
 * Keeps headings, emphasis, lists, quotations and tables; links become text; images, HTML, code and footnotes go.
 * `forms` keeps state across the blocks of one text.
 */
export function cleanMarkdown(
  block: string,
  idOf: (name: string) => string | undefined,
  form: CitationForm = SHORT_IDS,
  forms: CitationRewriter = citationRewriter(idOf, form),
): CleanBlock {
  const safe = stripUnsafe(block).replace(PRIVATE, '');
  const withoutDefinitions = safe.replace(DEFINITION, '');
  const raw = forms(withoutDefinitions).replace(LINKED_CITATION, '$1').replace(CONFIDENCE, '');
  const { text, citations, foreign } = readCitations(raw, form);
  const unknown = [...foreign, ...citations.flat().filter((name) => idOf(name) === undefined)];
  const cleaner = new MarkdownCleaner();
  const markdown = processor
    .parse(text)
    .children.map((node) => cleaner.block(node))
    .filter((part) => part !== '')
    .join('\n\n');
  return {
    markdown: renderCitationTokens(markdown, citations, (names) => names.flatMap((name) => idOf(name) ?? [])),
    unknown,
    hasDropped: cleaner.hasDropped || withoutDefinitions !== safe,
  };
}

/** `texts` are the texts in the prompt. */
export function citationRewriter(
  idOf: (name: string) => string | undefined,
  { prefix }: CitationForm = SHORT_IDS,
  texts: readonly string[] = [],
): CitationRewriter {
  return createCitationRewriter({
    prefix,
    isGiven: (number) => idOf(`${prefix}${number}`) !== undefined,
    texts,
  });
}

class MarkdownCleaner {
  hasDropped = false;

  block(node: Node): string {
    switch (node.type) {
      case 'heading':
        return `${'#'.repeat(node.depth)} ${this.line(node.children)}`;
      case 'paragraph':
        return this.line(node.children, escapeMarkdown);
      case 'blockquote':
        return node.children.map((child) => this.block(child)).join('\n\n');
      case 'list':
        return node.children
          .map((item, at) => {
            const marker = node.ordered === true ? `${(node.start ?? 1) + at}. ` : '- ';
            const [first = '', ...rest] = item.children.map((child) => this.block(child));
            const under = rest.map((part) => part.replace(/^/gm, '  '));
            return [`${marker}${first}`, ...under].join('\n');
          })
          .join('\n');
      case 'table': {
        const rows = node.children.map(
          (row) => `| ${row.children.map((cell) => this.line(cell.children)).join(' | ')} |`,
        );
        const columns = node.children[0]?.children.length ?? 0;
        return [rows[0] ?? '', `|${' --- |'.repeat(columns)}`, ...rows.slice(1)].join('\n');
      }
      default:
        if (node.type !== 'thematicBreak') this.hasDropped = true;
        return '';
    }
  }

  private line(children: readonly Node[], escape = escapeWithinLine): string {
    return children
      .map((child, at) => this.inline(child, at === 0 ? escape : escapeWithinLine))
      .join('')
      .replace(/\s+/g, ' ')
      .trim();
  }

  private inline(node: Node, escape: (text: string) => string): string {
    switch (node.type) {
      case 'text':
      case 'inlineCode':
        return keepSpaces(node.value, escape);
      case 'strong':
        return `**${this.line(node.children)}**`;
      case 'emphasis':
        return `*${this.line(node.children)}*`;
      case 'break':
        return ' ';
      case 'link': {
        const words = node.children.map((child) => this.inline(child, escape)).join('');
        const isAddress = node.children.every(
          (child) => child.type === 'text' && ADDRESS.test(child.value.trim()),
        );
        this.hasDropped ||= isAddress;
        return isAddress ? '' : words;
      }
      case 'linkReference':
      case 'delete':
        return node.children.map((child) => this.inline(child, escape)).join('');
      default:
        this.hasDropped = true;
        return '';
    }
  }
}

/** Escaping trims the text, so the spaces around it are added again. */
function keepSpaces(text: string, escape: (text: string) => string): string {
  const [before = ''] = /^\s*/.exec(text) ?? [];
  const [behind = ''] = /\s*$/.exec(text.slice(before.length)) ?? [];
  return before + escape(text.trim()) + behind;
}

/** Citations are numbers between private characters. External text has none, so only `readCitations` creates them. */
const OPEN = '\ue000';
const CLOSE = '\ue001';
const LEFT_BRACKET = '\ue002';
const RIGHT_BRACKET = '\ue003';
const TOKENS = /\ue000(\d+)\ue001/g;

const ONE = '(?:sources?\\s*|findings?\\s*)?[SF]\\s?\\d{1,6}';
const MORE = '\\s*(?:[,;&/]|and|[-–—]|\\]\\s*\\[|\\)\\s*\\()\\s*(?:sources?\\s*)?[SF]?\\s?\\d{1,6}';
const MARK = new RegExp(`\\[\\s*${ONE}(?:${MORE})*\\s*\\]|\\(\\s*${ONE}(?:${MORE})*\\s*\\)`, 'gi');
/** Unrequested citations: `[12]`, `[^3]`, `[@id]`. */
const OTHER_MARK = /\[\s*[\^]?\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*\s*\]|\[\s*@[^\]]*\]/g;

const NUMBER_PAIR = /^\s*\[\s*\d+\s*[,;–-]\s*\d+\s*\]$/;

/** Each token cites short ids (`S1`) or passage numbers. */
export interface TokenisedText {
  text: string;
  citations: string[][];
  foreign: string[];
}

export interface CitationForm {
  prefix: 'S' | '';
  mark: RegExp;
  named: (mark: string) => string[];
  other: RegExp;
}

export const SHORT_IDS: CitationForm = { prefix: 'S', mark: MARK, named: parseShortIds, other: OTHER_MARK };

/** Models copy a passage's label with its pages. */
const PAGES = String.raw`(?:\s*:\s*pp?\.?\s*\d{1,5}(?:\s*[-–—]\s*\d{1,5})?)?`;
const NUMBER = String.raw`(?:(?:passages?|sources?|chunks?|documents?)\s*)?[@#^]?P?\d{1,3}${PAGES}`;
const NUMBERS = String.raw`${NUMBER}(?:\s*(?:[,;&]|and|[-–—]|\]\s*\[)\s*${NUMBER})*`;

/** `[2]`, `[1-3, 5]`, `(passages 1 and 2)`. */
export const PASSAGE_NUMBERS: CitationForm = {
  prefix: '',
  mark: new RegExp(String.raw`\[\s*${NUMBERS}\s*\]|\(\s*(?=passage)${NUMBERS}\s*\)`, 'gi'),
  named: (mark) => citedNumbers(mark).map(String),
  other: /\[\s*(?:@(?!P?\d)|[SF]\s?\d|(?:source|citation|file)s?\s*:)[^\]]*\]/gi,
};

function readCitations(
  plain: string,
  { prefix, mark, named, other }: CitationForm = SHORT_IDS,
): TokenisedText {
  const citations: string[][] = [];
  const foreign: string[] = [];
  const text = plain
    .replace(new RegExp(`[ \\t]*(?:${other.source})`, other.flags), (written: string, ...rest) => {
      const [at, whole] = rest.slice(-2) as [number, string];
      const isOfValue = prefix === 'S' && NUMBER_PAIR.test(written) && isInterval(whole.slice(0, at));
      if (isOfValue) return written.replace('[', LEFT_BRACKET).replace(']', RIGHT_BRACKET);
      foreign.push(written.trim());
      return '';
    })
    .replace(mark, (written) => {
      citations.push(named(written));
      return `${OPEN}${citations.length - 1}${CLOSE}`;
    });
  return { text: moveBeforeStop(text), citations, foreign };
}

/** `[S1, 3]` is S1 and S3; `[S2–S4]` is S2, S3 and S4. */
function parseShortIds(mark: string): string[] {
  const found: string[] = [];
  let prefix = 'S';
  let from: number | null = null;
  for (const match of mark.matchAll(/([SF])?\s?(\d{1,6})|([-–—])|[,;&/[(]/gi)) {
    const [, letter, digits, dash] = match;
    if (dash !== undefined) {
      from = Number(found.at(-1)?.slice(1) ?? NaN);
      continue;
    }
    if (digits === undefined) {
      from = null;
      continue;
    }
    prefix = letter?.toUpperCase() ?? prefix;
    const to = Number(digits);
    const range = from !== null && to > from && to - from <= MAX_RANGE;
    for (let number = range && from !== null ? from + 1 : to; number <= to; number += 1)
      found.push(`${prefix}${number}`);
    from = null;
  }
  return [...new Set(found)];
}

const MAX_RANGE = 20;

/** Moves citations behind a full stop before it: they belong to that sentence. */
function moveBeforeStop(text: string): string {
  return text.replace(
    /([.!?])(["'”’)]*)((?:\s*\ue000\d+\ue001)+)(?=\s|$)/gu,
    (_all, stop: string, closing: string, tokens: string) => `${closing} ${tokens.trim()}${stop}`,
  );
}

function citationsIn(text: string, citations: readonly string[][]): string[] {
  return [...text.matchAll(TOKENS)].flatMap((match) => citations[Number(match[1])] ?? []);
}

function renderCitationTokens(
  text: string,
  citations: readonly string[][],
  idsOf: (cited: readonly string[]) => readonly string[],
): string {
  return text
    .replace(/\s*\ue000\d+\ue001(?:\s*\ue000\d+\ue001)*/g, (tokens) => {
      const ids = [...new Set(idsOf(citationsIn(tokens, citations)))];
      return ids.length === 0 ? '' : ` ${citationMark(ids)}`;
    })
    .replaceAll(LEFT_BRACKET, '\\[')
    .replaceAll(RIGHT_BRACKET, '\\]')
    .trim();
}

/** Pages in a label: `1: p.5-6` is passage 1. */
const PAGE_NUMBERS = /:\s*pp?\.?\s*\d+(?:\s*[-–—]\s*\d+)?/g;
const JOINING_WORDS = /\band\b|&/gi;
/** Words before a number: `P1`, `passage 1`, `^1`. */
const LABEL_WORDS = /[@#^\p{L}]+/gu;

/** `[1-3, 5]`, `[1][2]`, `[P1; P3]`, `(passages 1 and 2)`, `[1: p.5-6]`; each number once, in order. */
export function citedNumbers(mark: string): number[] {
  const bare = mark.replace(PAGE_NUMBERS, '').replace(JOINING_WORDS, ',').replace(LABEL_WORDS, '');
  const listed = bare.replace(/\(/g, '[').replace(/\)/g, ']');
  return [...new Set(citedRanges(listed).flatMap(({ numbers }) => numbers))];
}
