import type { Conflict } from '../../../contracts/report/finding';
import type { BriefStatement } from './brief-statements';

/** A conflict with the statements of each side, in the text's order; at least two sides have one. */
export interface Disagreement {
  conflict: Conflict;
  sides: BriefStatement[][];
}

/** Conflicts between statements that are at hand. */
export function disagreements(
  conflicts: readonly Conflict[],
  statements: readonly BriefStatement[],
): Disagreement[] {
  return conflicts.flatMap((conflict) => {
    const named = statements.filter(({ id }) => conflict.findingIds.includes(id));
    const sides = conflict.viewpoints.map((_viewpoint, side) =>
      named.filter((statement) => sideOf(statement, conflict) === side),
    );
    const heard = sides.filter((side) => side.length > 0);
    return heard.length < 2 ? [] : [{ conflict, sides: heard }];
  });
}

/** By its quote, else by its sources; −1 where it stands on no side. */
function sideOf({ finding: { claim, citations, evidence } }: BriefStatement, conflict: Conflict): number {
  const { viewpoints } = conflict;
  const byQuote = viewpoints.findIndex(
    (viewpoint) =>
      viewpoint.statement === claim ||
      viewpoint.evidence.some(({ sourceId, start, end }) =>
        evidence.some((own) => own.sourceId === sourceId && own.start <= start && end <= own.end),
      ),
  );
  return byQuote >= 0
    ? byQuote
    : viewpoints.findIndex((viewpoint) => viewpoint.citations.some((id) => citations.includes(id)));
}

/** For each statement one of every other side that disagrees with it: it is not told without them. */
export function counterparts(
  all: readonly Disagreement[],
  worth: (statement: BriefStatement) => number,
): ReadonlyMap<string, BriefStatement[]> {
  const against = new Map<string, BriefStatement[]>();
  for (const { sides } of all) {
    const best = sides.map((side) => side.reduce((one, other) => (worth(other) > worth(one) ? other : one)));
    for (const [side, own] of sides.entries())
      for (const { id } of own)
        against.set(id, [...(against.get(id) ?? []), ...best.filter((_other, at) => at !== side)]);
  }
  return against;
}
