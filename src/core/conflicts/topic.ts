import type { Assertion, Concept, Effect } from '../assertions/assertion';

const LEADING =
  /^(?:(?:the|a|an|both|all|any|mean|average|overall|total number of|levels? of|their|its|of|in|with|by|for|group|treatment with|use of|intake of|consumption of|administration of|daily)\s+)+/i;
const TRAILING =
  /(?:\s+(?:levels?|concentrations?|scores?|values?|groups?|arms?|group|and|or|of|in|the|,))+$/i;

/** What the two speak of, as a phrase: `vitamin D and bone mineral density`. */
export function topicOf(
  a: Assertion,
  b: Assertion,
  one: Effect | null,
  other: Effect | null,
  outcome: Concept | null,
): string {
  const intervention = shorter(one?.intervention ?? null, other?.intervention ?? null);
  const about = outcome === null ? '' : phrase(outcome.text);
  if (intervention !== '' && about !== '')
    return intervention.toLowerCase() === about.toLowerCase() ? about : `${intervention} and ${about}`;
  return about !== '' ? about : leadOf(a.sentence.length <= b.sentence.length ? a.sentence : b.sentence);
}

function shorter(one: Concept | null, other: Concept | null): string {
  const phrases = [one, other]
    .flatMap((concept) => (concept === null || concept.text === '' ? [] : [phrase(concept.text)]))
    .filter((text) => text !== '');
  return phrases.sort((x, y) => x.length - y.length || (x < y ? -1 : 1))[0] ?? '';
}

function phrase(text: string): string {
  const clean = text
    .replace(/\s+/g, ' ')
    .replace(/\(.*?\)/g, '')
    .replace(/[()]/g, '')
    .trim()
    .replace(LEADING, '')
    .replace(TRAILING, '')
    .trim();
  return /^[A-Z][a-z]+(?: |$)/.test(clean) ? clean.charAt(0).toLowerCase() + clean.slice(1) : clean;
}

/** The first words of a sentence, where nothing better names what it is about. */
function leadOf(sentence: string): string {
  const words = sentence.replace(/\s+/g, ' ').trim().split(' ');
  return words.length <= 9
    ? words.join(' ').replace(/[.,;:]$/, '')
    : `${words
        .slice(0, 9)
        .join(' ')
        .replace(/[.,;:]$/, '')} …`;
}
