import { namesBibliography } from '../../../cited-text/bibliography/heading-name';
import { readCitations } from '../markdown/citation-tokens';
import { droppedContent } from '../markdown/dropped-content';
import { type PlainBlock, plainBlocks } from '../markdown/plain-blocks';
import type { SectionMaterial } from '../section/section-material';
import { addText, type BlockReading, readSentences, type SectionBlock } from '../section/section-text';

/** What becomes of the lines of a text that a model gave a form of its own. */
export interface BriefLines {
  heading(text: string, depth: number): void;
  /** The part to which what was read belongs; undefined where there are no parts, or it is not known yet. */
  partOf(read: Omit<SectionBlock, 'kind'>): string | undefined;
}

/**
 * Reads a brief's blocks one after the other: headings are told and do not stand, and neither does a list of sources, which is
 * not for a model to write.
 */
export function openBriefBlocks(
  material: SectionMaterial,
  lines: BriefLines,
  text: string,
): (block: string, context: { path: string; said: Set<string> }) => BlockReading {
  let isListOfSources = false;
  return (block, context) => {
    const { blocks, dropped } = plainBlocks(block);
    const problems = droppedContent(dropped, context.path, text);
    const written: SectionBlock[] = [];
    for (const plain of blocks) {
      if (namesBibliography(plain.text)) {
        isListOfSources = true;
        continue;
      }
      if (isHeading(plain)) {
        isListOfSources = false;
        lines.heading(plain.text, plain.depth);
        continue;
      }
      if (isListOfSources) continue;
      const read = readSentences(plain, material, context, problems);
      const partId = lines.partOf(read);
      // A list does not go on in another part.
      const goesOn = written.at(-1)?.partId === partId;
      const own = goesOn ? written : [];
      addText(own, plain, read);
      if (partId !== undefined) for (const added of own) added.partId = partId;
      if (!goesOn) written.push(...own);
    }
    return { blocks: written, problems, dropped: [...new Set(dropped)] };
  };
}

/** What cites something is text, whatever stands before it. */
function isHeading({ kind, text }: PlainBlock): boolean {
  return kind === 'heading' && readCitations(text).citations.length === 0;
}
