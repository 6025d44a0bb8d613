import { openBlocks, type OpenBlocks } from '../markdown/open-blocks';
import type { SectionBlock } from './section-text';
import { toldIn } from './section-writer';
import type { BlockReader, TextWriter } from './writing';

/** A text on findings as it comes. */
export function openSectionAnswer(
  { writer, dropped, holdsAll = false }: { writer: TextWriter; dropped: Set<string>; holdsAll?: boolean },
  readBlock: BlockReader,
): OpenBlocks<SectionBlock> {
  return openBlocks<SectionBlock, string>({
    writer,
    dropped,
    holdsAll,
    readBlock,
    partsIn: (held) => new Set(held.flatMap(toldIn)).size,
  });
}
