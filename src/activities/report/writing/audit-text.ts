import type { ArtifactRef } from '../../../contracts/run/artifact';
import { ValidatedFindings } from '../../../contracts/report/finding';
import { Outline } from '../../../contracts/report/outline';
import { WrittenText, type TextStatement } from '../../../contracts/report/written-text';
import { citedIds } from '../../../core/text/citation-marks';
import { plainText } from '../../../core/written-text/read-text';
import { readShared, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { roundOf, type Spent } from '../../shared/run-step';
import {
  auditStatements,
  restingOn,
  statementsLeft,
  statementsToAudit,
  tellAudit,
} from '../../shared/written-text/audit-statements';
import { streamParts } from '../../shared/written-text/part-streams';
import { type CitedWords, passagesNear } from '../../shared/written-text/passages-near';
import { wholeSources } from '../deep-dive/read-sources';
import { openCatalogue } from '../gather/catalogue';
import { citedSources, quotesOf, worksOf } from './text-sources';
import { SECTION_WRITER } from './write-section';

export interface AuditTextActivityInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  validatedRef: ArtifactRef;
  textRef: ArtifactRef;
  /** Which audit of the text this is, from 0. */
  revision: number;
  /** The statements to audit; absent for all. */
  only?: string[];
  /** True if statements that are still wrong are taken out. */
  removesWrong?: boolean;
}

export interface AuditedTextResult extends Spent {
  textRef: ArtifactRef;
  /** The statements to mend, and the faults of the text as a whole. */
  wrong: number;
  notes: number;
  /** How many statements the text has left. */
  left: number;
}

/** A verdict for each statement of a report's text, held against whole sources where they fit, else against passages. */
export async function auditText(
  ports: ActivityPorts,
  input: AuditTextActivityInput,
  signal: AbortSignal,
): Promise<AuditedTextResult> {
  const {
    run,
    catalogueRef,
    outlineRef,
    validatedRef,
    textRef,
    revision,
    only,
    removesWrong = false,
  } = input;
  const { content } = ports;
  const text = await readShared(content, textRef, WrittenText);
  const catalogue = await openCatalogue(content, catalogueRef);
  const { asked, shown, sourceIds } = statementsToAudit(text, only);
  const outline = await readShared(content, outlineRef, Outline);
  const whole = only === undefined ? await wholeSources(ports, run, { catalogue, outline }, signal) : null;
  const cited = await citedSources(ports, catalogue, sourceIds);
  const quotes = quotesOf(await readShared(content, validatedRef, ValidatedFindings));
  const sources =
    whole ??
    passagesNear(cited, [...asked.map((one) => restingOn(text, one)), ...faultsMended(text, asked)], quotes);
  const works = await worksOf(catalogue, sources);
  const place = { pass: 4, revision };
  const audited = await auditStatements(
    ports,
    run,
    { text, asked, shown, sources, cited, works, asksNotes: only === undefined, removesWrong },
    { place, signal },
  );
  const { kept, wrong, usage, warnings } = audited;
  if (kept !== audited.text) await streamParts(ports, run.runId, SECTION_WRITER, kept.parts);
  await tellAudit(ports, run, audited, { name: 'report', place: { ...place, ...roundOf(run) } });
  return {
    textRef: await storeArtifact(content, run.runId, kept),
    wrong,
    notes: audited.text.notes.length,
    left: statementsLeft(kept).length,
    usage,
    warnings,
  };
}

/** The faults for which the statements were changed: what the writer was shown for them is shown to the critic too. */
function faultsMended({ changes }: WrittenText, asked: readonly TextStatement[]): CitedWords[] {
  const reasons = changes.flatMap(({ after, reason }) =>
    asked.some(({ text }) => after?.includes(text) === true) ? [reason] : [],
  );
  return reasons.map((reason) => ({ plain: plainText(reason), sourceIds: citedIds(reason) }));
}
