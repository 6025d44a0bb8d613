import { BUILT_IN_TEMPLATES, readTemplate } from '../../briefs/template';
import { BriefSettings } from '../../contracts/brief/brief-settings';
import type { BriefRunInput } from '../../contracts/brief/brief-run';
import { BriefStart } from '../../contracts/brief/brief-start';
import { GivenSubtopic, GivenSubtopics, MOST_SUBTOPICS } from '../../contracts/brief/subtopic';
import { JudgeSettings } from '../../contracts/judge/rubric';
import type { Warning } from '../../contracts/run/run';
import { toArtifactText } from '../../core/run/json-artifact';
import { shapeProblems } from '../../core/shapes/shape-problems';
import { countSources } from '../../core/sources/count-sources';
import { artifactRef } from '../../stores/artifact-ref';
import type { BriefRequest } from '../brief/brief-request';
import { readArtifact } from '../pass-results/read-pass-result';
import { InvalidRequestError } from '../run-errors';
import { absolute } from '../schedules/found-files';
import type { ScheduledBrief } from '../schedules/schedule-request';
import { joinRun } from '../starting/join-run';
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
  input: (common, settings, material): BriefRunInput => ({
    ...common,
    kind: 'brief',
    ...settings,
    ...material,
  }),
  join: (records, running, { question, given }, { settings }) =>
    joinRun(records, running, BriefStart, { question, settings }, async (has) => {
      const ref = has.subtopicsRef ?? artifactRef(toArtifactText(has.subtopics));
      if (ref === artifactRef(toArtifactText(given.subtopics))) return { differences: [], warnings: [] };
      const held = has.subtopics ?? (await readArtifact(records.content, ref, GivenSubtopics));
      return { differences: [differenceOf(held, given.subtopics)], warnings: [] };
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

const NAMES_SHOWN = 3;

function differenceOf(held: readonly GivenSubtopic[] | null, given: readonly GivenSubtopic[]): string {
  if (held === null) return 'its subtopics are others';
  const [before, now] = [held, given].map((subtopics) => new Set(subtopics.map(({ title }) => title)));
  const added = given.filter(({ title }) => before?.has(title) === false);
  const gone = held.filter(({ title }) => now?.has(title) === false);
  const told = [
    ...(added.length === 0 ? [] : [`it does not have ${named(added)}`]),
    ...(gone.length === 0 ? [] : [`it has ${named(gone)}, not given now`]),
  ];
  return told.length === 0
    ? 'its subtopics have the same titles, and other texts, sources or another order'
    : told.join(', and ');
}

function named(subtopics: readonly GivenSubtopic[]): string {
  const names = subtopics.slice(0, NAMES_SHOWN).map(({ title }) => `“${title}”`);
  const more = subtopics.length - names.length;
  return [...names, ...(more === 0 ? [] : [`${more} more`])].join(', ');
}
