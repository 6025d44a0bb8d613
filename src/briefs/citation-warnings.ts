import type { Warning } from '../contracts/run/run';

/** Of citations that lead nowhere: in a summary, and as a model wrote them, before they were dropped. */
const BEFORE_THE_TEXT: readonly string[] = ['citation-unknown', 'unknown-source', 'citation-without-finding'];

/**
 * Document 000's warnings of a text's citations, in its words: numbers that its list of sources does not have, then those of
 * sources that it was given and does not name. `listed` are the numbers of the list, `defined` those of all sources.
 */
export function citationWarnings(
  markdown: string,
  listed: readonly number[],
  defined: readonly number[],
): Warning[] {
  const found = new Set([...markdown.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1])));
  const used = listed.filter((n) => found.has(n));
  const absent = [...found].filter((n) => !listed.includes(n)).sort((one, other) => one - other);
  const unused = defined.filter((n) => !used.includes(n));
  return [
    ...absent.map((n) => ({
      code: 'citation-not-there',
      message: `Citation [${n}] referenced but does not exist`,
    })),
    ...(unused.length === 0
      ? []
      : [
          {
            code: 'citations-unused',
            message: `Citations {${unused.join(', ')}} defined but not referenced in report`,
          },
        ]),
  ];
}

export function warnedOfCitations(warnings: readonly Warning[]): string[] {
  const messages = warnings
    .filter(({ code }) => BEFORE_THE_TEXT.includes(code))
    .map(({ message }) => message);
  return [...new Set(messages)];
}
