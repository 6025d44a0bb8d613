import { traitsOf } from '../../contracts/run/engines';
import type { ReportFacts } from '../../activities/shared/ports';
import { takenSources } from './steering/given-sources';
import type { ReportRun } from './carried-report';
import type { ReportRunInput } from '../../contracts/report/report-run';

/** What activities are told of a report: its settings, but the rules, which may be many and which only one of them needs. */
export function reportFacts(input: ReportRunInput): ReportFacts {
  const { runId, question, engine, models = null, stepVersions, synthesis } = input;
  return {
    runId,
    question,
    engine,
    models,
    stepVersions,
    temperature: synthesis.temperature,
    synthesis: { ...synthesis, ...readable(input), sourceQualityRules: [] },
  };
}

export function refreshFacts({ input, carried, facts }: ReportRun): void {
  const { sourceCount } = takenSources({ input, carried });
  const { pass2FullContentCount } = readable({ ...input, sourceCount });
  Object.assign(facts.synthesis, { pass2FullContentCount });
}

/** What a model reads of a source leaves room for the others of its section, of which there are no more than were given. */
function readable({ engine, sourceCount, synthesis: { pass2FullContentCount } }: ReportRunInput): {
  pass2FullContentCount: number;
} {
  return {
    pass2FullContentCount: traitsOf(engine).asksModels
      ? Math.min(pass2FullContentCount, sourceCount)
      : pass2FullContentCount,
  };
}
