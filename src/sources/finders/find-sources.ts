import { shapeProblems } from '../../core/shapes/shape-problems';
import { toldValue } from '../../core/values/told-value';
import type { SourceReading } from '../source-reading';
import { files } from './files';
import type { FindOptions, SourceFinder } from './source-finder';

/** A finder by its name, with what it is told. */
export interface NamedFinder {
  finder: string;
  settings: unknown;
}

/** Every finder by the name under which schedules know it; a further one is a file beside this one, and a line here. */
const FINDERS = { files } as const;

/** There is no finder of the name, or it cannot do anything with what it is told. */
export class UnknownFinderError extends Error {
  override readonly name = 'UnknownFinderError';
}

/** What a finder finds now. Throws `UnknownFinderError` before anything is looked for. */
export function findSources(
  { finder, settings }: NamedFinder,
  options: FindOptions,
): AsyncIterable<SourceReading> {
  const found = Object.entries(FINDERS).find(([name]) => name === finder)?.[1];
  if (found === undefined)
    throw new UnknownFinderError(
      `There is no finder of sources named ${toldValue(finder)}; there is: ${Object.keys(FINDERS).join(', ')}.`,
    );
  return foundBy(found, finder, settings, options);
}

function foundBy<Settings>(
  finder: SourceFinder<Settings>,
  name: string,
  given: unknown,
  options: FindOptions,
): AsyncIterable<SourceReading> {
  const { success, data } = finder.settings.safeParse(given);
  if (success) return finder.find(data, options);
  const problems = shapeProblems([['settings', finder.settings, given]]);
  throw new UnknownFinderError(`What the finder ${name} is told cannot be used: ${problems.join('; ')}.`);
}
