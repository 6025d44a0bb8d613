import type { Evidence, Finding } from '../../core/contracts/finding';
import { type Candidate, readSource } from '../../core/findings/candidate';
import { knownAcronyms } from '../../core/findings/known-acronyms';
import { type Claim, selectClaims } from '../../core/findings/select-candidates';
import { asksForQuantities } from '../../core/topic/question-concepts';
import { topicOf } from '../../core/topic/topic';
import { findingConfidence } from '../../core/worth/finding-confidence';
import type { ExtractFindingsInput, ExtractFindingsOutput } from '../../steps/extract-findings';

/** Chooses a section's findings: results that the sources assert, word for word. */
export function extractFindingsExtractively({
  question,
  section,
  sources,
  findings,
}: ExtractFindingsInput): ExtractFindingsOutput {
  const interest = {
    topic: topicOf(question, section, sources),
    quantities: asksForQuantities(question),
    knownAcronyms: knownAcronyms(
      [question, section.title, section.description, ...section.subsections],
      sources,
    ),
  };
  const readings = sources.map((source) => readSource(source, interest));
  const claims = selectClaims(
    readings.map((reading) => reading.candidates),
    { max: findings.max, namesOutcome: interest.topic.outcomeStems.size > 0 },
  );
  return {
    sectionId: section.id,
    findings: claims.map((claim, index) => findingOf(claim, section.id, index + 1)),
  };
}

function findingOf(claim: Claim, sectionId: string, number: number): Finding {
  const asserting = [claim.chosen, ...claim.agreeing];
  const text = claim.chosen.sentence.text.replace(/\s+/g, ' ');
  return {
    id: `${sectionId}-finding-${number}`,
    sectionId,
    claim: text,
    citations: asserting.map(({ source }) => source.sourceId),
    evidence: asserting.map(evidenceOf),
    confidence: findingConfidence(
      text,
      asserting.map(({ source }) => source),
      undefined,
    ),
  };
}

function evidenceOf({ source, sentence }: Candidate): Evidence {
  return { sourceId: source.sourceId, quote: sentence.text, start: sentence.start, end: sentence.end };
}
