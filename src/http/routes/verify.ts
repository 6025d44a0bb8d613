import { z } from 'zod';
import { InvalidRequestError } from '../../client/run-errors';
import { Warning } from '../../contracts/run/run';
import { VerifiedReport } from '../../contracts/verification/verified-report';
import type { Routes } from '../face';
import { Problem } from '../problem';
import { askerOf, GivenSources, readableSources } from '../requests/given-sources';

/** About a thousand pages. */
const MOST_CHARS = 2_000_000;

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
          markdown: z.string().min(1).max(MOST_CHARS),
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
      // The schema would look at each of thousands of claims, while nobody else is served.
      return reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(verified);
    },
  );
};
