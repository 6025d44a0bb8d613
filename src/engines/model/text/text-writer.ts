import { sentenceKey } from '../../../core/duplicates/near-duplicate-sentences';
import type { TextBlock, WrittenSentence } from './text-block';

/** A text as it grows. What was added stays as it is, so that what was streamed is what the text has. */
export interface TextWriter {
  add(blocks: readonly TextBlock[]): void;
  /** The keys of what it says; nothing is said twice. */
  said(): ReadonlySet<string>;
  markdown(): string;
  sentences(): WrittenSentence[];
  /** What states something and cites nothing, and what was said to be missing; neither is in the text. */
  uncited(): string[];
  missing(): string[];
}

export function createTextWriter(onText: (text: string) => void): TextWriter {
  const written: TextBlock[] = [];
  const taken: TextBlock[] = [];
  let heading: TextBlock | null = null;
  let headingInUse = '';

  const append = (block: TextBlock): void => {
    onText(written.length === 0 ? block.markdown : `\n\n${block.markdown}`);
    written.push(block);
  };
  const markdown = (): string => written.map((block) => block.markdown).join('\n\n');
  const sentences = (): WrittenSentence[] => written.flatMap((block) => block.sentences);
  const uncited = (): string[] => taken.flatMap((block) => block.uncited);
  return {
    add(blocks) {
      for (const block of blocks) {
        taken.push(block);
        if (block.markdown === '') continue;
        if (block.kind === 'heading') {
          heading = block;
          continue;
        }
        // A heading with nothing under it is none; the same heading again goes on with what is under it.
        if (heading !== null && sentenceKey(heading.markdown) !== headingInUse) {
          append(heading);
          headingInUse = sentenceKey(heading.markdown);
        }
        heading = null;
        append(block);
      }
    },
    said: () => new Set(taken.flatMap(({ keys }) => keys)),
    markdown,
    sentences,
    uncited,
    missing: () => taken.flatMap((block) => block.missing),
  };
}

export function claimsIn(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, { sentences }) => sum + sentences.filter(({ isClaim }) => isClaim).length, 0);
}
