import { LIMITS } from './access/limits';
import type { FaceParts } from './face';
import { createServer } from './server';

/** The document of the face, from the same routes that answer: none of them is asked here, so there is nothing to stand on. */
export async function openApiDocument(version: string): Promise<object> {
  const app = await createServer({} as FaceParts, {
    hosts: new Set(),
    origins: new Set(),
    withoutToken: null,
    version,
    maxUploadBytes: 0,
    limits: { ...LIMITS, runs: 0 },
    graceMs: 0,
    report: () => undefined,
  });
  const document = app.swagger();
  await app.close();
  return document;
}
