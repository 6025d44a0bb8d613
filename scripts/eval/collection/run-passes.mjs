import { performance } from 'node:perf_hooks';
import { built } from '../built.mjs';

/** How many sources one activity summarises, as in src/workflows/report/gather.ts. */
const BATCH_SIZE = 50;
const NO_USAGE = { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, byPass: {} };

/** The file of each activity that is carried out. */
const FILES = {
  summariseBatch: 'gather/summarise-batch',
  catalogueSources: 'gather/catalogue-sources',
  planOutline: 'overview/plan-outline',
  scoreSources: 'overview/score-sources',
  settleOutline: 'overview/settle-outline',
  deepDiveSection: 'deep-dive/deep-dive-section',
  rankSources: 'deep-dive/rank-sources',
  crossCheckSection: 'cross-reference/cross-check-section',
  seekSupport: 'cross-reference/seek-support',
  reconcileFindings: 'cross-reference/reconcile-findings',
  writeSection: 'writing/write-section',
  writeSummary: 'writing/write-summary',
  assembleReport: 'writing/assemble-report',
  assembleVersion: 'writing/assemble-version',
};

/**
 * The passes of a report by the engine that asks no model, in the order and under the conditions of src/workflows. `times`
 * gathers how many milliseconds each activity took. Resolves with where the report is, as `ending` puts it together.
 */
export async function runPasses({ ports, run, manifestRef, sourceCount, asOf, times, ending }) {
  const { evenBatches } = built('workflows/run/batches.js');
  const signal = AbortSignal.any([]);
  const carryOut = async (name, input) => {
    const activity = built(`activities/report/${FILES[name]}.js`)[name];
    const since = performance.now();
    try {
      return await activity(ports, { run, ...input }, signal);
    } finally {
      times.set(name, (times.get(name) ?? 0) + performance.now() - since);
    }
  };

  const batches = evenBatches(sourceCount, BATCH_SIZE);
  const batchRefs = [];
  for (const batch of batches)
    batchRefs.push((await carryOut('summariseBatch', { manifestRef, ...batch })).batchRef);
  const { catalogueRef, sources } = await carryOut('catalogueSources', { manifestRef, batchRefs, asOf });

  const whole = { from: 0, to: sources };
  const planned = await carryOut('planOutline', { catalogueRef, ...whole });
  const { planRef } = planned;
  const scoreRefs =
    planned.sections === 0
      ? []
      : [(await carryOut('scoreSources', { catalogueRef, planRef, ...whole })).scoresRef];
  const settled = await carryOut('settleOutline', { catalogueRef, planRef, scoreRefs });
  const { outlineRef } = settled;
  const refs = { catalogueRef, outlineRef };

  const sections = [];
  for (const { id: sectionId } of settled.sections) {
    const { findingsRef } = await carryOut('deepDiveSection', { ...refs, sectionId });
    sections.push({ sectionId, findingsRef, checksRef: null, unvalidated: false, draftRef: null });
  }
  const findingsRefs = sections.map(({ findingsRef }) => findingsRef);
  const { rankingRef } = await carryOut('rankSources', { outlineRef, findingsRefs });

  for (const section of sections) {
    const { sectionId, findingsRef } = section;
    const request = { ...refs, findingsRef, rankingRef, sectionId };
    section.checksRef = (await carryOut('crossCheckSection', request)).checksRef;
  }
  const checked = sections.map(({ findingsRef, checksRef, unvalidated }) => ({
    findingsRef,
    checksRef,
    unvalidated,
  }));
  const { supportRef } = await carryOut('seekSupport', { catalogueRef, sections: checked });
  const { validatedRef } = await carryOut('reconcileFindings', { ...refs, sections: checked, supportRef });

  for (const section of sections) {
    section.draftRef = await written(carryOut, run, { ...refs, validatedRef, sectionId: section.sectionId });
  }
  const drafts = sections.map(({ sectionId, draftRef }) => ({ sectionId, draftRef }));
  const { frameRef } = await carryOut('writeSummary', { ...refs, validatedRef, drafts });
  return carryOut(ending, {
    version: 1,
    status: 'completed',
    endedEarly: null,
    shortfalls: [],
    warnings: [],
    manifestRef,
    asOf,
    catalogueRef,
    outlineRef,
    validatedRef,
    frameRef,
    sections: sections.map(({ sectionId, findingsRef, draftRef }) => ({ sectionId, findingsRef, draftRef })),
    usage: NO_USAGE,
    timings: { total: 0, byPass: {} },
  });
}

/** A section's text, and once more where it cites fewer sources than it should and could. */
async function written(carryOut, { synthesis }, request) {
  const first = await carryOut('writeSection', request);
  if (first.cited >= Math.min(synthesis.minCitationsPerSection, first.citable)) return first.draftRef;
  const revises = { draftRef: first.draftRef, revision: 1 };
  return (await carryOut('writeSection', { ...request, revises })).draftRef;
}
