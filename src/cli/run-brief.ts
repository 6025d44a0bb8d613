import { configuredBrief } from '../app/configured-requests';
import type { CommandContext } from './command-context';
import type { ExitCode } from './exit-code';
import type { CheckedBrief } from './request/brief-options';
import { deliverBrief } from './results/deliver-brief';
import { count } from '../core/values/grouped-digits';
import { runAndFollow } from './run-and-follow';

export function runBrief(context: CommandContext, request: CheckedBrief): Promise<ExitCode> {
  const { config, question, outages, detach, json, words, template } = request;
  let given = request.subtopics;
  return runAndFollow(context, {
    config,
    question,
    outages,
    detach,
    json,
    // Its subtopics are read by now.
    checkBeforeServer: () => Promise.resolve(),
    async start(session) {
      given = [...request.subtopics, ...(await session.client.briefFrom(request.from))];
      const asked = configuredBrief(config, template, {
        question,
        subtopics: given,
        ...(request.runId === undefined ? {} : { runId: request.runId }),
        again: request.again,
        brief: { words },
        outages,
        searchAttributes: session.searchAttributes,
      });
      const { run, warnings, ...started } = await session.client.startBrief(asked);
      return { runId: run.runId, ...started, warnings: [...request.warnings, ...warnings] };
    },
    given: (sources) => `${count(given.length, 'subtopic')} with ${count(sources, 'source')} read`,
    deliver: (session, { runId }, ended) =>
      deliverBrief(context, session, session.client.briefOf(runId), ended, { outDir: config.outDir, json }),
  });
}
