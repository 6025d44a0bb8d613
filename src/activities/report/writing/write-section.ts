import type { SectionDraft } from '../../../contracts/report/draft';
import type { Finding, ValidatedFindings } from '../../../contracts/report/finding';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { eventKey } from '../../../core/run/event-key';
import { countVerdicts } from '../../../core/settled-text/count-verdicts';
import { citedIds } from '../../../core/text/citation-marks';
import type { WriteSectionInput } from '../../../steps/write-section/contract';
import { writeSection as writeSectionStep } from '../../../steps/write-section/write-section';
import { storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { roundOf, runStep, type Spent } from '../../shared/run-step';
import { openSectionStream } from '../../shared/section-stream';
import { quotedClaims } from '../../shared/quoted-claims';
import { readSection } from '../overview/outline-section';
import { readTextMaterial } from './text-material';

export interface WriteSectionActivityInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  validatedRef: ArtifactRef;
  sectionId: string;
}

export interface WrittenSection extends Spent {
  draftRef: ArtifactRef;
}

/** A section of quotes, each with its verdict. It is chosen anew where it cites fewer sources than it should and could. */
export async function writeSection(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, validatedRef, sectionId }: WriteSectionActivityInput,
  signal: AbortSignal,
): Promise<WrittenSection> {
  const { section } = await readSection(ports.content, outlineRef, sectionId);
  const material = await readTextMaterial(ports, { catalogueRef, validatedRef }, sectionId);
  const { validated, findings, conflicts, sources } = material;
  const { relevantSources: _relevance, sourceScores: _scores, ...brief } = section;
  const input: WriteSectionInput = {
    question: run.question,
    section: brief,
    findings,
    conflicts,
    sources,
    targetWords: targetWords(findings, validated, run),
  };
  const place = { pass: 4, section: sectionId };
  const stream = await openSectionStream(ports.events, run.runId, sectionId, SECTION_WRITER);
  const at = { place, signal, onText: (text: string) => stream.write(text) };
  const written = await runStep(ports, run, writeSectionStep, input, at);
  const citable = new Set(findings.flatMap(({ citations }) => citations)).size;
  const wanted = Math.min(run.synthesis.minCitationsPerSection, citable);
  const cited = new Set(citedIds(written.output.markdown)).size;
  const lacking = cited < wanted ? lackingIn(written.output, findings) : null;
  const {
    output: chosen,
    usage,
    warnings,
  } = lacking === null ? written : await runStep(ports, run, writeSectionStep, { ...input, lacking }, at);
  const claims = quotedClaims(chosen.claims, material);
  const draft: SectionDraft = { ...chosen, claims };
  await stream.finish(draft.markdown);
  await ports.events.appendOnce(
    run.runId,
    eventKey({ ...place, ...roundOf(run), step: 'audit', type: 'audit' }),
    {
      type: 'audit',
      payload: {
        section: sectionId,
        revision: 0,
        audit: countVerdicts(claims.map(({ verdict }) => verdict)),
        needsRetry: false,
        setAside: 0,
      },
    },
  );
  return { draftRef: await storeArtifact(ports.content, run.runId, draft), usage, warnings };
}

/** Which findings have sources that the text does not cite; null where it cites them all. */
function lackingIn(
  draft: SectionDraft,
  findings: WriteSectionInput['findings'],
): NonNullable<WriteSectionInput['lacking']> | null {
  const cited = new Set(citedIds(draft.markdown));
  const missing = findings.filter(({ citations }) => citations.some((id) => !cited.has(id)));
  return missing.length === 0 ? null : { cited: cited.size, findingIds: missing.map(({ id }) => id) };
}

/** What is left of a report's length for its sections: the summary, the assessment and the sources take the rest. */
const SECTIONS_SHARE = 0.65;

/** A section's part of the report's length, by its share of the findings. */
function targetWords(
  findings: readonly Finding[],
  validated: ValidatedFindings,
  { synthesis }: Pick<ReportFacts, 'synthesis'>,
): number {
  const all = Math.max(
    1,
    validated.sections.reduce((sum, section) => sum + section.findings.length, 0),
  );
  return Math.max(1, Math.round((synthesis.targetReportLength * SECTIONS_SHARE * findings.length) / all));
}

/** Under whose name the texts of sections are told; logs of earlier releases have it. */
export const SECTION_WRITER = { pass: 4, step: 'write-section' };
