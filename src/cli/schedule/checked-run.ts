import { checkAnswerRequest, type CheckedAnswer } from '../request/answer-options';
import { checkedBrief, type CheckedBrief } from '../request/brief-options';
import { checkedReport, type CheckedRequest } from '../request/report-options';
import type { Load } from '../request/config-with';
import { checkSources } from '../request/check-sources';
import type { ParsedRun } from './parsed-run';

/** A run that was asked for, with everything checked that can be without a server. */
export type CheckedRun =
  | { kind: 'report'; request: CheckedRequest }
  | { kind: 'answer'; request: CheckedAnswer }
  | { kind: 'brief'; request: CheckedBrief; paths: readonly string[] };

/** As the command by itself checks it, the files that it names included; throws what is wrong. */
export async function checkedRun(run: ParsedRun, load: Load): Promise<CheckedRun> {
  switch (run.kind) {
    case 'report': {
      const request = await checkedReport(run.question, run.options, load);
      if (request.paths.length > 0) await checkSources(request.paths, request.skipInvalid);
      return { kind: 'report', request };
    }
    case 'answer': {
      const request = await checkAnswerRequest(run.question, run.options, load);
      const { paths } = request.material;
      if (paths.length > 0) await checkSources(paths, request.skipInvalid);
      return { kind: 'answer', request };
    }
    case 'brief':
      return {
        kind: 'brief',
        request: await checkedBrief(run.question, run.options, load),
        paths: run.options.subtopics ?? [],
      };
  }
}
