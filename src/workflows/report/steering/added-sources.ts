import type { ArtifactRef } from '../../../contracts/run/artifact';
import { inParallel } from '../../run/in-parallel';
import { orShortfall } from '../../run/shortfall';
import { shapeOfRun } from '../../run/shape-of-run';
import { activities } from '../activities';
import { reconcileNamed } from '../reconcile-named';
import {
  catalogueBefore,
  outlineBefore,
  validatedBefore,
  keepOfSection,
  keepValidated,
} from '../carried-report';
import { sectionName } from '../each-section';
import type { Catalogue, Outline } from '../pass-artifacts';
import type { ReportRun } from '../report-run';
import { extended, gatherNew } from './before-reading';

interface Material {
  catalogue: Catalogue;
  outline: Outline;
  /** How many sources the catalogue had before. */
  known: number;
}

/** What the added sources gave to a section. */
interface AddedFindings {
  sectionId: string;
  addedRef: ArtifactRef;
  checksRef: ArtifactRef | null;
  unvalidated: boolean;
}

/**
 * A short pass over sources that came when the others had been read: they are gathered, ranked for the sections, read for those
 * that they concern, and what they give is held against the rest. Gives the sections that have other findings now; the others are
 * left as they are, and nothing that was read before is read again.
 */
export async function readAdded(run: ReportRun): Promise<string[]> {
  const { carried } = run;
  const former = catalogueBefore(carried);
  const known = former.sources;
  const before = outlineBefore(carried);
  const validatedRef = validatedBefore(carried);
  if (validatedRef === null) return [];
  const round = (carried.addedRounds ?? 0) + 1;
  Object.assign(run.facts, { round });
  carried.addedRounds = round;
  const catalogue = await gatherNew(run);
  if (catalogue.sources === known) return [];
  const outline = await extended(run, { catalogue, outline: before, known });
  const added = await addedFindings(run, { catalogue, outline, known }, outline.concerned);
  const changed = added.length === 0 ? [] : await reconciled(run, { catalogue, outline, known }, added);
  carried.outline = { ref: outline.ref };
  for (const { id, sources } of outline.sections)
    for (const section of carried.sections) if (section.id === id) section.sources = sources;
  if (changed.length === 0)
    await run.warn({
      code: 'sources-added',
      message:
        'The sources that were added change no section: nothing in them answers the question otherwise.',
    });
  return changed;
}

/** Of a section that cannot be read for it nothing is added. */
async function addedFindings(
  run: ReportRun,
  { catalogue, outline, known }: Material,
  concerned: readonly string[],
): Promise<AddedFindings[]> {
  const { enableCrossReference, enableMultiPass } = run.input.synthesis;
  const { facts } = run;
  const refs = { catalogueRef: catalogue.ref, outlineRef: outline.ref };
  const { atOnce } = shapeOfRun(run.input);
  const made = await inParallel(concerned, atOnce, async (sectionId): Promise<AddedFindings | null> => {
    const name = sectionName(outline.sections, sectionId);
    const before = run.carried.sections.find(({ id }) => id === sectionId)?.findingsRef ?? null;
    const request = { run: facts, ...refs, sectionId, known, findingsRef: before };
    const read = await orShortfall(
      run,
      () => run.ask(activities.deepDiveAdded, request, `added sources · ${name} · extract`),
      (reason) => run.addShortfall(`Added sources could not be read for ${name} (${reason}).`),
    );
    if (read === null || read.findings === 0) return null;
    const { addedRef, findingsRef } = read;
    keepOfSection(run.carried, sectionId, { findingsRef });
    if (!enableCrossReference || !enableMultiPass)
      return { sectionId, addedRef, checksRef: null, unvalidated: !enableMultiPass };
    const check = { run: facts, ...refs, findingsRef: addedRef, rankingRef: null, sectionId };
    const checked = await orShortfall(
      run,
      () => run.ask(activities.crossCheckSection, check, `added sources · ${name} · check`),
      (reason) =>
        run.addShortfall(
          `What added sources say to ${name} could not be checked against the others (${reason}); it is marked.`,
        ),
    );
    return { sectionId, addedRef, checksRef: checked?.checksRef ?? null, unvalidated: checked === null };
  });
  return made.flatMap((one) => one ?? []);
}

async function reconciled(
  run: ReportRun,
  { catalogue, outline, known }: Material,
  added: AddedFindings[],
): Promise<string[]> {
  const { carried } = run;
  const request = {
    run: run.facts,
    catalogueRef: catalogue.ref,
    known,
    outlineRef: outline.ref,
    validatedRef: validatedBefore(carried) ?? '',
    added,
  };
  const { validatedRef, changed } = await reconcileNamed(
    run,
    activities.reconcileAdded,
    request,
    'reconcile what was added',
  );
  keepValidated(carried, validatedRef);
  return changed;
}
