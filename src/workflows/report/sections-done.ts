import type { PassName } from '../../contracts/kinds';
import type { Progress } from '../../contracts/run/run';
import { passNumber } from '../../core/run/pass-messages';
import type { SectionState } from '../run/run-state';

/**
 * How many sections the pass is done with, and one that is under way or was done last; null before there are any. Its title
 * is no part of a history: who asks looks it up by the id.
 */
export function sectionsDone(
  pass: PassName,
  sections: readonly SectionState[],
  doneSections: readonly string[],
): Progress['section'] {
  if (passNumber(pass) < passNumber('deep-dive') || sections.length === 0) return null;
  const shown =
    sections.find(({ id }) => !doneSections.includes(id)) ??
    sections.find(({ id }) => id === doneSections.at(-1));
  return { index: doneSections.length, of: sections.length, id: shown?.id ?? '', title: '' };
}
