import type { Evidence } from '../contracts/report/finding';
import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import type { GivenSource } from '../verification/report/given-source';
import { holdSources, type HeldSources } from '../verification/report/held-sources';
import { verifyStatement } from '../verification/report/verify-statement';
import { doesNotStand } from './does-not-stand';

export interface StatementToCheck {
  id: string;
  plain: string;
  /** As it stands in its summary. */
  markdown: string;
  sourceIds: string[];
  citesOthers: boolean;
  /** Whether it cites by marks of its own. */
  isMarked: boolean;
}

export interface CheckedStatement {
  id: string;
  verdict: ClaimVerdict;
  /** Whether it also cites sources of which the text is not there: what refuses it for want of support is not certain then. */
  citesOthers: boolean;
  /** The source that bears it, where that is none of those whose marks it was given. */
  foundIn?: string;
  /** Where each source in full comes nearest to it, and the verdict's own place before them. */
  windows: Evidence[];
}

const MOST_WINDOWS = 4;

/**
 * Each statement against the whole texts of the sources that it cites, together, as reports are verified. One without marks of its
 * own that does not stand so is held against all sources: it may rest on another than on those of its neighbours.
 */
export function checkStatements({
  statements,
  sources,
  definitions,
}: {
  statements: readonly StatementToCheck[];
  sources: readonly GivenSource[];
  /** Texts in which abbreviations are introduced. */
  definitions: readonly string[];
}): CheckedStatement[] {
  const held = holdSources(sources, definitions);
  const all = sources.map(({ id }) => id);
  return statements.map((statement) => {
    const { id, plain, sourceIds, citesOthers, isMarked } = statement;
    const found = verifyStatement(statement, sourceIds, held);
    const elsewhere = isMarked || !doesNotStand(found) ? found : verifyStatement(statement, all, held);
    const bearing = elsewhere.verdict === 'supported' ? elsewhere.evidence?.sourceId : undefined;
    if (bearing !== undefined && !sourceIds.includes(bearing))
      return { id, verdict: elsewhere, citesOthers: false, foundIn: bearing, windows: [] };
    const told = doesNotStand(elsewhere) ? found : elsewhere;
    const verdict = citesOthers ? withoutOthers(told) : told;
    const windows = verdict.verdict === 'supported' ? [] : windowsOn(plain, sourceIds, verdict, held);
    return { id, verdict, citesOthers, windows };
  });
}

/** What stands nowhere in the texts that are there may stand in one that is not. */
function withoutOthers(found: ClaimVerdict): ClaimVerdict {
  if (found.verdict !== 'unsupported') return found;
  const { betterSourceId: _other, ...rest } = found;
  const reason = 'The texts that were given do not hold it, and others that it cites were not given.';
  return { ...rest, verdict: 'unchecked', code: 'open', reason };
}

function windowsOn(
  plain: string,
  sourceIds: readonly string[],
  { evidence }: ClaimVerdict,
  held: HeldSources,
): Evidence[] {
  const others = sourceIds.length < 2 ? [] : sourceIds.slice(0, MOST_WINDOWS);
  const nearest = others
    .filter((id) => id !== evidence?.sourceId)
    .flatMap((id) => held.verify(plain, [id]).evidence ?? []);
  return [...(evidence === null ? [] : [evidence]), ...nearest].slice(0, MOST_WINDOWS);
}
