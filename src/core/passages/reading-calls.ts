import { groupedBy } from '../values/grouped-by';
import { parted } from '../values/parted';
import { charsInGroup, readingGroups, type ReadableSize, type ReadingLimits } from './reading-groups';

/** A group of which so much is wanted is read whole: how its prompt begins was paid for when it was summarised. */
const WHOLE_FROM = 1 / 2;
/** A group is sent once, but where it is so long that its sections would have too little of one answer. */
const CHARS_A_CALL = 60_000;

/** Pass 2 asks for no more findings in a call, and for no fewer. */
const MOST_FINDINGS = 40;
const FEWEST_FINDINGS = 6;
/** A text has a finding for about so many of its characters at most: more are not asked of it. */
const CHARS_A_FINDING = 300;
/** The best of what all calls find is kept, so that more is asked for than there is room for. */
const SPARE = 1.5;

export interface ReadingCall {
  sourceIds: string[];
  sectionIds: string[];
}

/** A call for each group of sources, or more where a group is long. `wantedBy` are the sources that each section is to read. */
export function callsByGroups(
  all: readonly (ReadableSize & { group?: string | undefined })[],
  wantedBy: readonly { sectionId: string; sourceIds: readonly string[] }[],
  limits: ReadingLimits,
): ReadingCall[] {
  const sectionsOf = groupedBy(
    wantedBy.flatMap(({ sectionId, sourceIds }) => sourceIds.map((sourceId) => ({ sectionId, sourceId }))),
    ({ sourceId }) => sourceId,
  );
  const charsOf = (sources: readonly ReadableSize[]): number =>
    sources.reduce((sum, source) => sum + charsInGroup(source, limits.settings), 0);
  const groups = [...groupedBy(all, ({ group }) => group).entries()].flatMap(([name, group]) =>
    // Where they were not read together before, as they would have been.
    name === undefined ? readingGroups(group, limits) : [group],
  );
  return groups.flatMap((group) => {
    const wanted = group.filter(({ id }) => sectionsOf.has(id));
    if (wanted.length === 0) return [];
    const sources = charsOf(wanted) >= WHOLE_FROM * charsOf(group) ? group : wanted;
    const served = new Set(
      wanted.flatMap(({ id }) => sectionsOf.get(id) ?? []).map(({ sectionId }) => sectionId),
    );
    const sectionIds = wantedBy.map(({ sectionId }) => sectionId).filter((id) => served.has(id));
    return parted(sectionIds, Math.ceil(sectionIds.length / Math.ceil(charsOf(sources) / CHARS_A_CALL))).map(
      (part) => ({ sourceIds: sources.map(({ id }) => id), sectionIds: part }),
    );
  });
}

/** How many findings a call of pass 2 is asked for at most, of sources with so many characters. */
export function findingsOfCall({
  chars,
  wanted,
  sections,
  calls,
}: {
  chars: number;
  /** For each section. */
  wanted: number;
  sections: number;
  /** All of pass 2. */
  calls: number;
}): number {
  const most = Math.min(MOST_FINDINGS, Math.max(1, Math.ceil(chars / CHARS_A_FINDING)));
  return Math.round(Math.min(most, Math.max(FEWEST_FINDINGS, (SPARE * wanted * sections) / calls)));
}
