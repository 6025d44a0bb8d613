import type { FastifyRequest } from 'fastify';
import type { EstimatedRun } from '../../client/starting/estimate-request';
import { toldEstimate } from '../../core/budget/told-estimate';
import { faceTexts } from '../../texts/face';
import type { Face } from '../face';
import { type AskedRun, requestOf } from './run-request';

/** What a run is expected to ask of models, in numbers and as a sentence. */
export async function estimateFor(
  face: Face,
  request: Pick<FastifyRequest, 'caller' | 'gone' | 'uploaded'>,
  asked: AskedRun,
): Promise<Omit<EstimatedRun, 'asksModels'> & { told: string }> {
  const { warnings: before, ...requested } = await requestOf(face, asked, request);
  const { asksModels, ...estimated } = await face.client.estimate(requested);
  const { estimate, warnings } = estimated;
  const told =
    estimate !== null
      ? `${toldEstimate(estimate)}.`
      : asksModels
        ? faceTexts.notEstimated
        : faceTexts.costsNothing;
  return { ...estimated, warnings: [...before, ...warnings], told };
}
