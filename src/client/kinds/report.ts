import type { ReportRunInput } from '../../contracts/report/report-run';
import { SynthesisSettings } from '../../contracts/report/synthesis-settings';
import { JudgeSettings } from '../../contracts/judge/rubric';
import { ApprovalSettings } from '../../contracts/steering/messages';
import { toArtifactText } from '../../core/run/json-artifact';
import { shapeProblems } from '../../core/shapes/shape-problems';
import { importGiven } from '../given-sources';
import { searchProblems, settledSearch } from '../requested-search';
import type { ReportRequest } from '../report-request';
import { foundFiles, NOTHING_LOOKED_FOR } from '../schedules/found-files';
import { estimateOf } from '../../estimate/expected-calls';
import { reportCalls } from '../../estimate/report-calls';
import { RUN_SHAPE } from '../../core/run/run-shape';
import { sourceSizes } from '../starting/source-sizes';
import type { Recipe } from './recipe';

type Settings = Pick<ReportRunInput, 'synthesis' | 'judge' | 'approval' | 'qualityRulesRef' | 'search'>;
type Material = Partial<Pick<ReportRunInput, 'manifestRef' | 'sourceCount' | 'sourceChars'>>;

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
  async estimate(content, asked, { synthesis, judge, search }, { manifestRef }) {
    const sources =
      manifestRef === undefined || search !== undefined ? null : await sourceSizes(content, manifestRef);
    if (sources === null) return null;
    const isJudged = judge?.enabled === true;
    return estimateOf(
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
