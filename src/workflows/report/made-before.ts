import type { ArtifactRef } from '../../contracts/run/artifact';
import type { CarriedReport } from './carried-report';
import type { Catalogue, Outline, Reading } from './made';

/** What passes made in an earlier history, for the ones that come after. */

export function catalogueBefore({ catalogue }: CarriedReport): Catalogue {
  return madeForSure(catalogue, 'catalogue');
}

export function outlineBefore({ outline, sections }: CarriedReport): Outline {
  const planned = sections.map(({ id, sources }) => ({ id, sources }));
  return { ref: madeForSure(outline, 'outline').ref, sections: planned };
}

/** Null where nothing answers. */
export function readingBefore(carried: CarriedReport): Reading | null {
  const { noAnswer, sections, rankingRef, readingRef, validatedRef } = carried;
  if (noAnswer === true) return null;
  return {
    sections: sections.map(({ id, findingsRef }) => ({ id, findingsRef })),
    rankingRef,
    ...(readingRef === undefined ? {} : { readingRef }),
    ...(validatedRef === null ? {} : { validatedRef }),
  };
}

export function validatedBefore({ noAnswer, validatedRef }: CarriedReport): ArtifactRef | null {
  return noAnswer === true ? null : madeForSure(validatedRef, 'validatedRef');
}

/** A pass that was finished left what it makes: that it is missing is a mistake in the workflow. */
export function madeForSure<Made>(made: Made | null, name: string): Made {
  if (made === null) throw new Error(`The run's state has no ${name} at this point.`);
  return made;
}
