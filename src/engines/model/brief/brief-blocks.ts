import { namesBibliography } from '../../../cited-text/bibliography/heading-name';
import { readCitations } from '../markdown/citation-tokens';
import { droppedContent } from '../markdown/dropped-content';
import { type PlainBlock, plainBlocks } from '../markdown/plain-blocks';
import type { CitedMaterial } from '../text/cited-material';
import { addText, type BlockReading, readSentences, type TextBlock } from '../text/text-block';

export interface BriefLines {
  isTitle(text: string): boolean;
  heading(text: string, depth: number): void;
  /** The part to which what was read belongs; undefined where there are no parts, or it is not known yet. */
  partOf(read: Omit<TextBlock, 'kind'>): string | undefined;
  /** What is not to be said again where the text stands by now; without it, all that the text says. */
  said?(): Set<string>;
}

/**
 * Reads a brief's blocks one after the other: headings are told and do not stand, and neither does a list of sources, which is
 * not for a model to write.
 */
export function openBriefBlocks(
  material: CitedMaterial,
  lines: BriefLines,
  text: string,
): (block: string, context: { path: string; said: Set<string> }) => BlockReading {
  let isListOfSources = false;
  return (block, context) => {
    const { blocks, dropped } = plainBlocks(block);
    const problems = droppedContent(dropped, context.path, text);
    const written: TextBlock[] = [];
    for (const plain of blocks) {
      if (namesBibliography(plain.text) && !lines.isTitle(plain.text)) {
        isListOfSources = true;
        continue;
      }
      if (isHeading(plain)) {
        isListOfSources = false;
        lines.heading(plain.text, plain.depth);
        continue;
      }
      if (isListOfSources) continue;
      const said = lines.said?.() ?? context.said;
      const read = readSentences(plain, material, { ...context, said }, problems);
      const partId = lines.partOf(read);
      const goesOn = written.at(-1)?.partId === partId;
      const own = goesOn ? written : [];
      addText(own, plain, read);
      if (partId !== undefined) for (const added of own) added.partId = partId;
      if (!goesOn) written.push(...own);
    }
    // What a list of sources came with is nothing that a text lost.
    if (isListOfSources && written.length === 0) return { blocks: [], problems: [], dropped: [] };
    return { blocks: written, problems, dropped: [...new Set(dropped)] };
  };
}

/** What cites something is text, whatever stands before it. */
function isHeading({ kind, text }: PlainBlock): boolean {
  return kind === 'heading' && readCitations(text).citations.length === 0;
}
