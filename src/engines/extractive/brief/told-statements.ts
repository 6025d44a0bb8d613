import type { BriefPlan } from '../../../contracts/brief/brief-plan';
import type { Finding } from '../../../contracts/report/finding';
import { type BriefStatement, briefStatements } from './brief-statements';

/** What the subtopics' parts of a plan tell, in that order, each under its own subtopic. */
export function toldStatements(plan: BriefPlan, findings: readonly Finding[]): BriefStatement[] {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const subtopics = subtopicParts(plan);
  const known = new Set(subtopics.map(({ id }) => id));
  return briefStatements(
    subtopics.map((part) => ({
      id: part.id,
      findings: part.findingIds.flatMap((id) => byId.get(id) ?? []),
    })),
  ).map((statement) => {
    const own = statement.finding.sectionId;
    return known.has(own) ? { ...statement, subtopicId: own } : statement;
  });
}

/** The titles of a plan's subtopics, by their ids. */
export function titlesOfSubtopics(plan: BriefPlan): Map<string, string> {
  return new Map(subtopicParts(plan).map(({ id, title }) => [id, title]));
}

function subtopicParts(plan: BriefPlan): BriefPlan['parts'] {
  return plan.parts.filter(({ id }) => id !== 'summary' && id !== 'conclusions');
}
