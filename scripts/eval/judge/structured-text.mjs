import { built } from '../built.mjs';

/** Numbered parts as a judge is given them, in paragraphs of sentences with the sources that each cites. */
export function structuredText(parts, idOf) {
  const { readParts } = built('reading/whole-text/read-parts.js');
  return readParts(parts).map(({ id, title, role, paragraphs }) => ({
    id,
    title,
    role,
    paragraphs: paragraphs.map(({ sentences }) =>
      sentences.map(({ plain, cites }) => ({
        text: plain,
        sourceIds: cites.flatMap((n) => idOf.get(n) ?? []),
      })),
    ),
  }));
}
