import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { countOf, meanOf, rounded, share, stopwatch, sumOf } from '../figures';
import { type PackagedPage, packagedPages } from '../packaged-pages';
import * as product from '../product';
import { measured, type Suite } from '../suite';
import { placeOf, visiblePage, type VisiblePage, wordsOf } from '../visible-page';

/** Pages of packages; of those that were read by a person, where on the page its text begins and ends. */
const Page = z.object({
  package: z.string(),
  path: z.string(),
  sha256: z.string(),
  /** Whether the reader was mended on it, or not looked at before its figures were. */
  half: z.enum(['mended', 'unseen']).optional(),
  /** The words with which each piece of it begins, and those with which it ends; the last may end with the page. */
  text: z.array(z.object({ from: z.string(), to: z.string().optional() })).optional(),
});
type Page = z.infer<typeof Page>;
const { pages: PAGES } = z
  .object({ pages: z.array(Page) })
  .parse(JSON.parse(readFileSync(join(__dirname, '../data/html-pages.json'), 'utf8')));

interface Read {
  half: Page['half'];
  /** What is wrong with a page that could not be read. */
  failure: string | null;
  words: number;
  precision: number;
  recall: number;
  /** The share of what can be seen on the page that is its text. */
  baseline: number;
  tables: number;
  headed: number;
  missed: string[];
  tooMuch: string[];
}

/** Whether the text of real pages is read, and nothing that stands around it; and tables with their headers. */
export const html: Suite = {
  usage: 'html [--explain PATH]',
  options: ['explain'],
  needsFile: false,
  async measure(call) {
    const seconds = stopwatch();
    const bytes = await packagedPages(PAGES, product.loadConfig().cacheDir);
    return measured(call, {
      items: PAGES,
      find: (page, place) => readPage(page, bytes[place] ?? Buffer.alloc(0)),
      idOf: ({ path }) => path,
      explain: ({ missed, tooMuch }) => `missed: ${missed.join(' ')}\ntoo much: ${tooMuch.join(' ')}`,
      figures: (read) => ({ ...htmlFigures(read), seconds: seconds() }),
    });
  },
};

function readPage({ half, text }: Page & PackagedPage, bytes: Buffer): Read {
  const page = visiblePage(bytes.toString('utf8'));
  const parsed = product.parseHtmlDocument(bytes);
  const content = parsed.ok
    ? parsed.documents.flatMap(({ parts }) => parts.map((part) => part.text)).join('\n')
    : '';
  const words = wordsOf(content);
  const gold = goldOf(page.words, text ?? []);
  const tables = page.tables.filter(({ row }) => placeOf(row, words) !== -1);
  const missed = without(gold, words);
  return {
    half,
    failure: parsed.ok ? null : parsed.message,
    words: words.length,
    precision: (gold.length - missed.length) / Math.max(1, words.length),
    recall: (gold.length - missed.length) / Math.max(1, gold.length),
    baseline: gold.length / Math.max(1, page.words.length),
    tables: tables.length,
    headed: countOf(tables, ({ header }) => isHeaded(header, content)),
    missed,
    tooMuch: without(words, gold),
  };
}

/** The words of a page's text, piece by piece. */
export function goldOf(
  words: readonly string[],
  pieces: readonly { from: string; to?: string | undefined }[],
): string[] {
  let at = 0;
  return pieces.flatMap(({ from, to }) => {
    const begin = placeOf(wordsOf(from), words, at);
    const last = to === undefined ? [] : wordsOf(to);
    const end = to === undefined ? words.length : placeOf(last, words, begin) + last.length;
    if (begin === -1 || end < begin)
      throw new Error(`No piece of the page is from "${from}" to "${to ?? 'its end'}".`);
    at = end;
    return words.slice(begin, end);
  });
}

/** The words of the one that the other lacks, each as often as it does. */
function without(words: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  return words.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
}

/** Whether a line of Markdown is the header of a table, with these words. */
function isHeaded(header: VisiblePage['words'], content: string): boolean {
  const lines = content.split('\n');
  return lines.some(
    (line, at) =>
      /^\s*\|(?: --- \|)+$/.test(lines[at + 1] ?? '') && wordsOf(line).join(' ') === header.join(' '),
  );
}

function htmlFigures(read: readonly Read[]): object {
  const half = (name: Page['half']): object => {
    const pages = read.filter((page) => page.half === name);
    return {
      pages: pages.length,
      precision: meanOf(pages.map(({ precision }) => precision)),
      recall: meanOf(pages.map(({ recall }) => recall)),
      baseline: { precision: meanOf(pages.map(({ baseline }) => baseline)), recall: 1 },
      worst: {
        precision: rounded(Math.min(...pages.map(({ precision }) => precision))),
        recall: rounded(Math.min(...pages.map(({ recall }) => recall))),
      },
    };
  };
  const tables = sumOf(read, (page) => page.tables);
  const headed = sumOf(read, (page) => page.headed);
  return {
    n: read.length,
    failed: countOf(read, ({ failure }) => failure !== null),
    empty: countOf(read, ({ words }) => words === 0),
    mended: half('mended'),
    unseen: half('unseen'),
    headersKept: share(headed, tables),
    counts: { tables, headersKept: headed },
  };
}
