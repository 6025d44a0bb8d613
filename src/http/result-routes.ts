import { z } from 'zod';
import { InvalidRequestError } from '../client/client-errors';
import { JudgedVersion } from '../contracts/judgement';
import { ReportDiff } from '../contracts/report';
import { Warning } from '../contracts/run';
import { ClaimEvidence, VerifiedReport } from '../contracts/verified-report';
import { EXPORT_FORMAT_NAMES, EXPORT_FORMATS } from '../report/document/export-formats';
import { Problem } from './problem';
import { ownRun, type Routes, RunIdParams } from './server-context';
import { askerOf, GivenSources, readableSources } from './start-requests';

/** References into the store are private. */
const RunVersion = JudgedVersion.omit({ reportRef: true, markdownRef: true }).meta({ id: 'RunVersion' });

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
          // The declared type is for the OpenAPI document. Bytes are sent unchanged.
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
        response: { 200: z.object({ versions: z.array(RunVersion) }), default: Problem },
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
          200: z.object({ version: RunVersion, markdown: z.string() }),
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

/** About 1,000 pages. */
const MAX_MARKDOWN_CHARS = 2_000_000;

export const verifyRoutes: Routes = (app, face) => {
  app.post(
    '/v1/verify',
    {
      config: { scope: 'run', uploads: true },
      schema: {
        operationId: 'verify',
        summary:
          'Holds each claim of a text, whoever wrote it, against the sources that it cites, by words alone.',
        body: GivenSources.extend({
          markdown: z.string().min(1).max(MAX_MARKDOWN_CHARS),
        }),
        response: {
          200: VerifiedReport.extend({ warnings: z.array(Warning) }).meta({ id: 'VerifiedText' }),
          default: Problem,
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const sources = readableSources(body, request);
      if (sources === null)
        throw new InvalidRequestError([
          'Nothing says what its sources are: give them as sources, links or files.',
        ]);
      const verified = await face.verifier.verify({ markdown: body.markdown, sources }, askerOf(request));
      // Bypasses the response schema: validating thousands of claims would block other requests.
      return reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(verified);
    },
  );
};
