import type { SectionDraft } from '../../../contracts/report/draft';
import { sentenceKey } from '../../../core/duplicates/near-duplicate-sentences';
import { draftOf } from '../../../core/settled-text/settle-text';
import type { SectionBlock } from './section-text';

/** A section's text as it grows. What was added stays as it is, so that what was streamed is what the section has. */
export interface SectionWriter {
  add(blocks: readonly SectionBlock[]): void;
  /** The findings that the text tells of. */
  covered(): ReadonlySet<string>;
  /** The keys of what it says; nothing is said twice. */
  said(): ReadonlySet<string>;
  markdown(): string;
  draft(): SectionDraft;
}

export function createSectionWriter(onText: (text: string) => void): SectionWriter {
  const written: SectionBlock[] = [];
  const uncited: string[] = [];
  let heading: SectionBlock | null = null;
  let headingInUse = '';

  const append = (block: SectionBlock): void => {
    onText(written.length === 0 ? block.markdown : `\n\n${block.markdown}`);
    written.push(block);
  };
  const markdown = (): string => written.map((block) => block.markdown).join('\n\n');
  return {
    add(blocks) {
      for (const block of blocks) {
        uncited.push(...block.uncited);
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
    covered: () => new Set(written.flatMap(toldIn)),
    said: () => new Set(written.flatMap(({ keys }) => keys)),
    markdown,
    draft: () =>
      draftOf({
        markdown: markdown(),
        checked: {
          sentences: written.flatMap(({ sentences }) => sentences),
          ...(uncited.length === 0 ? {} : { uncited }),
        },
      }),
  };
}

/** The findings that a block's claims tell of. */
export function toldIn({ sentences }: SectionBlock): string[] {
  return sentences.flatMap(({ isClaim, findingIds }) => (isClaim ? findingIds : []));
}
