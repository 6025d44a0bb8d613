// One row of the table: a run whose calls or surroundings fail, held against the undisturbed one.
import { startFaultyModel } from './faulty-model.mjs';
import { OUTAGES } from './outages.mjs';
import { openProject } from './project.mjs';
import { within } from './within.mjs';

/** `outage` is one of OUTAGES or null; without `fault` every call is answered well. */
export async function measureRun({ fault = null, every = 1, seed, outage = null, awayMs, limitMs }) {
  const model = await startFaultyModel({ fault, every, seed });
  const project = openProject(model.baseUrl);
  try {
    const worker = await project.serve('dev');
    const startedAt = performance.now();
    const report = project.report('measured');
    const taken = outage === null ? Promise.resolve() : OUTAGES[outage]({ model, project, worker, awayMs });
    taken.catch(() => undefined); // a run may end before its outage does
    const ended = await within(limitMs, report.ended);
    const left = project.written('measured');
    return {
      status: ended === null ? 'not ended' : (left?.report.status ?? `no report (exit ${ended.code})`),
      claims: left === null ? [] : claimsOf(left.report),
      markdown: left?.markdown ?? null,
      seconds: (performance.now() - startedAt) / 1_000,
      ...(await model.counts()),
    };
  } finally {
    await project.close();
    model.stop();
  }
}

/** What a claim says and rests on, whatever its number. */
function claimsOf({ claims }) {
  return claims.map(({ text, evidence }) =>
    JSON.stringify([text.replace(/\[\d+\]/g, '[]'), evidence.map(({ quote }) => quote)]),
  );
}
