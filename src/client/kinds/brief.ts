import { BUILT_IN_TEMPLATES, readTemplate } from '../../briefs/template';
import { BriefSettings } from '../../contracts/brief/brief-settings';
import type { BriefRunInput } from '../../contracts/brief/brief-run';
import { GivenSubtopic, GivenSubtopics, MOST_SUBTOPICS } from '../../contracts/brief/subtopic';
import { JudgeSettings } from '../../contracts/judge/rubric';
import type { Warning } from '../../contracts/run/run';
import { toArtifactText } from '../../core/run/json-artifact';
import { shapeProblems } from '../../core/shapes/shape-problems';
import { countSources } from '../../core/sources/count-sources';
import type { BriefRequest } from '../brief/brief-request';
import { InvalidRequestError } from '../run-errors';
import { absolute } from '../schedules/found-files';
import type { ScheduledBrief } from '../schedules/schedule-request';
import { parsedJson } from '../../core/values/parsed-json';
import { briefCalls } from '../../estimate/brief-calls';
import { estimateOf } from '../../estimate/expected-calls';
import type { Recipe } from './recipe';

type Settings = Pick<BriefRunInput, 'brief' | 'judge'>;
type Material = Pick<BriefRunInput, 'subtopicsRef' | 'sourceCount' | 'subtopicCount'>;

interface ReadSubtopics {
  subtopics: readonly GivenSubtopic[];
  warnings: Warning[];
}

/** A brief of subtopics. `besides`, of a schedule alone, stand behind those of its paths, as they are now. */
export const BRIEF: Recipe<
  BriefRequest & Pick<ScheduledBrief, 'besides'>,
  ReadSubtopics,
  Settings,
  Material
> = {
  kind: 'brief',
  idName: 'runId',
  idOf: ({ runId }) => runId,
  asked: ({ question }) => ({
    question,
    name: 'question',
    missing: 'question is missing: it must ask something',
  }),
  problems({ subtopics, brief }) {
    return [
      ...('paths' in subtopics ? pathsProblems(subtopics.paths) : subtopicsProblems(subtopics)),
      ...shapeProblems([['brief', BriefSettings.partial(), brief ?? {}]]),
      ...templateProblems(brief?.template),
    ];
  },
  // What is wrong with files is told whether a run of the id is running or not.
  async read({ subtopics }) {
    if (!('paths' in subtopics)) return { subtopics, warnings: [] };
    // Only now: what reads Markdown is large, and few requests bring any.
    const { readSubtopics } = await import('../../sources/subtopics/read-subtopics.js');
    const read = await readSubtopics(subtopics.paths);
    const problems = subtopicsProblems(read.subtopics);
    if (problems.length > 0) throw new InvalidRequestError(problems);
    return read;
  },
  settings: (_content, _holder, { brief, judge }) =>
    Promise.resolve({ brief: BriefSettings.parse(brief ?? {}), judge: JudgeSettings.parse(judge ?? {}) }),
  async store({ content }, holder, { given: { subtopics, warnings } }) {
    const subtopicsRef = await content.store(holder, toArtifactText(subtopics));
    const [sources, subtopicCount] = [countSources(subtopics), subtopics.length];
    return {
      input: { subtopicsRef, sourceCount: sources, subtopicCount },
      sources,
      subtopics: subtopicCount,
      warnings,
    };
  },
  async estimate(content, asked, { brief, judge }, { subtopicsRef }) {
    const text = subtopicsRef === undefined ? null : await content.retrieve(subtopicsRef);
    const subtopics = text === null ? undefined : GivenSubtopics.safeParse(parsedJson(text)).data;
    if (subtopics === undefined) return null;
    return estimateOf(
      briefCalls({
        ...asked,
        subtopics: subtopics.map(({ title, summary, sources = [] }) => ({
          title,
          summary,
          hasTexts: sources.some((source) => source.content !== undefined),
        })),
        brief,
        isJudged: judge.enabled,
      }),
      asked.models,
    );
  },
  input: (common, settings, material): BriefRunInput => ({
    ...common,
    kind: 'brief',
    ...settings,
    ...material,
  }),
  firing({ subtopics, besides = [] }) {
    const paths = 'paths' in subtopics ? absolute(subtopics.paths) : [];
    const fixed = 'paths' in subtopics ? besides : [...subtopics, ...besides];
    return Promise.resolve({
      paths,
      async store({ content }, keptAs) {
        const stored =
          fixed.length === 0 ? {} : { subtopicsRef: await content.store(keptAs, toArtifactText(fixed)) };
        return { input: {}, sources: null, subtopics: { paths, ...stored } };
      },
    });
  },
};

function pathsProblems(paths: readonly string[]): string[] {
  return paths.length === 0 ? ['subtopics has no path; at least one is needed'] : [];
}

/** What is wrong with subtopics that a program gives; a subtopic is counted from 1, and told by its title. */
function subtopicsProblems(subtopics: readonly unknown[]): string[] {
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
