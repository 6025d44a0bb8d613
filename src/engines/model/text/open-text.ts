import { openBlocks, type OpenBlocks, type VisibleText } from '../markdown/open-blocks';
import type { TextBlock } from './text-block';
import { claimsIn } from './text-writer';
import type { BlockReader, GrowingText } from './writing';

/** A text as it comes; `visible` parts it from what a model writes before it. */
export function openText(
  options: {
    writer: Pick<GrowingText, 'add' | 'said'>;
    dropped: Set<string>;
    holdsAll?: boolean;
    visible?: VisibleText;
  },
  readBlock: BlockReader,
): OpenBlocks<TextBlock> {
  const { writer, dropped, holdsAll = false, visible } = options;
  const how = { writer, dropped, holdsAll, ...(visible === undefined ? {} : { visible }) };
  return openBlocks<TextBlock, string>({ ...how, readBlock, partsIn: claimsIn });
}
