import type { PassName } from '../../contracts/kinds';
import type { Pass } from './kind';
import type { PassPlace } from './run';

/** The passes of a kind by their names. */
export interface PassPlaces {
  readonly last: PassName;
  readonly lastNumber: number;
  placeOf(name: PassName): PassPlace;
  /** The first that is none of `finished`; the last where all are. */
  unfinished(finished: readonly PassName[]): PassName;
}

export function placesOf(passes: readonly Pick<Pass<never, never>, 'name' | 'role'>[]): PassPlaces {
  const last = passes.at(-1)?.name;
  if (last === undefined) throw new Error('A kind of run has one pass at least.');
  return {
    last,
    lastNumber: passes.length - 1,
    placeOf(wanted) {
      const number = passes.findIndex(({ name }) => name === wanted);
      const pass = passes[number];
      if (pass === undefined) throw new Error(`There is no pass ${wanted} in this kind of run.`);
      return { number, role: pass.role };
    },
    unfinished: (finished) => passes.find(({ name }) => !finished.includes(name))?.name ?? last,
  };
}
