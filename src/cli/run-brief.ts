import { configuredBrief } from '../app/configured-requests';
import type { CommandContext } from './command-context';
import type { GivenSubtopic } from '../contracts/brief/subtopic';
import { ExitCode } from './exit-code';
import { estimateRun } from '../app/estimate-run';
import { LIMIT_FLAGS, printEstimate, withLimitNames } from './results/print-estimate';
import { openCommandSession } from './session/command-session';
import type { CheckedBrief } from './request/brief-options';
import { deliverBrief } from './results/deliver-brief';
import { count } from '../core/values/grouped-digits';
import { runAndFollow } from './run-and-follow';

export async function runBrief(context: CommandContext, request: CheckedBrief): Promise<ExitCode> {
  const { config, question, outages, detach, json, words, template } = request;
  if (request.estimate) {
    const from = request.from.length === 0 ? [] : await subtopicsFrom(context, request);
    const asked = configuredBrief(config, template, {
      question,
      subtopics: [...request.subtopics, ...from],
      brief: { words },
    });
    const estimated = await withLimitNames(LIMIT_FLAGS, () =>
      estimateRun(config, { kind: 'brief', request: asked }),
    );
    const warnings = [...request.warnings, ...estimated.warnings];
    printEstimate(context.terminal, { ...estimated, warnings }, { names: LIMIT_FLAGS, json });
    return ExitCode.ok;
  }
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

/** What ended runs found, for which the server is asked. */
async function subtopicsFrom(
  context: CommandContext,
  { config, from }: Pick<CheckedBrief, 'config' | 'from'>,
): Promise<GivenSubtopic[]> {
  const session = await openCommandSession(context, config, { server: 'start', worker: 'none' });
  try {
    return await session.client.briefFrom(from);
  } finally {
    await session.close();
  }
}
