import { CALL_SIZES } from '../../core/budget/call-estimates';
import type { RankSourcesInput } from '../../activities/report/deep-dive/rank-sources';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { WorstCase } from '../../core/budget/budget-ledger';
import type { SynthesisSettings } from '../../contracts/report/synthesis-settings';
import { activities } from '../run/activities';
import { withinBudget } from '../run/call-costs';
import { eachSection, sectionName, sectionPart } from './each-section';
import { foundRefs, keepFindings } from './kept-findings';
import { tellNoAnswer } from './no-answer';
import { orFallShort } from '../run/or-fall-short';
import { readInGroups, readsInGroups, type SectionFailure, type SectionReading } from './read-in-groups';
import { NO_OUTAGE_FAILS_A_RUN } from '../run/patches';
import type { Run } from '../run/run';
import { partOf } from '../run/run-state';

/** Of what is left before pass 2 so much is for it; the rest is for pass 3. */
const DEEP_DIVE_SHARE = 0.6;
/** What a single pass reads of a source: as much as a summary has. */
const EXCERPT = { maxCharsPerSource: 1_000, minCharsPerSource: 500 };

/**
 * Pass 2: findings for each section, from the full content of its best sources, and the sources ranked by what they gave.
 * A section that fails has what the summaries of its sources say. Where all were read and nothing was found, nothing answers.
 */
export async function deepDive(run: Run): Promise<void> {
  if (run.state.noAnswer === true) return;
  const { sections } = run.state;
  const catalogue = partOf(run.state, 'catalogue');
  const outline = partOf(run.state, 'outline');
  const inGroups = readsInGroups(run);
  if (!inGroups) run.plan(sections.length + 1);
  const { brief, cost } = await withinBudget(run, 'deep-dive', CALL_SIZES.extractFindings, {
    settings: readingSettings(run),
    share: DEEP_DIVE_SHARE,
    calls: sections.length,
  });
  const failures: SectionFailure[] = [];
  const findings = inGroups
    ? await readInGroups(run, { brief, catalogueRef: catalogue.ref, outlineRef: outline.ref }, failures)
    : await readBySection(
        run,
        { brief, cost, catalogueRef: catalogue.ref, outlineRef: outline.ref },
        failures,
      );
  await tellOfUnread(run, failures);
  if (findings === 0 && failures.length === 0) return tellNoAnswer(run);
  if (!inGroups) {
    const request = { run: run.brief, outlineRef: outline.ref, findingsRefs: foundRefs(sections) };
    run.state.rankingRef = await ranked(run, request);
  }
  if (!run.input.synthesis.enableMultiPass) await keepFindings(run);
}

/** Each section reads its own sources. How many findings there are. */
async function readBySection(
  run: Run,
  { brief, cost, catalogueRef, outlineRef }: SectionReading & { cost: WorstCase },
  failures: SectionFailure[],
): Promise<number> {
  const { sections } = run.state;
  let findings = 0;
  await eachSection(run, async (section, index) => {
    const request = {
      run: brief,
      catalogueRef,
      outlineRef,
      sectionId: section.id,
    };
    const found =
      (await orFallShort(
        run,
        () => run.ask(activities.deepDiveSection, request, sectionPart(sections, index, 'extract'), cost),
        (reason) => void failures.push({ section, reason }),
      )) ??
      (await run.carryOut(activities.takeSummaries, request, sectionPart(sections, index, 'take summaries')));
    section.findingsRef = found.findingsRef;
    findings += found.findings;
  });
  return findings;
}

/** Null where the sources could not be ranked: pass 3 takes them in the outline's order then. */
async function ranked(run: Run, request: RankSourcesInput): Promise<ArtifactRef | null> {
  const ranking = await orFallShort(
    run,
    () => run.carryOut(activities.rankSources, request, 'rank sources'),
    (reason) =>
      run.fallShort(
        `Pass 2 could not rank the sources by what they gave (${reason}); they are checked in the order of the outline.`,
      ),
    NO_OUTAGE_FAILS_A_RUN,
  );
  return ranking?.rankingRef ?? null;
}

/** Without the passes a section reads an excerpt of every source there is. */
function readingSettings({ input, state, brief: { synthesis } }: Run): SynthesisSettings {
  if (synthesis.enableMultiPass) return synthesis;
  return { ...synthesis, ...EXCERPT, pass2FullContentCount: state.catalogue?.sources ?? input.sourceCount };
}

async function tellOfUnread(run: Run, failures: readonly SectionFailure[]): Promise<void> {
  const [first] = failures;
  if (first === undefined) return;
  if (failures.length === run.state.sections.length) {
    await run.fallShort(
      `Pass 2 could not read the sources (${first.reason}), so the report rests on the outline and the summaries.`,
    );
    return;
  }
  for (const { section, reason } of failures) {
    await run.fallShort(
      `Pass 2 could not read the sources of ${sectionName(run, section)} (${reason}), so it rests on their summaries.`,
    );
  }
}
