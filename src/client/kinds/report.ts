import { ReportStart } from '../../contracts/report/report-start';
import type { ReportRunInput } from '../../contracts/report/report-run';
import { SynthesisSettings } from '../../contracts/report/synthesis-settings';
import { JudgeSettings } from '../../contracts/judge/rubric';
import { ApprovalSettings } from '../../contracts/steering/messages';
import { toArtifactText } from '../../core/run/json-artifact';
import { shapeProblems } from '../../core/shapes/shape-problems';
import { givenSources, importGiven, storedSources } from '../given-sources';
import { joinRun } from '../starting/join-run';
import { searchProblems, settledSearch } from '../requested-search';
import type { ReportRequest } from '../report-request';
import { joinWarning, sourceDifferences } from '../request-differences';
import { foundFiles, NOTHING_LOOKED_FOR } from '../schedules/found-files';
import type { Recipe } from './recipe';

type Settings = Pick<ReportRunInput, 'synthesis' | 'judge' | 'approval' | 'qualityRulesRef' | 'search'>;
type Material = Partial<Pick<ReportRunInput, 'manifestRef' | 'sourceCount' | 'sourceChars'>>;

/** A report on a question from sources. */
export const REPORT: Recipe<ReportRequest, null, Settings, Material> = {
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
      ...shapeProblems([
        ['synthesis', SynthesisSettings, settledSynthesis(synthesis)],
        ['approval', ApprovalSettings.optional(), approval],
      ]),
    ];
  },
  read: () => Promise.resolve(null),
  async settings(content, holder, { search, synthesis, judge, approval }) {
    const { sourceQualityRules, ...settled } = settledSynthesis(synthesis);
    return {
      synthesis: { ...settled, sourceQualityRules: [] },
      judge: JudgeSettings.parse(judge ?? {}),
      ...(approval === undefined ? {} : { approval }),
      ...(search === undefined ? {} : { search: settledSearch(search) }),
      // Rules on quality may be many; the run is told where they are.
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
    const { manifestRef, count, chars, warnings } = await importGiven(records, holder, sources);
    return { input: { manifestRef, sourceCount: count, sourceChars: chars }, sources: count, warnings };
  },
  input: (common, settings, material): Omit<ReportRunInput, keyof Material> & Material => ({
    ...common,
    kind: 'report',
    ...settings,
    ...material,
  }),
  join: (records, running, { request, question }, { settings, stored }) =>
    joinRun(records, running, ReportStart, { question, settings }, async (has) => {
      const { content } = records;
      if (request.sources === undefined)
        return {
          differences: has.manifestRef === undefined ? [] : ['it was given sources, and none are given now'],
          warnings: [],
        };
      const given =
        stored?.manifestRef === undefined
          ? await givenSources(records, request.sources)
          : await storedSources(content, stored.manifestRef);
      // A run whose first sources came by a message has none in its input.
      const held = has.manifestRef === undefined ? null : await storedSources(content, has.manifestRef);
      if (given !== null && held !== null)
        return { differences: sourceDifferences(held, given), warnings: [] };
      const unseen = `The sources of run "${running.runId}" are not in this content store, and were not compared.`;
      return { differences: [], warnings: [joinWarning(unseen)] };
    }),
  async firing(request, given) {
    const { sources } = request;
    if (sources !== undefined && 'paths' in sources) {
      const found = await foundFiles(sources);
      return {
        paths: found.settings.paths,
        store: () => Promise.resolve({ input: {}, sources: found, subtopics: null }),
      };
    }
    return {
      paths: [],
      store: async (records, keptAs) => ({
        ...NOTHING_LOOKED_FOR,
        input: (await REPORT.store(records, keptAs, { request, given })).input,
      }),
    };
  },
};

/** What is given is taken as it is: whether it is allowed is looked at besides. */
function settledSynthesis(given: Partial<SynthesisSettings> = {}): SynthesisSettings {
  return { ...SynthesisSettings.parse({}), ...given };
}
