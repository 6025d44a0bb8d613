import type { Reading } from '../answers/reading';
import { openBlocks, type OpenBlocks } from '../markdown/open-blocks';
import type { SectionMaterial } from './section-material';
import { readSectionBlock, type SectionBlock } from './section-text';
import { toldIn, type SectionWriter } from './section-writer';

/** The part of an answer that has not been added yet: what is valid of it, and what is not. */
export type HeldText = Reading<SectionBlock[]>;

/** A section's text as it comes. */
export function openSectionAnswer(
  { writer, dropped, holdsAll = false }: { writer: SectionWriter; dropped: Set<string>; holdsAll?: boolean },
  material: SectionMaterial,
  sectionTitle: string,
): OpenBlocks<SectionBlock> {
  return openBlocks<SectionBlock, string>({
    ...{ writer, dropped, holdsAll },
    readBlock: (block, context) => readSectionBlock(block, material, { ...context, sectionTitle }),
    partsIn: (held) => new Set(held.flatMap(toldIn)).size,
  });
}
