import { BriefSettings } from '../../contracts/brief/brief-settings';
import { GivenSubtopic, MOST_SUBTOPICS } from '../../contracts/brief/subtopic';
import { BUILT_IN_TEMPLATES, readTemplate } from '../../briefs/template';
import { JudgeSettings } from '../../contracts/judge/rubric';
import { shapeProblems } from '../../core/shapes/shape-problems';
import { askedProblems } from '../starting/asked-problems';
import type { BriefRequest } from './brief-request';

/** Everything that is wrong with a request, as sentences; what files hold is looked at when they are read. */
export function briefProblems(request: BriefRequest, runId: string, asOf: string): string[] {
  const { question, subtopics, engine = 'extractive', models, budget = {}, outages } = request;
  return [
    ...askedProblems({ question, runId, asOf, engine, models, budget, outages }),
    ...('paths' in subtopics ? pathsProblems(subtopics.paths) : subtopicsProblems(subtopics)),
    ...shapeProblems([
      ['brief', BriefSettings.partial(), request.brief ?? {}],
      ['judge', JudgeSettings.optional(), request.judge],
    ]),
    ...templateProblems(request.brief?.template),
  ];
}

/** What is wrong with subtopics that a program gives; a subtopic is counted from 1, and told by its title. */
export function subtopicsProblems(subtopics: readonly unknown[]): string[] {
  if (subtopics.length < 1 || subtopics.length > MOST_SUBTOPICS)
    return [`subtopics has ${subtopics.length}; from 1 to ${MOST_SUBTOPICS} are allowed`];
  return shapeProblems(subtopics.map((subtopic, at) => [`subtopic ${at + 1}`, GivenSubtopic, subtopic]));
}

/** A name is told from a text by what ships; files are read by whoever has them. */
function templateProblems(template: string | undefined): string[] {
  if (template === undefined || BUILT_IN_TEMPLATES.some((name) => name === template.trim())) return [];
  const read = readTemplate(template);
  return 'problems' in read ? read.problems.map((problem) => `brief.template: ${problem}`) : [];
}

function pathsProblems(paths: readonly string[]): string[] {
  return paths.length === 0 ? ['subtopics has no path; at least one is needed'] : [];
}
