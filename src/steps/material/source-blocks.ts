import type { SourceWindow } from '../../contracts/source/passage';
import { type DescribedSource, nameSource } from './described-source';
import { materialBlock, promptLine } from './material-block';
import type { ShortIds } from './short-ids';
import { sourceNotes } from './source-notes';

/**
 * The beginning of every user message over whole sources, behind `READER_SYSTEM`: with all sources in the catalogue's order and
 * `sourceShortIds` over them it is the same bytes in every step of a run, so an endpoint's prefix cache applies.
 */
export function sourcesPrefix(mark: string, sources: readonly SourceWindow[], ids: ShortIds): string {
  return `${sourceBlocks(mark, sources, ids)}\n\n${sourceNotes(sources, ids)}`;
}

export function sourceBlocks(mark: string, windows: readonly SourceWindow[], ids: ShortIds): string {
  return windows.map((window) => sourceBlock(mark, ids.shortOf(window.sourceId), window)).join('\n\n');
}

/** A source to read, alike in every step that reads it: what it is, and its passages under their headings. */
export function sourceBlock(
  mark: string,
  short: string,
  source: Omit<DescribedSource, 'quality'> & { passages: readonly PromptPassage[]; summaryOnly?: boolean },
): string {
  const notes = source.summaryOnly === true ? ['Only its summary is given.'] : [];
  return materialBlock(
    mark,
    short,
    [nameSource(source), ...notes, '', passagesText(source.passages)].join('\n'),
  );
}

interface PromptPassage {
  text: string;
  headings: readonly string[];
}

/** Passages in order, each heading said once; what was left out between passages is marked by nothing. */
function passagesText(passages: readonly PromptPassage[]): string {
  const parts: string[] = [];
  let headings = '';
  for (const passage of passages) {
    const own = passage.headings.join(' › ');
    if (own !== headings && own !== '') parts.push(`[${promptLine(own)}]`);
    headings = own;
    parts.push(passage.text);
  }
  return parts.join('\n\n');
}
