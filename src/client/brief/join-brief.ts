import { BriefStart } from '../../contracts/brief/brief-start';
import { GivenSubtopics, type GivenSubtopic } from '../../contracts/brief/subtopic';
import type { Warning } from '../../contracts/run/run';
import { toArtifactText } from '../../core/run/json-artifact';
import { artifactRef } from '../../stores/artifact-ref';
import type { DescribedRun } from '../described-run';
import { readArtifact } from '../pass-results/read-pass-result';
import { readInputOf } from '../read-run-input';
import { heldSettings, joinWarning } from '../request-differences';
import { RunDiffersError } from '../run-errors';
import type { StartRecords } from '../starting/start-run';

const NAMES_SHOWN = 3;

/** As `joinRun`, for a brief: it is joined where it answers the same question from the same subtopics. */
export async function joinBrief(
  records: StartRecords,
  running: DescribedRun,
  given: { question: string; subtopics: readonly GivenSubtopic[] },
  wanted: Readonly<Record<string, unknown>>,
): Promise<Warning[]> {
  const { runId } = running;
  const has = await readInputOf(records.client, running, BriefStart);
  if (has === null)
    return [
      joinWarning(
        `What run "${runId}" was started with cannot be read, so it is not known to be about the same.`,
      ),
    ];
  const question = has.question.trim();
  const differences = question === given.question ? [] : [`its question is “${question}”`];
  const ref = has.subtopicsRef ?? artifactRef(toArtifactText(has.subtopics));
  if (ref !== artifactRef(toArtifactText(given.subtopics))) {
    const held = has.subtopics ?? (await readArtifact(records.content, ref, GivenSubtopics));
    differences.push(differenceOf(held, given.subtopics));
  }
  if (differences.length > 0) throw new RunDiffersError(runId, differences);
  return heldSettings(runId, has, wanted);
}

function differenceOf(held: readonly GivenSubtopic[] | null, given: readonly GivenSubtopic[]): string {
  if (held === null) return 'its subtopics are others';
  const [before, now] = [held, given].map((subtopics) => new Set(subtopics.map(({ title }) => title)));
  const added = given.filter(({ title }) => before?.has(title) === false);
  const gone = held.filter(({ title }) => now?.has(title) === false);
  const told = [
    ...(added.length === 0 ? [] : [`it does not have ${named(added)}`]),
    ...(gone.length === 0 ? [] : [`it has ${named(gone)}, not given now`]),
  ];
  return told.length === 0
    ? 'its subtopics have the same titles, and other texts, sources or another order'
    : told.join(', and ');
}

function named(subtopics: readonly GivenSubtopic[]): string {
  const names = subtopics.slice(0, NAMES_SHOWN).map(({ title }) => `“${title}”`);
  const more = subtopics.length - names.length;
  return [...names, ...(more === 0 ? [] : [`${more} more`])].join(', ');
}
