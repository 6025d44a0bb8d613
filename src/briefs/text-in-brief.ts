import type { BriefMaterial } from '../contracts/brief/brief-material';
import type { SectionDraft } from '../contracts/report/draft';
import type { TextStatement, WrittenText } from '../contracts/report/written-text';
import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import { draftOfPart } from '../core/written-text/text-in-report';

const NOT_AUDITED: ClaimVerdict = {
  verdict: 'unchecked',
  code: 'open',
  reason: 'The claim was not audited.',
  evidence: null,
  probability: null,
};

/** The parts of a model's text as drafts. Statements that no audit has reached are unchecked. Pure. */
export function textInBrief(
  text: WrittenText,
  { subtopics, conflicts, sources }: BriefMaterial,
): { partId: string; draft: SectionDraft }[] {
  const material = {
    findings: subtopics.flatMap(({ findings }) => findings),
    conflicts,
    sources: new Map(sources.map((source) => [source.id, source])),
  };
  const known = { ...text, statements: text.statements.map(withVerdict) };
  return text.parts.map((part) => ({ partId: part.id, draft: draftOfPart(known, part, material) }));
}

function withVerdict(statement: TextStatement): TextStatement {
  const isOpen = statement.verdict === null && statement.sourceIds.length > 0;
  return isOpen ? { ...statement, verdict: NOT_AUDITED } : statement;
}
