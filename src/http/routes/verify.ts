import { z } from 'zod';
import { InvalidRequestError } from '../../client/run-errors';
import { Warning } from '../../contracts/run/run';
import { VerifiedReport } from '../../contracts/verification/verified-report';
import type { Routes } from '../face';
import { Problem } from '../problem';
import { GivenSources, readableSources } from '../requests/given-sources';

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
    async ({ body, uploaded }, reply) => {
      const sources = readableSources(body, uploaded);
      if (sources === null)
        throw new InvalidRequestError([
          'Nothing says what its sources are: give them as sources, links or files.',
        ]);
      const gone = new AbortController();
      reply.raw.on('close', () => gone.abort());
      return face.verifier.verify({ markdown: body.markdown, sources }, gone.signal);
    },
  );
};
