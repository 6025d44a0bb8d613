import type { GivenSubtopic } from '../../contracts/brief/subtopic';
import { normaliseUrl } from './source-url';

/** An address in a text, without the signs of Markdown and of a sentence at its end. */
const ADDRESS = /https?:\/\/[^\s<>"'`\]|]+?(?=[.,;:!?)*_]*(?:[\s<>"'`\]|]|$))/g;

/** How many different sources subtopics name: by address, in their lists and in their texts, and those that have a text alone. */
export function countSources(subtopics: readonly GivenSubtopic[]): number {
  const named = subtopics.flatMap(({ summary, citations = [], sources = [] }) => [
    ...[...citations, ...(summary.match(ADDRESS) ?? [])].map(normaliseUrl),
    ...sources.map(({ url, id, title, content }) =>
      url === undefined ? JSON.stringify([id, title, content]) : normaliseUrl(url),
    ),
  ]);
  return new Set(named).size;
}
