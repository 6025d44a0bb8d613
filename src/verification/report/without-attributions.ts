import type { CitedReport } from '../../cited-text/cited-report';

/**
 * The report without what only looks like a citation by author and year: `Doe (Nature, 2019) reports … [3]` cites once. Such a
 * pair is taken for who says it where no entry answers to it and the statement cites an entry besides in another form.
 */
export function withoutAttributions(report: CitedReport): CitedReport {
  const attributions = new Set(
    report.statements.flatMap(({ citations }) =>
      citations.some((at) => isResolved(report, at) && !namesAuthor(report, at))
        ? citations.filter((at) => namesAuthor(report, at) && !isResolved(report, at))
        : [],
    ),
  );
  const kept = report.citations.flatMap((_citation, at) => (attributions.has(at) ? [] : [at]));
  const placeOf = new Map(kept.map((at, place) => [at, place]));
  return {
    ...report,
    citations: kept.flatMap((at) => report.citations[at] ?? []),
    statements: report.statements.map((statement) => ({
      ...statement,
      citations: statement.citations.flatMap((at) => placeOf.get(at) ?? []),
    })),
  };
}

function namesAuthor({ citations }: CitedReport, at: number): boolean {
  return citations[at]?.form === 'author-year';
}

function isResolved({ citations }: CitedReport, at: number): boolean {
  return (citations[at]?.entry ?? null) !== null;
}
