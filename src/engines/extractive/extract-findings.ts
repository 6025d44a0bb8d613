import type { Evidence, Finding, StudyContext } from '../../core/contracts/finding';
import { type Candidate, type SourceReading, readSource } from '../../core/findings/candidate';
import { knownAcronyms } from '../../core/findings/known-acronyms';
import { type Claim, selectClaims } from '../../core/findings/select-candidates';
import { studyContextOf } from '../../core/study-context';
import { asksForQuantities } from '../../core/topic/question-concepts';
import { topicOf } from '../../core/topic/topic';
import { abbreviationsIn } from '../../core/worth/acronyms';
import { findingConfidence } from '../../core/worth/finding-confidence';
import type { ExtractFindingsInput, ExtractFindingsOutput } from '../../steps/extract-findings';

/** Chooses a section's findings: results that the sources assert, word for word, each with who was studied and how. */
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
  const bySource = new Map(readings.map((reading) => [reading.source.sourceId, reading]));
  const claims = selectClaims(
    readings.map((reading) => reading.candidates),
    { max: findings.max, namesOutcome: interest.topic.outcomeStems.size > 0 },
  );
  return {
    sectionId: section.id,
    findings: claims.map((claim, index) => findingOf(claim, section.id, index + 1, bySource)),
  };
}

function findingOf(
  claim: Claim,
  sectionId: string,
  number: number,
  readings: ReadonlyMap<string, SourceReading>,
): Finding {
  const asserting = [claim.chosen, ...claim.agreeing];
  const contexts = asserting.map(({ source, sentence }): StudyContext => {
    const reading = readings.get(source.sourceId);
    const abbreviations = abbreviationsIn(sentence.text, reading?.expansions ?? new Map());
    return {
      ...studyContextOf(source, reading?.sentences),
      ...(abbreviations.length > 0 ? { abbreviations } : {}),
    };
  });
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
      contexts[0]?.design,
    ),
    contexts,
  };
}

function evidenceOf({ source, sentence }: Candidate): Evidence {
  return { sourceId: source.sourceId, quote: sentence.text, start: sentence.start, end: sentence.end };
}
