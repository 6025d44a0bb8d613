import { z, ZodError } from 'zod';
import type { ContentStore } from '../../../stores/content-store';
import { MissingArtifactError, readArtifact } from '../../shared/artifacts';
import type { AdmitAnswerInput } from './admit-answer-input';

const ObservationTexts = z.array(z.string());

/** What tools observed: given as texts, and by reference, which may be a reference to nothing. */
export async function observationTexts(
  content: ContentStore,
  {
    runId,
    observations = [],
    observationsRef,
  }: Pick<AdmitAnswerInput, 'runId' | 'observations' | 'observationsRef'>,
): Promise<{ texts: string[]; problems: string[] }> {
  if (observationsRef === undefined) return { texts: observations, problems: [] };
  try {
    const kept = await readArtifact(content, observationsRef, ObservationTexts);
    await content.hold(runId, [observationsRef]);
    return { texts: [...observations, ...kept], problems: [] };
  } catch (error) {
    const named = `observationsRef is ${observationsRef}`;
    if (error instanceof MissingArtifactError)
      return { texts: [], problems: [`${named}, which is not in this worker's content store`] };
    if (error instanceof ZodError || error instanceof SyntaxError)
      return { texts: [], problems: [`${named}, which is no list of texts`] };
    throw error;
  }
}
