import { z } from 'zod';
import { ArtifactRef } from '../run/artifact';

/** What an answer has left so far. */
export const AnswerPassRefs = z.object({ answer: ArtifactRef.optional() });
