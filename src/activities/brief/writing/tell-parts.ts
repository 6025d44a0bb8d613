import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { ActivityPorts } from '../../shared/ports';
import { openSectionStream } from '../../shared/section-stream';
import { PART_WRITER } from './write-brief-part';
import { type PartText, readParts } from './brief-material';

export interface TellPartsInput {
  runId: string;
  drafts: { partId: string; draftRef: ArtifactRef }[];
}

/** Brings the log to the text of these parts, so that whoever follows a run has what its brief has. */
export async function tellParts(ports: ActivityPorts, { runId, drafts }: TellPartsInput): Promise<void> {
  await tellTexts(ports, runId, await readParts(ports, drafts));
}

/** The same for parts that were read already. What the log has of them as they are is not told again. */
export async function tellTexts(
  { events }: Pick<ActivityPorts, 'events'>,
  runId: string,
  parts: readonly PartText[],
): Promise<void> {
  for (const { partId, draft } of parts) {
    const stream = await openSectionStream(events, runId, partId, PART_WRITER);
    await stream.finish(draft.markdown);
  }
}
