import { proxyActivities } from '@temporalio/workflow';
import type { AssembleBriefInput } from '../activities/brief-versions';
import type { BriefActivities } from '../activities/create-activities';
import type { BriefContext } from '../activities/ports';
import { recordUsage } from '../contracts/budget';
import { capabilitiesOf } from '../contracts/pipeline';
import type { ArtifactRef } from '../contracts/source';
import type { BriefRunInput } from '../contracts/start';
import { runUsage } from './publishing';
import {
  AUDIT_FALLBACK,
  auditAndMendText,
  judgeAndRevise,
  judgeSummary,
  MEND_FALLBACK,
  type ScoredVersion,
  type Version,
} from './revision';
import type { Run } from './run-definition';
import { orShortfall } from './run-parts';
import { addWarnings, type WorkflowState } from './run-state';
import { COMPUTE_OPTIONS } from './steps';

/** One model call if the text is short enough, else part by part. Parts that no model wrote are quoted. */
export async function writeBrief(
  run: BriefRun,
  gathered: GatheredMaterial,
  planned: PlannedBrief,
): Promise<void> {
  const { carried } = run;
  run.plan(2 * planned.parts.length, carried.written.length + carried.drafts.length);
  const isAudited = carried.isAudited === true;
  if (capabilitiesOf(run.input.engine).asksModels && !isAudited) await writeText(run, gathered, planned);
  const { textRef } = carried;
  if (textRef !== undefined && !isAudited) {
    const audited = await auditAndMend(run, gathered, textRef, { revision: 0 });
    if (audited === null) {
      await run.addShortfall(NO_TEXT_LEFT);
      delete carried.textRef;
      carried.written = [];
    } else {
      carried.textRef = audited.textRef;
      carried.written = audited.parts ?? carried.written;
    }
    carried.isAudited = true;
  }
  await quoteParts(run, gathered, planned);
}

async function writeText(run: BriefRun, gathered: GatheredMaterial, planned: PlannedBrief): Promise<void> {
  const { carried } = run;
  const order = writingOrder(planned.parts.map(({ id }) => id));
  const isOpen = (id: string): boolean => !carried.written.includes(id) && !carried.refused.includes(id);
  if (planned.isOneCall && order.every(isOpen)) await writePart(run, { gathered, planned, partId: null });
  for (const partId of order) {
    if (!isOpen(partId)) continue;
    await writePart(run, { gathered, planned, partId });
    await run.continueAsNewIfLong();
  }
}

async function writePart(
  run: BriefRun,
  { gathered, planned, partId }: { gathered: GatheredMaterial; planned: PlannedBrief; partId: string | null },
): Promise<void> {
  const { carried } = run;
  const name = partId === null ? 'the text' : partName(planned, partId);
  const request = {
    run: run.facts,
    materialRef: gathered.materialRef,
    planRef: planned.planRef,
    textRef: carried.textRef ?? null,
    partId,
    asksTitle: partId === null || partId === writingOrder(planned.parts.map(({ id }) => id)).at(-1),
  };
  const written = await orShortfall(
    run,
    () => run.askModel(briefActivities.writeBrief, request, `${name} · write`, QUOTE_FALLBACK),
    (reason) =>
      run.addShortfall(`Pass 2 could not write ${name} (${reason}), so the statements on it are quoted.`),
  );
  const wanted = partId === null ? planned.parts.map(({ id }) => id) : [partId];
  if (written === null) {
    carried.quotedSteps += 1;
    carried.refused.push(...wanted);
    return;
  }
  carried.textRef = written.textRef;
  carried.written = written.parts;
  for (const id of wanted.filter((part) => written.parts.includes(part))) run.finishPiece(id);
}

const QUOTE_FALLBACK = 'the statements are quoted';
const NO_TEXT_LEFT =
  'Pass 2 took out every cited sentence of the text, as the audit rejected them, so the brief quotes the statements.';

/** `parts` are those with text left, null without an audit. Returns null if no text is left. */
async function auditAndMend(
  run: BriefRun,
  { materialRef }: GatheredMaterial,
  textRef: ArtifactRef,
  from: { revision: number; only?: string[] },
): Promise<{ textRef: ArtifactRef; parts: string[] | null } | null> {
  const request = { run: run.facts, materialRef };
  const checked = await auditAndMendText(
    run,
    {
      audit: (of, name) => run.ask(briefActivities.auditBrief, { ...request, ...of }, name, AUDIT_FALLBACK),
      mend: (of, name) => run.askModel(briefActivities.mendBrief, { ...request, ...of }, name, MEND_FALLBACK),
      unaudited: (reason) =>
        run.addShortfall(`Pass 2 could not audit the text (${reason}), so it is unchecked.`),
    },
    textRef,
    from,
  );
  return checked === null ? null : { textRef: checked.textRef, parts: checked.audited?.parts ?? null };
}

/** A part that cannot be quoted either is reported as missing. */
async function quoteParts(
  run: BriefRun,
  { materialRef }: GatheredMaterial,
  planned: PlannedBrief,
): Promise<void> {
  const { carried } = run;
  const isThere = (id: string): boolean =>
    [...carried.written, ...[...carried.drafts, ...carried.missing].map(({ partId }) => partId)].includes(id);
  for (const partId of writingOrder(planned.parts.map(({ id }) => id))) {
    if (isThere(partId)) continue;
    const name = partName(planned, partId);
    // Only a summary of quoted parts is limited to the quoted drafts.
    const drafts = carried.textRef === undefined ? carried.drafts : [];
    const request = { run: run.facts, materialRef, planRef: planned.planRef, partId, drafts };
    const quoted = await orShortfall(
      run,
      () => run.carryOut(briefActivities.writeBriefPart, request, `${name} · quote`),
      async (reason) => {
        const told = `Pass 2 could not write ${name} (${reason}), so it is missing.`;
        carried.missing.push({ partId, told });
        await run.warn({ code: 'pass-failed', message: told });
      },
    );
    if (quoted === null) continue;
    addWarnings(carried, quoted.warnings);
    carried.ledger = recordUsage(carried.ledger, 'write', quoted.usage);
    carried.drafts.push({ partId, draftRef: quoted.draftRef });
    run.finishPiece(partId);
    await run.continueAsNewIfLong();
  }
}

/** A neutral name such as `part 3 of 14`: histories hold no text of the material. */
function partName({ parts }: PlannedBrief, partId: string): string {
  return `part ${parts.findIndex(({ id }) => id === partId) + 1} of ${parts.length}`;
}

const SUMMARY = 'summary';
const CONCLUSIONS = 'conclusions';

export function writingOrder(partIds: readonly string[]): string[] {
  const last = [CONCLUSIONS, SUMMARY];
  return [...partIds.filter((id) => !last.includes(id)), ...last.filter((id) => partIds.includes(id))];
}

/** Revision numbers per version. Audits use the numbers below the judge's. */
const REVISIONS_PER_VERSION = 10;

/** Does nothing if no text was written. */
export async function judgeBrief(run: BriefRun, gathered: GatheredMaterial): Promise<void> {
  const { carried, input } = run;
  const first = currentText(carried);
  if (!input.judge.enabled || (first.textRef === undefined && first.drafts.length === 0)) return;
  run.plan(2, Math.min(1, carried.versions.length));
  await judgeAndRevise<BriefText>(run, {
    settings: input.judge,
    versions: carried.versions,
    first,
    // The judge reads the text and its material. Both have about the same length.
    assemble: async (version) => {
      const request = assembleInput(run, version, { status: 'completed', endedEarly: null, isFinal: false });
      const { judgedRef, reportRef, markdownRef } = await run.carryOut(
        briefActivities.assembleBrief,
        request,
        `version ${version.n} · put together`,
      );
      return { judgedRef, reportRef, markdownRef };
    },
    async revise(from, named, version) {
      carried.revising = version;
      const revised = await mendParts(run, gathered, from, named, version);
      delete carried.revising;
      return revised;
    },
    between: () => run.continueAsNewIfLong(),
  });
}

/** Returns null if nothing changed, which saves an audit and a judge call. */
async function mendParts(
  run: BriefRun,
  gathered: GatheredMaterial,
  { text, judged: { judgementRef } }: ScoredVersion<BriefText>,
  named: string[],
  version: number,
): Promise<{ text: BriefText; revised: string[] } | null> {
  const { textRef } = text;
  if (textRef === undefined || named.length === 0) return null;
  const { materialRef } = gathered;
  const revision = version * REVISIONS_PER_VERSION;
  const request = { run: run.facts, materialRef, textRef, revision, judged: { judgementRef, parts: named } };
  const name = `version ${version} · mend for the judge`;
  const made = await orShortfall(
    run,
    () => run.askModel(briefActivities.mendBrief, request, name, 'the text before it stands'),
    () => undefined,
  );
  if (made === null || made.changed.length === 0) return null;
  const from = { revision: revision + 1, only: made.changed };
  const after = await auditAndMend(run, gathered, made.textRef, from);
  return after === null ? null : { text: { ...text, textRef: after.textRef }, revised: made.parts };
}

export function assembleInput(
  run: BriefRun,
  version: Pick<Version<BriefText>, 'n' | 'text'>,
  at: Pick<AssembleBriefInput, 'status' | 'endedEarly' | 'isFinal'>,
): AssembleBriefInput {
  const { carried, facts, input } = run;
  const { total, byPass } = runUsage(carried);
  return {
    run: facts,
    ...at,
    version: version.n,
    materialRef: carried.gathered?.materialRef ?? null,
    planRef: carried.planned?.planRef ?? null,
    ...version.text,
    judge: at.isFinal ? judgeSummary(carried.versions) : null,
    shortfalls: allShortfalls(carried),
    warnings: carried.warnings,
    usage: { ...total, byPass },
    ...(input.estimate === undefined ? {} : { estimate: input.estimate }),
    timings: { total: Date.now() - Date.parse(carried.startedAt), byPass: { ...carried.passMs } },
    asOf: input.asOf,
    ...(input.since === undefined ? {} : { since: input.since }),
  };
}

interface BriefText {
  textRef?: ArtifactRef;
  drafts: { partId: string; draftRef: ArtifactRef }[];
}

export interface GatheredMaterial {
  materialRef: ArtifactRef;
  subtopics: { id: string; words: number }[];
  statements: number;
  sources: number;
  /** Number of sources with full text. */
  inFull: number;
}

export interface PlannedBrief {
  planRef: ArtifactRef;
  isOneCall: boolean;
  parts: { id: string; words: number }[];
}

/** The brief is built from this state if the run ends early. */
export interface BriefState extends WorkflowState {
  gathered: GatheredMaterial | null;
  checked: number | null;
  planned: PlannedBrief | null;
  /** First version of the text by a model; absent if there is none. */
  textRef?: ArtifactRef;
  /** True once the text is audited and mended. */
  isAudited?: true;
  written: string[];
  refused: string[];
  drafts: BriefText['drafts'];
  /** Parts that could not be quoted, with the reason as a sentence for the reader. */
  missing: { partId: string; told: string }[];
  versions: Version<BriefText>[];
  revising?: number;
}

export function initialBriefState(): Omit<BriefState, keyof WorkflowState> {
  const nothing = { written: [], refused: [], drafts: [], missing: [], versions: [] };
  return { gathered: null, checked: null, planned: null, ...nothing };
}

export function currentText({ textRef, drafts }: Pick<BriefState, 'textRef' | 'drafts'>): BriefText {
  return { ...(textRef === undefined ? {} : { textRef }), drafts };
}

export function allShortfalls({ shortfalls, missing }: Pick<BriefState, 'shortfalls' | 'missing'>): string[] {
  return [...shortfalls, ...missing.map(({ told }) => told)];
}

export type BriefRun = Run<BriefRunInput, BriefState, BriefContext>;

export const briefActivities = proxyActivities<BriefActivities>(COMPUTE_OPTIONS);
