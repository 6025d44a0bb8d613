import { withoutCitationMarks } from '../../language/citation-marks';
import { splitSentences } from '../../language/sentences';
import { terms } from '../../language/words';

/** A sentence of a text, as it stands there, without what is no part of it. */
export interface ToldSentence {
  /** Word for word, with its citation marks. */
  written: string;
  /** Without them. */
  plain: string;
  stems: ReadonlySet<string>;
  /** The numbers that it cites. */
  cites: readonly number[];
}

export interface ToldParagraph {
  sentences: readonly ToldSentence[];
  /** Its content words, by their stems, with repeats. */
  stems: readonly string[];
}

export interface ReadPart {
  id: string;
  title: string;
  role: 'summary' | 'body' | 'conclusions';
  paragraphs: readonly ToldParagraph[];
  /** Headings within the part under which nothing stands. */
  emptyHeadings: readonly string[];
}

const MARK = /\[\s*\^?(\d+(?:\s*[,;–-]\s*\^?\d+)*)\s*\]/g;
/** A longer range is no list of sources. */
const MOST_IN_A_RANGE = 50;
const HEADING = /^#{1,6}\s/;
/** What stands before a mark may be no more than this for the mark to belong to the sentence before. */
const NO_WORDS = /^[^\p{L}\p{N}]*$/u;

/** The parts of a text in paragraphs and sentences, with what each sentence cites. Pure. */
export function readParts(
  parts: readonly { id: string; title: string; role: ReadPart['role']; markdown: string }[],
): ReadPart[] {
  return parts.map(({ id, title, role, markdown }) => {
    const blocks = markdown
      .split(/\n\s*\n|\n(?=#{1,6}\s)|(?<=^#{1,6}\s[^\n]*)\n/m)
      .filter((block) => block.trim() !== '');
    const paragraphs = blocks
      .filter((block) => !HEADING.test(block.trim()))
      .map(readParagraph)
      .filter(({ sentences }) => sentences.length > 0);
    const emptyHeadings = blocks
      .filter((block, at) => HEADING.test(block.trim()) && isUnfollowed(block, blocks[at + 1]))
      .map((block) => block.trim());
    return { id, title, role, paragraphs, emptyHeadings };
  });
}

/** A heading of a deeper level under a heading is text of it. */
function isUnfollowed(heading: string, next: string | undefined): boolean {
  if (next === undefined) return true;
  return HEADING.test(next.trim()) && levelOf(next) <= levelOf(heading);
}

function levelOf(heading: string): number {
  return /^#*/.exec(heading.trim())?.[0].length ?? 0;
}

function readParagraph(block: string): ToldParagraph {
  const spans = splitSentences(block);
  const cites = spans.map((): number[] => []);
  for (const { 1: inner = '', index } of block.matchAll(MARK)) {
    const own = spans.findLastIndex(({ start }) => start <= index);
    const before = own < 0 ? '' : withoutCitationMarks(block.slice(spans[own]?.start ?? 0, index));
    const at = own > 0 && NO_WORDS.test(before) ? own - 1 : own;
    cites[at]?.push(...numbersOf(inner));
  }
  const sentences = spans.flatMap(({ text }, at): ToldSentence[] => {
    const plain = withoutCitationMarks(text).trim();
    const stems = new Set(terms(plain));
    return stems.size === 0 ? [] : [{ written: text, plain, stems, cites: cites[at] ?? [] }];
  });
  return { sentences, stems: sentences.flatMap(({ plain }) => terms(plain)) };
}

/** `1, 4-6`: each of them. */
function numbersOf(inner: string): number[] {
  return inner.split(/[,;]/).flatMap((piece) => {
    const [first = 0, last = first] = (piece.match(/\d+/g) ?? []).map(Number);
    const many = Math.min(Math.max(0, last - first), MOST_IN_A_RANGE);
    return Array.from({ length: many + 1 }, (_, more) => first + more);
  });
}
