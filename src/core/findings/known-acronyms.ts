import type { SourceWindow } from '../contracts/passage';
import { acronymsIn } from '../worth/acronyms';

const MIN_SOURCES = 4;
const MIN_SHARE = 0.1;
const MIN_LENGTH = 3;

/** Acronyms that a reader of these sources knows: those of the question and the section, and those that many sources use. */
export function knownAcronyms(texts: readonly string[], sources: readonly SourceWindow[]): Set<string> {
  const known = new Set(texts.flatMap(acronymsIn));
  const users = new Map<string, number>();
  for (const source of sources) {
    const used = new Set(source.passages.flatMap((passage) => acronymsIn(passage.text.slice(0, 2_000))));
    for (const acronym of used) users.set(acronym, (users.get(acronym) ?? 0) + 1);
  }
  for (const [acronym, count] of users) {
    const letters = acronym.replace(/[^\p{L}]/gu, '').length;
    if (letters >= MIN_LENGTH && count >= Math.max(MIN_SOURCES, sources.length * MIN_SHARE))
      known.add(acronym);
  }
  return known;
}
