import { checkAnswerRequest, type CheckedAnswer } from '../request/answer-options';
import { checkedBrief, type CheckedBrief } from '../request/brief-options';
import { checkedReport, type CheckedRequest } from '../request/report-options';
import type { RequestContext } from '../command-context';
import { checkSources } from '../request/check-sources';
import type { ParsedRun } from './parsed-run';

export type CheckedRun =
  | { kind: 'report'; request: CheckedRequest }
  | { kind: 'answer'; request: CheckedAnswer }
  | { kind: 'brief'; request: CheckedBrief; paths: readonly string[] };

/** As the command by itself checks it, the files that it names included; throws what is wrong. */
export async function checkedRun(run: ParsedRun, context: RequestContext): Promise<CheckedRun> {
  const { cwd } = context.io;
  switch (run.kind) {
    case 'report': {
      const request = await checkedReport(run.question, run.options, context);
      if (request.paths.length > 0)
        await checkSources(request.paths, { cwd, skipInvalid: request.skipInvalid });
      return { kind: 'report', request };
    }
    case 'answer': {
      const request = await checkAnswerRequest(run.question, run.options, context);
      const { paths } = request.material;
      if (paths.length > 0) await checkSources(paths, { cwd, skipInvalid: request.skipInvalid });
      return { kind: 'answer', request };
    }
    case 'brief':
      return {
        kind: 'brief',
        request: await checkedBrief(run.question, run.options, context),
        paths: run.options.subtopics ?? [],
      };
  }
}
