import { toArtifactText } from '../../core/run/json-artifact';
import { briefProblems } from '../brief/brief-problems';
import { briefSettings, givenSubtopics } from '../brief/start-brief';
import { InvalidRequestError } from '../run-errors';
import { absolute, NO_ID_YET, type PlannedRun } from './planned-run';
import type { ScheduledBrief } from './schedule-request';

/** Rejects as `startBrief` does. */
export async function planBrief({ besides = [], ...request }: ScheduledBrief): Promise<PlannedRun> {
  const { asOf, outages, searchAttributes = false, subtopics } = request;
  const problems = briefProblems(request, NO_ID_YET, asOf ?? new Date().toISOString());
  if (problems.length > 0) throw new InvalidRequestError(problems);
  await givenSubtopics(subtopics);
  const paths = 'paths' in subtopics ? absolute(subtopics.paths) : [];
  const fixed = 'paths' in subtopics ? besides : [...subtopics, ...besides];
  const question = request.question.trim();
  const settings = briefSettings(request);
  return {
    kind: 'brief',
    question,
    engine: settings.engine,
    paths,
    async store(content, keptAs) {
      const stored =
        fixed.length === 0 ? {} : { subtopicsRef: await content.store(keptAs, toArtifactText(fixed)) };
      const input = {
        question,
        ...settings,
        searchAttributes,
        ...(outages === undefined ? {} : { outages }),
        ...(asOf === undefined ? {} : { asOf }),
      };
      return { run: { kind: 'brief', input }, sources: null, subtopics: { paths, ...stored } };
    },
  };
}
