import type { ReportSetAside } from '../contracts/report/report';
import type { DiffSetAside, ReportDiff } from '../contracts/report/report-diff';
import { sentenceKey } from '../core/duplicates/near-duplicate-sentences';
import { inert, quotation } from '../core/writing/quotation';
import { titleText } from './diff-text';
import type { ReportSide } from './report-side';

/** The claims that one report sets aside and the other does not, or with another verdict. */
export function diffSetAside(before: ReportSide, after: ReportSide): ReportDiff['setAside'] {
  return { newly: onlyIn(after, before), noLonger: onlyIn(before, after) };
}

function onlyIn(side: ReportSide, other: ReportSide): DiffSetAside[] {
  const known = new Set(other.report.setAside.map(keyOf));
  return side.report.setAside
    .filter((claim) => !known.has(keyOf(claim)))
    .map((claim): DiffSetAside => {
      const said = sentenceKey(claim.text);
      const { id, text, verdict, reason, action, sectionId } = claim;
      return {
        id,
        text,
        verdict,
        reason,
        action,
        section: side.sectionTitles.get(sectionId) ?? sectionId,
        stands: other.claims.find(({ statementKey }) => statementKey === said)?.claim.id ?? null,
      };
    });
}

function keyOf({ text, verdict }: ReportSetAside): string {
  return `${verdict} ${sentenceKey(text)}`;
}

export function setAsideLine(claim: DiffSetAside, otherwise: string): string {
  const { text, verdict, section, reason, stands } = claim;
  const line = `${quotation(text)}\n  — ${verdict}, in ${titleText(section)}: ${inert(reason)}`;
  return stands === null ? line : `${line}\n  - ${otherwise}`;
}
