import type { AnswerDraft } from '../../../contracts/answer/answer-draft';
import type { ReplyBlock } from './reply-block';

/** A reply's text as it grows. What was added stays as it is, so that what was streamed is what the reply has. */
export interface ReplyWriter {
  add(blocks: readonly ReplyBlock[]): void;
  /** The keys of what it says; nothing is said twice. */
  said(): ReadonlySet<string>;
  draft(): AnswerDraft;
}

export function createReplyWriter(onText: (text: string) => void): ReplyWriter {
  const taken: ReplyBlock[] = [];
  const written: ReplyBlock[] = [];
  let heading: ReplyBlock | null = null;

  const append = (block: ReplyBlock): void => {
    onText(written.length === 0 ? block.markdown : `\n\n${block.markdown}`);
    written.push(block);
  };
  return {
    add(blocks) {
      for (const block of blocks) {
        if (block.kind === 'heading') {
          heading = block;
          continue;
        }
        taken.push(block);
        if (block.markdown === '') continue;
        // A heading with nothing under it is none.
        if (heading !== null) append(heading);
        heading = null;
        append(block);
      }
    },
    said: () => new Set(taken.flatMap(({ keys }) => keys)),
    draft: () => {
      const missing = taken.flatMap((block) => block.missing);
      return {
        markdown: written.map(({ markdown }) => markdown).join('\n\n'),
        sentences: written.flatMap(({ sentences }) => sentences),
        uncited: taken.flatMap(({ uncited }) => uncited),
        missing: missing.length === 0 ? null : missing.join(' '),
        setAside: [],
      };
    },
  };
}

/** How many claims the blocks have. */
export function claimsIn(blocks: readonly ReplyBlock[]): number {
  return blocks.reduce((sum, { sentences }) => sum + sentences.filter(({ isClaim }) => isClaim).length, 0);
}
