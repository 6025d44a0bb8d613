import { ApprovalSettings, type Warning } from '../contracts/run';
import { RUN_SHAPE } from '../contracts/run-protocol';
import { BriefSettings, JudgeSettings, SynthesisSettings } from '../contracts/run-settings';
import {
  type BriefRunInput,
  GivenSubtopic,
  GivenSubtopics,
  MAX_SUBTOPICS,
  type ReportRunInput,
} from '../contracts/start';
import { countSources } from '../evidence/source-records';
import { toArtifactText, tryParseJson } from '../lib/json';
import { schemaProblemTexts } from '../lib/validation';
import { BUILT_IN_TEMPLATES, parseTemplate } from '../report/brief/brief-template';
import { briefCalls, estimateCalls } from '../steps/estimate';
import { reportCalls } from '../steps/report-estimate';
import { InvalidRequestError } from './client-errors';
import {
  type BriefRequest,
  type ReportRequest,
  resolveSearch,
  type RunDefinition,
  type ScheduledBrief,
  searchProblems,
} from './run-requests';
import { absolutePaths, importRequestSources, lookUpFiles, NO_LOOKUP, sourceSizes } from './source-input';

type Settings = Pick<ReportRunInput, 'synthesis' | 'judge' | 'approval' | 'qualityRulesRef' | 'search'>;
type Material = Partial<Pick<ReportRunInput, 'manifestRef' | 'sourceCount' | 'sourceChars'>>;

export const REPORT_DEFINITION: RunDefinition<ReportRequest, null, Settings, Material> = {
  kind: 'report',
  idName: 'runId',
  idOf: ({ runId }) => runId,
  asked: ({ question }) => ({
    question,
    name: 'question',
    missing: 'question is missing: it must ask something',
  }),
  problems({ sources, search, synthesis, approval }) {
    return [
      ...(sources === undefined && search === undefined
        ? ['sources are missing: give some, or say by search where to look for them']
        : []),
      ...searchProblems(search),
      ...(sources !== undefined && 'paths' in sources && sources.paths.length === 0
        ? ['sources has no path; at least one is needed']
        : []),
      ...(sources !== undefined && 'manifestRef' in sources && sources.count < 1
        ? ['sources has no source; at least one is needed']
        : []),
      ...schemaProblemTexts([
        ['synthesis', SynthesisSettings, resolveSynthesis(synthesis)],
        ['approval', ApprovalSettings.optional(), approval],
      ]),
    ];
  },
  read: () => Promise.resolve(null),
  async settings(content, holder, { search, synthesis, judge, approval }) {
    const { sourceQualityRules, ...settled } = resolveSynthesis(synthesis);
    return {
      synthesis: { ...settled, sourceQualityRules: [] },
      judge: JudgeSettings.parse(judge ?? {}),
      ...(approval === undefined ? {} : { approval }),
      ...(search === undefined ? {} : { search: resolveSearch(search) }),
      // Stored, because there may be many rules.
      ...(sourceQualityRules.length === 0
        ? {}
        : { qualityRulesRef: await content.store(holder, toArtifactText(sourceQualityRules)) }),
    };
  },
  async store(records, holder, { request: { sources } }) {
    if (sources === undefined) return { input: {}, sources: 0, warnings: [] };
    if ('manifestRef' in sources) {
      const { manifestRef, count } = sources;
      return { input: { manifestRef, sourceCount: count }, sources: count, warnings: [] };
    }
    const { manifestRef, count, chars, warnings } = await importRequestSources(records, holder, sources);
    return { input: { manifestRef, sourceCount: count, sourceChars: chars }, sources: count, warnings };
  },
  async estimate(content, asked, { synthesis, judge, search }, { manifestRef }) {
    const sources =
      manifestRef === undefined || search !== undefined ? null : await sourceSizes(content, manifestRef);
    if (sources === null) return null;
    const isJudged = judge?.enabled === true;
    return estimateCalls(
      reportCalls({ ...asked, sources, synthesis, shape: RUN_SHAPE, isJudged }),
      asked.models,
    );
  },
  input: (common, settings, material): Omit<ReportRunInput, keyof Material> & Material => ({
    ...common,
    kind: 'report',
    ...settings,
    ...material,
  }),
  async firing(request, given) {
    const { sources } = request;
    if (sources !== undefined && 'paths' in sources) {
      const found = await lookUpFiles(sources);
      return {
        paths: found.settings.paths,
        store: () => Promise.resolve({ input: {}, sources: found, subtopics: null }),
      };
    }
    return {
      paths: [],
      store: async (records, keptAs) => ({
        ...NO_LOOKUP,
        input: (await REPORT_DEFINITION.store(records, keptAs, { request, given })).input,
      }),
    };
  },
};

/** Given values are kept unchecked; they are validated separately. */
function resolveSynthesis(given: Partial<SynthesisSettings> = {}): SynthesisSettings {
  return { ...SynthesisSettings.parse({}), ...given };
}

type BriefRunSettings = Pick<BriefRunInput, 'brief' | 'judge'>;
type BriefMaterial = Pick<BriefRunInput, 'subtopicsRef' | 'sourceCount' | 'subtopicCount'>;

interface ReadSubtopics {
  subtopics: readonly GivenSubtopic[];
  warnings: Warning[];
}

/** Schedules alone use `besides`: fixed subtopics that follow those read from paths. */
export const BRIEF_DEFINITION: RunDefinition<
  BriefRequest & Pick<ScheduledBrief, 'besides'>,
  ReadSubtopics,
  BriefRunSettings,
  BriefMaterial
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
      ...schemaProblemTexts([['brief', BriefSettings.partial(), brief ?? {}]]),
      ...templateProblems(brief?.template),
    ];
  },
  // Invalid files are reported even if a run of the id is running.
  async read({ subtopics }) {
    if (!('paths' in subtopics)) return { subtopics, warnings: [] };
    // Loaded on demand: the Markdown reader is large, and few requests need it.
    const { readSubtopics } = await import('../sources/read-subtopics.js');
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
    const subtopics = text === null ? undefined : GivenSubtopics.safeParse(tryParseJson(text)).data;
    if (subtopics === undefined) return null;
    return estimateCalls(
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
    const paths = 'paths' in subtopics ? absolutePaths(subtopics.paths) : [];
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

/** Subtopics count from 1. */
function subtopicsProblems(subtopics: readonly unknown[]): string[] {
  if (subtopics.length < 1 || subtopics.length > MAX_SUBTOPICS)
    return [`subtopics has ${subtopics.length}; from 1 to ${MAX_SUBTOPICS} are allowed`];
  return schemaProblemTexts(subtopics.map((subtopic, at) => [`subtopic ${at + 1}`, GivenSubtopic, subtopic]));
}

/** Template files are read by the caller, so a text is either a built-in name or a template. */
function templateProblems(template: string | undefined): string[] {
  if (template === undefined || BUILT_IN_TEMPLATES.some((name) => name === template.trim())) return [];
  const read = parseTemplate(template);
  return 'problems' in read ? read.problems.map((problem) => `brief.template: ${problem}`) : [];
}
