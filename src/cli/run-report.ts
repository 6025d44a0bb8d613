import { serverRuns } from '../app/session/reach-server';
import { configuredReport } from '../app/configured-requests';
import type { CommandContext } from './command-context';
import { ExitCode } from './exit-code';
import { estimateRun } from '../app/estimate-run';
import { LIMIT_FLAGS, printEstimate, withLimitNames } from './results/print-estimate';
import { checkSearch } from './request/check-search';
import { checkSources } from './request/check-sources';
import type { CheckedRequest } from './request/report-options';
import { deliverReport } from './results/deliver-report';
import { count } from '../core/values/grouped-digits';
import { runAndFollow } from './run-and-follow';

export async function runReport(context: CommandContext, request: CheckedRequest): Promise<ExitCode> {
  const { config, question, paths, search, skipInvalid, outages, detach, json, html } = request;
  const given = {
    question,
    ...(paths.length === 0 ? {} : { sources: { paths, skipInvalid } }),
    ...(search === null ? {} : { search }),
  };
  if (request.estimate) {
    const asked = { kind: 'report' as const, request: configuredReport(config, given) };
    const estimated = await withLimitNames(LIMIT_FLAGS, () => estimateRun(config, asked));
    printEstimate(context.terminal, estimated, { names: LIMIT_FLAGS, json });
    return ExitCode.ok;
  }
  return runAndFollow(context, {
    config,
    question,
    outages,
    detach,
    json,
    async checkBeforeServer() {
      if (detach || (await serverRuns(config))) return;
      checkSearch(config, search);
      if (paths.length > 0) await checkSources(paths, { cwd: config.cwd, skipInvalid });
    },
    async start(session) {
      const asked = configuredReport(config, {
        ...given,
        ...(request.runId === undefined ? {} : { runId: request.runId }),
        again: request.again,
        ...(request.approval === undefined ? {} : { approval: request.approval }),
        outages,
        searchAttributes: session.searchAttributes,
      });
      const { run, ...started } = await session.client.startReport(asked);
      return { runId: run.runId, ...started };
    },
    given: (sources) =>
      [
        ...(sources === 0 ? [] : [`${count(sources, 'source')} read`]),
        ...(search === null ? [] : ['sources searched for by the run']),
      ].join(', '),
    deliver: (session, run, ended) =>
      deliverReport(context, session, run, ended, { outDir: config.outDir, json, html }),
  });
}
