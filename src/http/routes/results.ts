import { z } from 'zod';
import { EXPORT_FORMAT_NAMES, EXPORT_FORMATS } from '../../document/formats/export-formats';
import { JudgedVersion } from '../../contracts/judge/judgement';
import { ClaimEvidence } from '../../contracts/verification/claim-evidence';
import { ReportDiff } from '../../contracts/report/report-diff';
import type { Routes } from '../face';
import { Problem } from '../problem';
import { ownRun, RunIdParams } from './own-run';

/** Where it lies in the store is nobody's business outside. */
const ToldVersion = JudgedVersion.omit({ reportRef: true, markdownRef: true }).meta({ id: 'RunVersion' });

const FORMATS = Object.fromEntries(
  Object.values(EXPORT_FORMATS).map(({ mediaType, ending, isText }) => [
    mediaType,
    { schema: ending === 'json' ? z.looseObject({}) : isText ? z.string() : z.file() },
  ]),
);

export const resultRoutes: Routes = (app, face) => {
  app.get(
    '/v1/runs/:runId/result',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'runResult',
        summary: 'What a run left, in a format; as html also where a run is that goes on.',
        params: RunIdParams,
        querystring: z.object({ format: z.enum(EXPORT_FORMAT_NAMES).default('json') }),
        response: { 200: { description: 'As a file of the format.', content: FORMATS }, default: Problem },
      },
    },
    async (request, reply) => {
      const { runId } = await ownRun(face, request);
      const { name, mediaType, content } = await face.client.export(runId, request.query.format);
      return (
        reply
          .header('content-type', mediaType)
          .header('content-disposition', `inline; filename="${name}"`)
          // Bytes go as they are, whatever the document says that they are.
          .send((typeof content === 'string' ? content : Buffer.from(content)) as string)
      );
    },
  );

  app.get(
    '/v1/runs/:runId/claims/:claimId',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'claimEvidence',
        summary: 'What a claim of a run rests on: its passages, each with its quote marked.',
        params: RunIdParams.extend({ claimId: z.string().min(1).max(200) }),
        response: { 200: ClaimEvidence, default: Problem },
      },
    },
    async (request) => {
      const { runId } = await ownRun(face, request);
      return face.client.evidence(runId, request.params.claimId);
    },
  );

  app.get(
    '/v1/runs/:runId/versions',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'runVersions',
        summary: 'How each version of the text of a run was judged, oldest first; none where it was not.',
        params: RunIdParams,
        response: { 200: z.object({ versions: z.array(ToldVersion) }), default: Problem },
      },
    },
    async (request) => ({ versions: await (await ownRun(face, request)).versions() }),
  );

  app.get(
    '/v1/runs/:runId/versions/:n',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'runVersion',
        summary: 'A version of the text of a run.',
        params: RunIdParams.extend({ n: z.coerce.number().int().positive() }),
        response: {
          200: z.object({ version: ToldVersion, markdown: z.string() }),
          default: Problem,
        },
      },
    },
    async (request) => (await ownRun(face, request)).version(request.params.n),
  );

  app.get(
    '/v1/runs/:runId/diff/:beforeId',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'diffRuns',
        summary: 'What a report says that an earlier one did not, and the other way round.',
        params: RunIdParams.extend({ beforeId: RunIdParams.shape.runId }),
        response: { 200: ReportDiff, default: Problem },
      },
    },
    async (request) => {
      const { caller, params } = request;
      const after = await ownRun(face, request);
      const before = await ownRun(face, { caller, params: { runId: params.beforeId } });
      return face.client.diff(before.runId, after.runId);
    },
  );
};
