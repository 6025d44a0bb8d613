import type { AdmittedSources } from '../../../activities/shared/admit-sources';
import type { CarriedReport, GivenSources } from '../carried-report';
import type { ReportRunInput } from '../../../contracts/report/report-run';

interface Sources {
  input: Pick<ReportRunInput, 'manifestRef' | 'sourceCount' | 'sourceChars'>;
  carried: Pick<CarriedReport, 'given' | 'taken' | 'catalogue'>;
}

export function givenSources({ input, carried }: Sources): GivenSources {
  if (carried.given !== undefined) return carried.given;
  const { manifestRef, sourceCount, sourceChars } = input;
  return { manifestRef, sourceCount, ...(sourceChars === undefined ? {} : { sourceChars }) };
}

/** Those that pass 0 has taken up, or a later round; all where none has begun. */
export function takenSources({ input, carried }: Sources): GivenSources {
  if (carried.taken !== undefined) return carried.taken;
  return givenSources({ input, carried: carried.catalogue === null ? carried : { catalogue: null } });
}

export function waitingSources(sources: Sources): number {
  return givenSources(sources).sourceCount - takenSources(sources).sourceCount;
}

export function withAdded(
  before: GivenSources,
  { givenRef, added, addedChars }: Pick<AdmittedSources, 'givenRef' | 'added' | 'addedChars'>,
): GivenSources {
  if (givenRef === null) return before;
  const { sourceCount: had, sourceChars: chars } = before;
  return {
    manifestRef: givenRef,
    sourceCount: had + added,
    ...(chars === undefined && had > 0 ? {} : { sourceChars: (chars ?? 0) + addedChars }),
  };
}
