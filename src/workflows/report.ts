import { CancellationScope, ContinueAsNew, isCancellation } from '@temporalio/workflow';
import type { RunBrief } from '../activities/ports';
import { reserve, type WorstCase } from '../core/budget-ledger';
import { CALL_SIZES, worstCaseOf, type CallSize, type Material } from '../core/call-estimates';
import type { PassName, ReportRunInput, RunOutcome, SynthesisSettings } from '../core/contracts/run';
import { activities } from './activities';
import { affordableMaterial } from './budgeted-material';
import { concludeRun, failRun } from './conclude-run';
import { inParallel } from './in-parallel';
import { REPORT_FUND } from './ask';
import { openRun, type Run } from './run';
import type { RunState, SectionState } from './run-state';

/** How many sources one activity summarises. */
const BATCH_SIZE = 50;
/** Pass 4 is paid for first, before it is known how many sections there will be. */
const EXPECTED_SECTIONS = 8;
/** Of a small budget so much is kept for pass 4. */
const REPORT_SHARE = 0.4;
/** Of what is left before pass 2 so much is for it; the rest is for pass 3. */
const DEEP_DIVE_SHARE = 0.6;

/**
 * A report: its passes in their order, each able to end the history and go on in a new one. A run that is cancelled or
 * out of time stores what it has as a partial report before it closes.
 */
export async function report(input: ReportRunInput, carried?: RunState): Promise<RunOutcome> {
  const run = openRun(input, carried);
  void CancellationScope.current().cancelRequested.catch(() => run.setStatus('cancelling'));
  const passes: [PassName, (run: Run) => Promise<void>][] = [
    ['gather', gather],
    ['overview', overview],
    ['deep-dive', deepDive],
    ['cross-reference', crossReference],
    ['report', write],
  ];
  try {
    await run.clock.within(async () => {
      reserveReport(run);
      for (const [name, carryOut] of passes) {
        if (run.state.finishedPasses.includes(name)) continue;
        await run.enter(name);
        await carryOut(run);
        run.leave(name);
        if (name !== 'report') await run.continueAsNewIfLong();
      }
    });
    return await concludeRun(run, run.state.quotedSteps === 0 ? 'completed' : 'partial');
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    if (isCancellation(error)) {
      const outcome = await concludeRun(run, run.clock.timeIsUp ? 'partial' : 'cancelled');
      if (run.clock.timeIsUp) return outcome;
      throw error;
    }
    throw await failRun(run, error);
  }
}

/** Pass 0: every source with a summary, once, rated. */
async function gather(run: Run): Promise<void> {
  const { manifestRef, sourceCount, asOf } = run.input;
  const batches = batchesOf(sourceCount);
  run.plan(batches.length + 1);
  const summarised = await inParallel(batches, async ({ from, to }) => {
    const sources = `sources ${from + 1}–${to}`;
    const request = { run: run.brief, manifestRef, from, to };
    const cost = worstCase(run, 'fast', CALL_SIZES.summarise(to - from, materialOf(run)));
    return run.ask(activities.summariseBatch, request, `${sources} · summarise`, cost);
  });
  const batchRefs = summarised.map((batch) => batch.batchRef);
  const request = { run: run.brief, manifestRef, batchRefs, asOf };
  const { catalogueRef, sources } = await run.carryOut(activities.catalogueSources, request, 'catalogue');
  run.state.catalogue = { ref: catalogueRef, sources };
}

/** Pass 1: the outline, from all summaries. */
async function overview(run: Run): Promise<void> {
  const { catalogue } = run.state;
  if (catalogue === null) return;
  run.plan(1);
  const request = { run: run.brief, catalogueRef: catalogue.ref };
  const cost = worstCase(run, 'fast', CALL_SIZES.outline(catalogue.sources));
  const planned = await run.ask(activities.planOutline, request, 'outline', cost);
  run.state.outline = { ref: planned.outlineRef, overallTheme: planned.overallTheme };
  run.state.sections = planned.sections.map((section) => ({
    ...section,
    findingsRef: null,
    checksRef: null,
    draftRef: null,
  }));
}

/** Pass 2: findings for each section, from the full content of its best sources. */
async function deepDive(run: Run): Promise<void> {
  const { catalogue, outline, sections } = run.state;
  if (catalogue === null || outline === null) return;
  run.plan(sections.length);
  const { brief, cost } = await within(run, CALL_SIZES.extractFindings, DEEP_DIVE_SHARE);
  await eachSection(run, async (section, index) => {
    const request = {
      run: brief,
      catalogueRef: catalogue.ref,
      outlineRef: outline.ref,
      sectionId: section.id,
    };
    const found = await run.ask(activities.deepDiveSection, request, part(sections, index, 'extract'), cost);
    section.findingsRef = found.findingsRef;
  });
}

/** Pass 3: findings held against further sources, section by section; then against each other, all at once. */
async function crossReference(run: Run): Promise<void> {
  const { catalogue, outline, sections } = run.state;
  if (catalogue === null || outline === null) return;
  run.plan(sections.length + 1);
  const { brief, cost } = await within(run, CALL_SIZES.crossCheck, 1);
  await eachSection(run, async (section, index) => {
    const { id: sectionId, findingsRef } = section;
    if (findingsRef === null) return;
    const request = {
      run: brief,
      catalogueRef: catalogue.ref,
      outlineRef: outline.ref,
      findingsRef,
      sectionId,
    };
    const checked = await run.ask(
      activities.crossCheckSection,
      request,
      part(sections, index, 'check'),
      cost,
    );
    section.checksRef = checked.checksRef;
  });
  const found = sections.flatMap(({ findingsRef, checksRef }) =>
    findingsRef === null ? [] : [{ findingsRef, checksRef }],
  );
  const request = {
    run: run.brief,
    catalogueRef: catalogue.ref,
    outlineRef: outline.ref,
    sections: found,
  };
  const reconciled = await run.carryOut(activities.reconcileFindings, request, 'reconcile');
  run.state.validatedRef = reconciled.validatedRef;
}

/** Pass 4: the text of each section, then what opens and closes the report. The text is put together after this. */
async function write(run: Run): Promise<void> {
  const { catalogue, outline, sections, validatedRef } = run.state;
  if (catalogue === null || outline === null || validatedRef === null) return;
  const refs = { catalogueRef: catalogue.ref, outlineRef: outline.ref, validatedRef };
  run.plan(sections.length + 1);
  const cost = worstCase(run, 'strong', CALL_SIZES.writeSection());
  await eachSection(run, async (section, index) => {
    if (section.findingsRef === null) return;
    const request = { run: run.brief, ...refs, sectionId: section.id };
    const written = await run.ask(activities.writeSection, request, part(sections, index, 'write'), cost);
    section.draftRef = written.draftRef;
  });
  const drafts = sections.flatMap(({ id, draftRef }) =>
    draftRef === null ? [] : [{ sectionId: id, draftRef }],
  );
  const summaryCost = worstCase(run, 'strong', CALL_SIZES.writeSummary());
  const summary = await run.ask(
    activities.writeSummary,
    { run: run.brief, ...refs, drafts },
    'summary',
    summaryCost,
  );
  run.state.frameRef = summary.frameRef;
}

/** Sets aside what pass 4 needs, or of a small budget a good part. */
function reserveReport(run: Run): void {
  if (run.state.finishedPasses.length > 0) return;
  const section = worstCase(run, 'strong', CALL_SIZES.writeSection());
  const summary = worstCase(run, 'strong', CALL_SIZES.writeSummary());
  const { maxTokens = Infinity, maxCostUsd = Infinity } = run.input.budget;
  const fund = {
    tokens: Math.min(EXPECTED_SECTIONS * section.tokens + summary.tokens, REPORT_SHARE * maxTokens),
    costUsd: Math.min(EXPECTED_SECTIONS * section.costUsd + summary.costUsd, REPORT_SHARE * maxCostUsd),
  };
  run.state.ledger = reserve(run.state.ledger, REPORT_FUND, fund) ?? run.state.ledger;
}

/** All sections at once, each counted as done when its work is. */
async function eachSection(
  run: Run,
  work: (section: SectionState, index: number) => Promise<void>,
): Promise<void> {
  await inParallel(run.state.sections, async (section, index) => {
    await work(section, index);
    run.finishSection(section.id);
  });
}

/**
 * What a step of each section may read of sources within the budget, and what it may cost then. A warning says so where
 * that is less than the settings allow.
 */
async function within(
  run: Run,
  sizeOf: (settings: SynthesisSettings, material: Material) => CallSize,
  share: number,
): Promise<{ brief: RunBrief; cost: WorstCase }> {
  const costOf = (settings: SynthesisSettings): WorstCase =>
    worstCase(run, 'strong', sizeOf(settings, materialOf(run)));
  const all = run.input.synthesis;
  const calls = run.state.sections.length;
  const synthesis = affordableMaterial(all, costOf, run.state.ledger, { calls, share });
  if (synthesis !== all) {
    await run.warn({
      code: 'budget',
      message: `To keep within the budget, a section reads ${synthesis.pass2FullContentCount} sources and ${synthesis.maxTotalChars} characters at most, not ${all.pass2FullContentCount} and ${all.maxTotalChars}.`,
    });
  }
  return { brief: { ...run.brief, synthesis }, cost: costOf(synthesis) };
}

function materialOf({ input, state }: Run): Material {
  return { sources: state.catalogue?.sources ?? input.sourceCount, chars: input.sourceChars ?? Infinity };
}

function worstCase(run: Run, role: 'fast' | 'strong', size: CallSize): WorstCase {
  const { engine, models } = run.input;
  return worstCaseOf(engine, size, models?.[role] ?? {});
}

function batchesOf(sources: number): { from: number; to: number }[] {
  return Array.from({ length: Math.ceil(sources / BATCH_SIZE) }, (_, index) => ({
    from: index * BATCH_SIZE,
    to: Math.min((index + 1) * BATCH_SIZE, sources),
  }));
}

function part(sections: readonly SectionState[], index: number, what: string): string {
  return `section ${index + 1}/${sections.length} · ${what}`;
}
