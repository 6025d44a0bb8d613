import type { WrittenSentence } from '../../contracts/report/draft';

/** A paragraph, a list or a heading of a text, with what its sentences became. */
export interface TextBlock {
  markdown: string;
  sentences: WrittenSentence[];
  /** False for a heading. */
  hadSentences: boolean;
}

/**
 * The text without what says nothing any more: empty items and paragraphs, paragraphs whose sentences only connect, headings
 * with nothing under them. `dropped` is how many sentences went with it.
 */
export function withoutEmptyBlocks(blocks: readonly TextBlock[]): {
  markdown: string;
  sentences: WrittenSentence[];
  dropped: number;
} {
  const standing = blocks
    .map((block) => ({ ...block, markdown: tidied(block.markdown) }))
    .filter(({ hadSentences, sentences }) => !hadSentences || sentences.some(({ isClaim }) => isClaim));
  const kept = standing.filter(
    ({ hadSentences }, at) => hadSentences || standing[at + 1]?.hadSentences === true,
  );
  const sentences = kept.flatMap((block) => block.sentences);
  const all = blocks.reduce((sum, block) => sum + block.sentences.length, 0);
  return {
    markdown: kept.map(({ markdown }) => markdown).join('\n\n'),
    sentences,
    dropped: all - sentences.length,
  };
}

function tidied(block: string): string {
  return block
    .split('\n')
    .map((line) =>
      line
        .replace(/(?<=\S) {2,}/g, ' ')
        .replace(/(?<=^- ) +/, '')
        .trim(),
    )
    .filter((line) => !/^-?$/.test(line))
    .join('\n');
}
