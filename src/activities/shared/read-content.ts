import type { ContentPart, ContentStart } from '../../contracts/run/content';
import type { ActivityPorts } from './ports';

/** A payload may have 2 MB, and JSON makes up to six bytes of a unit. */
const PART_UNITS = 250_000;

/** A part of a stored text, for whoever has no store; null where there is no such text. */
export async function readContent(
  { content }: ActivityPorts,
  { ref, from = 0 }: ContentStart,
): Promise<ContentPart | null> {
  const text = await content.retrieve(ref);
  if (text === null) return null;
  const end = from + PART_UNITS;
  // Not between the two units of one character: some languages could not put it together again.
  const next = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
  return next < text.length ? { text: text.slice(from, next), next } : { text: text.slice(from), next: null };
}
