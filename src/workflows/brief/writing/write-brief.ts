import { traitsOf } from '../../../contracts/run/engines';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { book } from '../../../core/budget/budget-ledger';
import { keepWarnings } from '../../run/carried-run';
import { checkedText, NOT_AUDITED, NOT_MENDED } from '../../run/checked-text';
import { orShortfall } from '../../run/shortfall';
import { activities } from '../activities';
import type { BriefRun, Gathered, Planned } from '../carried-brief';

/**
 * The text: by a model in one call where it is short enough to be coherent then, else part by part, in order, behind the text so
 * far. It is audited and mended. Parts that no model writes are quoted. Behind each part the history may end.
 */
export async function writeBrief(run: BriefRun, gathered: Gathered, planned: Planned): Promise<void> {
  const { carried } = run;
  run.plan(2 * planned.parts.length, carried.written.length + carried.drafts.length);
  const isAudited = carried.isAudited === true;
  if (traitsOf(run.input.engine).asksModels && !isAudited) await writeText(run, gathered, planned);
  const { textRef } = carried;
  if (textRef !== undefined && !isAudited) {
    const audited = await auditedText(run, gathered, textRef, { revision: 0 });
    if (audited === null) {
      await run.addShortfall(NOTHING_LEFT);
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

/** A part that a model could not write is not asked for again. */
async function writeText(run: BriefRun, gathered: Gathered, planned: Planned): Promise<void> {
  const { carried } = run;
  const order = inWritingOrder(planned.parts.map(({ id }) => id));
  const isOpen = (id: string): boolean => !carried.written.includes(id) && !carried.refused.includes(id);
  if (planned.isOneCall && order.every(isOpen)) await writePart(run, { gathered, planned, partId: null });
  for (const partId of order) {
    if (!isOpen(partId)) continue;
    await writePart(run, { gathered, planned, partId });
    await run.continueAsNewIfLong();
  }
}

/** Writes a part, or all of them where `partId` is null. */
async function writePart(
  run: BriefRun,
  { gathered, planned, partId }: { gathered: Gathered; planned: Planned; partId: string | null },
): Promise<void> {
  const { carried } = run;
  const name = partId === null ? 'the text' : partName(planned, partId);
  const request = {
    run: run.facts,
    materialRef: gathered.materialRef,
    planRef: planned.planRef,
    textRef: carried.textRef ?? null,
    partId,
    asksTitle: partId === null || partId === inWritingOrder(planned.parts.map(({ id }) => id)).at(-1),
  };
  const written = await orShortfall(
    run,
    () => run.askModel(activities.writeBrief, request, `${name} · write`, QUOTED),
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

const QUOTED = 'the statements are quoted';
const NOTHING_LEFT =
  'Pass 2 took out every cited sentence of the text, as the audit rejected them, so the brief quotes the statements.';

/**
 * The text with its wrong sentences mended or taken out, and the parts that have something left, null where no audit could tell them.
 * Null where nothing is left.
 */
export async function auditedText(
  run: BriefRun,
  { materialRef }: Gathered,
  textRef: ArtifactRef,
  from: { revision: number; only?: string[] },
): Promise<{ textRef: ArtifactRef; parts: string[] | null } | null> {
  const request = { run: run.facts, materialRef };
  const checked = await checkedText(
    run,
    {
      audit: (of, name) => run.ask(activities.auditBrief, { ...request, ...of }, name, NOT_AUDITED),
      mend: (of, name) => run.askModel(activities.mendBrief, { ...request, ...of }, name, NOT_MENDED),
      unaudited: (reason) =>
        run.addShortfall(`Pass 2 could not audit the text (${reason}), so it is unchecked.`),
    },
    textRef,
    from,
  );
  return checked === null ? null : { textRef: checked.textRef, parts: checked.audited?.parts ?? null };
}

/** The parts that the text lacks; one that cannot be quoted either is missing, and that is told. */
async function quoteParts(run: BriefRun, { materialRef }: Gathered, planned: Planned): Promise<void> {
  const { carried } = run;
  const isThere = (id: string): boolean =>
    [...carried.written, ...[...carried.drafts, ...carried.missing].map(({ partId }) => partId)].includes(id);
  for (const partId of inWritingOrder(planned.parts.map(({ id }) => id))) {
    if (isThere(partId)) continue;
    const name = partName(planned, partId);
    // A summary beside parts by a model is not limited to what is quoted.
    const drafts = carried.textRef === undefined ? carried.drafts : [];
    const request = { run: run.facts, materialRef, planRef: planned.planRef, partId, drafts };
    const quoted = await orShortfall(
      run,
      () => run.carryOut(activities.writeBriefPart, request, `${name} · quote`),
      async (reason) => {
        const told = `Pass 2 could not write ${name} (${reason}), so it is missing.`;
        carried.missing.push({ partId, told });
        await run.warn({ code: 'pass-failed', message: told });
      },
    );
    if (quoted === null) continue;
    keepWarnings(carried, quoted.warnings);
    carried.ledger = book(carried.ledger, 'write', quoted.usage);
    carried.drafts.push({ partId, draftRef: quoted.draftRef });
    run.finishPiece(partId);
    await run.continueAsNewIfLong();
  }
}

/** How a part is spoken of where nothing of the material may be: `part 3 of 14`. */
function partName({ parts }: Planned, partId: string): string {
  return `part ${parts.findIndex(({ id }) => id === partId) + 1} of ${parts.length}`;
}

const SUMMARY = 'summary';
const CONCLUSIONS = 'conclusions';

/** In which order parts are written: subtopics, what follows from them, and the summary of it all at last, though it is read first. */
export function inWritingOrder(partIds: readonly string[]): string[] {
  const last = [CONCLUSIONS, SUMMARY];
  return [...partIds.filter((id) => !last.includes(id)), ...last.filter((id) => partIds.includes(id))];
}
