import data from '../data/study-designs.json';

/** Whether a study held those who were given something against others who were not. */
export type StudyDesign = 'controlled' | 'uncontrolled';

const anyOf = (phrases: readonly string[]): RegExp => new RegExp(phrases.join('|'), 'i');
const uncontrolled = anyOf(data.uncontrolled);
const controlled = anyOf(data.controlled);
/** Beside itself a text speaks of others. */
const saidControlled = anyOf(data.saidControlled);
/** What a study is stands at its beginning. */
const OPENING_CHARS = 4_000;

/**
 * What a source says of its own design, in its title, else where it begins; null where it says neither, or both. Measured
 * once, in docs/decisions/0035.
 */
export function studyDesign(title: string, content: string): StudyDesign | null {
  return saidIn(title, controlled) ?? saidIn(content.slice(0, OPENING_CHARS), saidControlled);
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

function saidIn(text: string, withControls: RegExp): StudyDesign | null {
  const [hasControls, hasNone] = [withControls.test(text), uncontrolled.test(text)];
  return hasControls === hasNone ? null : hasControls ? 'controlled' : 'uncontrolled';
}
