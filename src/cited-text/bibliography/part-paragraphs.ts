import type { Block } from '../markdown/blocks';
import { hasAddress } from './entry-parts';
import { entryMark } from './entry-mark';
import { namesBibliography } from './heading-name';

const FEWEST = 2;

/** A list of sources right below a paragraph's last line is of the paragraph for Markdown; it becomes a block of its own. */
export function withListsApart(markdown: string, blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block): Block[] => {
    if (block.kind !== 'paragraph') return [block];
    const at = listStart(markdown, block);
    if (at === null) return [block];
    return [
      { ...block, end: at },
      { ...block, start: at, item: null },
    ];
  });
}

/** Where a line that is no first one says that sources follow, or where the lines begin that each are one by `[1]`. */
function listStart(markdown: string, { start, end }: Block): number | null {
  let from: number | null = null;
  let marked = 0;
  let addressed = 0;
  for (let at = markdown.indexOf('\n', start) + 1; at > 0 && at < end;) {
    const stop = markdown.indexOf('\n', at);
    const line = markdown.slice(at, stop < 0 || stop > end ? end : stop);
    if (namesBibliography(line) && stop > 0 && stop < end) return at;
    const isEntry = entryMark(line)?.isBracketed === true;
    if (isEntry) {
      from ??= at;
      marked += 1;
      if (hasAddress(line)) addressed += 1;
    } else if (from !== null && line.trim() !== '' && !hasAddress(line)) {
      from = null;
      marked = 0;
      addressed = 0;
    }
    if (stop < 0) break;
    at = stop + 1;
  }
  return marked >= FEWEST && addressed * 2 >= marked ? from : null;
}
