import type { Attributable } from '../../core/writing/attribution';
import { shortNames } from '../../core/writing/short-names';
import { isServerSilent } from '../failures/server-silence';

export interface SourceNames {
  /** Its id before the names are there. */
  nameOf(sourceId: string): string;
  /** Looks for the names where they are not there yet: gathering has to be done. */
  load(): Promise<void>;
}

/** `gathered` gives the sources of a run, or null before there are any. */
export function createSourceNames(
  gathered: () => Promise<readonly (Attributable & { id: string })[] | null>,
): SourceNames {
  let names: ReadonlyMap<string, string> | null = null;
  return {
    nameOf: (sourceId) => names?.get(sourceId) ?? sourceId,
    async load() {
      if (names !== null) return;
      try {
        const sources = await gathered();
        if (sources !== null) names = shortNames(sources);
      } catch (error) {
        // Without the server ids do; what is watched goes on when it is back.
        if (!isServerSilent(error)) throw error;
      }
    },
  };
}

/** What an answer cites, by the order in which its text does. */
export function createPassageNumbers(): SourceNames {
  const numbers = new Map<string, number>();
  return {
    nameOf(id) {
      const number = numbers.get(id) ?? numbers.size + 1;
      numbers.set(id, number);
      return String(number);
    },
    load: () => Promise.resolve(),
  };
}
