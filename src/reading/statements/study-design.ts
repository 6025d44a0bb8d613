import data from '../data/study-designs.json';

/** Whether a study held those who were given something against others who were not. */
export type StudyDesign = 'controlled' | 'uncontrolled';

const [controlled, uncontrolled] = [data.controlled, data.uncontrolled].map(
  (phrases) => new RegExp(phrases.join('|'), 'i'),
);
/** What a study is stands at its beginning; later it speaks of others. */
const OPENING_CHARS = 4_000;

/**
 * What a source says of its own design, in its title, else where it begins; null where it says neither, or both. Measured by
 * `eval -- roles`.
 */
export function studyDesign(title: string, content: string): StudyDesign | null {
  return saidIn(title) ?? saidIn(content.slice(0, OPENING_CHARS));
}

/** The same of many, by their ids; what says nothing is left out. */
export function studyDesigns(
  sources: readonly { sourceId: string; title: string; content: string }[],
): Map<string, StudyDesign> {
  return new Map(
    sources.flatMap(({ sourceId, title, content }) => {
      const design = studyDesign(title, content);
      return design === null ? [] : [[sourceId, design] as const];
    }),
  );
}

function saidIn(text: string): StudyDesign | null {
  const [hasControls, hasNone] = [controlled, uncontrolled].map((phrases) => phrases?.test(text) === true);
  return hasControls === hasNone ? null : hasControls === true ? 'controlled' : 'uncontrolled';
}
