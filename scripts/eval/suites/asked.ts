import { join } from 'node:path';
import { z } from 'zod';
import { countOf, share, shareOf } from '../figures';
import * as product from '../product';
import { openEncoder } from '../ranking';
import { readRecords } from '../records';
import { present } from '../seeded-draw';
import { articlesOf } from '../studies';
import type { Suite } from '../suite';

/** What reports quoted for ten questions that nothing was learned from; marked by reading them without what the product makes of them. */
const MARKED = join(__dirname, '../data/asked-results.jsonl');
const Marked = z.object({
  question: z.string(),
  source_id: z.string(),
  start: z.number(),
  end: z.number(),
  cause: z.boolean(),
  outcome: z.boolean(),
  side: z.enum(['effect', 'none', 'both', 'neither']),
});

interface Bearing {
  ofCause: number;
  onOutcome: number;
}

/**
 * Whether quoted results are of what is asked to have an effect (`cause`), on what it is asked on (`outcome`), and both (`asked`), by
 * shared words and by their meaning; and whether a quote tells of an effect or of none, as it is counted and as it is grouped.
 */
export const asked: Suite = {
  usage: 'asked SOURCES.jsonl',
  options: [],
  async measure({ file }) {
    const articles = articlesOf(file);
    const marked = readRecords(MARKED, Marked).map((record) => {
      const { title, content } = present(articles.get(record.source_id));
      return { ...record, title, text: content.slice(record.start, record.end) };
    });
    const encoder = await openEncoder();
    const held: { cause: boolean; outcome: boolean; words: Bearing; meant: Bearing }[] = [];
    for (const [question, quoted] of product.groupedBy(marked, (record) => record.question)) {
      const read = product.readQuestion(question);
      const byWords = quoted.map((titled) => product.bearingByWords(titled, read));
      const meant = encoder === null ? byWords : await product.bearingByMeaning(encoder, quoted, read);
      for (const [at, { side, cause, outcome }] of quoted.entries())
        if (side !== 'neither')
          held.push({ cause, outcome, words: present(byWords[at]), meant: present(meant[at]) });
    }
    const figuresBy = (way: 'words' | 'meant'): object => {
      const isAsked = ({ ofCause, onOutcome }: Bearing): boolean =>
        product.bears(ofCause) && product.bears(onOutcome);
      return {
        cause: shareOf(held, ({ cause, [way]: told }) => product.bears(told.ofCause) === cause),
        outcome: shareOf(held, ({ outcome, [way]: told }) => product.bears(told.onOutcome) === outcome),
        asked: precisionAndRecall(
          held.map(({ cause, outcome, [way]: told }) => ({ is: cause && outcome, told: isAsked(told) })),
        ),
      };
    };
    const sidesBy = (tell: (text: string) => 'effect' | 'none' | null): object => {
      const read = marked.map(({ side, text }) => ({ side, told: tell(text) }));
      const right = countOf(read, ({ side, told }) => side === told);
      return {
        precision: share(
          right,
          countOf(read, ({ told }) => told !== null),
        ),
        recall: share(
          right,
          countOf(read, ({ side }) => side === 'effect' || side === 'none'),
        ),
      };
    };
    return {
      n: held.length,
      ...figuresBy('meant'),
      words: figuresBy('words'),
      sentences: marked.length,
      counted: sidesBy(product.effectTold),
      grouped: sidesBy(product.sideTold),
    };
  },
};

function precisionAndRecall(found: readonly { is: boolean; told: boolean }[]): object {
  const right = countOf(found, ({ is, told }) => is && told);
  return {
    precision: share(
      right,
      countOf(found, ({ told }) => told),
    ),
    recall: share(
      right,
      countOf(found, ({ is }) => is),
    ),
  };
}
