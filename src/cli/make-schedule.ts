import { resolve } from 'node:path';
import { configuredBrief, configuredReport } from '../app/open-colligate';
import type { Session } from '../app/session';
import type { ScheduledRequest, ScheduleRequest } from '../client/run-requests';
import { isAddress } from '../sources/fetch-address';
import { validateAnswerRequest, type ValidatedAnswer } from './answer-options';
import { validateBriefRequest, type ValidatedBrief } from './brief-options';
import {
  COMMAND,
  type CommandContext,
  ExitCode,
  listenForStop,
  type RequestContext,
} from './command-context';
import { openCommandSession } from './command-session';
import type { ParsedRun } from './parsed-run';
import { checkSources, type ValidatedReport, validateReportRequest } from './report-options';
import { requireEndpoint } from './run-and-follow';
import { createAnswerRequest } from './run-answer';

export async function createSchedule(
  context: CommandContext,
  { rules, checked, json }: { rules: Omit<ScheduleRequest, 'run'>; checked: ValidatedRun; json: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const { config, outages } = checked.request;
  const signals = listenForStop(context.io.signals);
  try {
    await requireEndpoint(context, config, {
      waits: outages.afterwards !== 'fail',
      stopped: signals.stopped,
    });
    // The schedule needs a worker when it fires. None is started now.
    const session = await openCommandSession(context, config, { server: 'start', worker: 'start' });
    try {
      const schedule = await session.client.createSchedule({
        ...rules,
        run: await toScheduledRequest(session, checked, context.io.cwd),
      });
      const described = await schedule.describe();
      if (json) terminal.printJson(described);
      else
        terminal.print(`Schedule ${rules.name} is made. It fires next at ${described.next[0] ?? 'no time'}.`);
      if ((await session.queuesWithoutWorker()).length > 0 || session.startedServer)
        terminal.say(`It fires while a server and a worker run; both run with: ${COMMAND} dev`);
      return ExitCode.ok;
    } finally {
      await session.close();
    }
  } finally {
    signals.dispose();
  }
}

async function toScheduledRequest(
  session: Session,
  checked: ValidatedRun,
  cwd: string,
): Promise<ScheduledRequest> {
  const { searchAttributes } = session;
  switch (checked.kind) {
    case 'report': {
      const { config, question, paths, search, skipInvalid, outages } = checked.request;
      const given = {
        ...(paths.length === 0 ? {} : { sources: { paths: absolutePaths(paths, cwd), skipInvalid } }),
        ...(search === null ? {} : { search }),
      };
      return { report: configuredReport(config, { question, ...given, outages, searchAttributes }) };
    }
    case 'answer': {
      const { material } = checked.request;
      const paths = absolutePaths(material.paths, cwd);
      return {
        answer: await createAnswerRequest(session, { ...checked.request, material: { ...material, paths } }),
      };
    }
    case 'brief': {
      const { config, question, template, words, from, outages } = checked.request;
      const besides = from.length === 0 ? [] : await session.client.briefFrom(from);
      const asked = configuredBrief(config, template, {
        question,
        subtopics: checked.paths.length === 0 ? besides : { paths: absolutePaths(checked.paths, cwd) },
        brief: { words },
        outages,
        searchAttributes,
      });
      return { brief: { ...asked, besides: checked.paths.length === 0 ? [] : besides } };
    }
  }
}

/** Absolute paths. Addresses stay unchanged. */
function absolutePaths(paths: readonly string[], cwd: string): string[] {
  return paths.map((path) => (isAddress(path) ? path : resolve(cwd, path)));
}

export type ValidatedRun =
  | { kind: 'report'; request: ValidatedReport }
  | { kind: 'answer'; request: ValidatedAnswer }
  | { kind: 'brief'; request: ValidatedBrief; paths: readonly string[] };

/** Checks the run as its own command does, files included. Throws the same errors. */
export async function validateRun(run: ParsedRun, context: RequestContext): Promise<ValidatedRun> {
  const { cwd } = context.io;
  switch (run.kind) {
    case 'report': {
      const request = await validateReportRequest(run.question, run.options, context);
      if (request.paths.length > 0)
        await checkSources(request.paths, { cwd, skipInvalid: request.skipInvalid });
      return { kind: 'report', request };
    }
    case 'answer': {
      const request = await validateAnswerRequest(run.question, run.options, context);
      const { paths } = request.material;
      if (paths.length > 0) await checkSources(paths, { cwd, skipInvalid: request.skipInvalid });
      return { kind: 'answer', request };
    }
    case 'brief':
      return {
        kind: 'brief',
        request: await validateBriefRequest(run.question, run.options, context),
        paths: run.options.subtopics ?? [],
      };
  }
}
