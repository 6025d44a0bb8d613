import { engineNames } from '../../../../src/contracts/run/engines';
import { ReportStart } from '../../../../src/contracts/report/report-start';
import { readReportStart } from '../../../../src/workflows/report/input/read-report-start';

const RUN = { runId: 'nightly:1', startedAt: '2026-01-01T00:00:00.000Z' };
const MANIFEST = 'a'.repeat(64);
/** As a problem names them. */
const ENGINES = engineNames.map((name) => `"${name}"`).join(' or ');
const LEAST = { question: 'Does it work?', manifestRef: MANIFEST, sourceCount: 3 };

it('fills in what an outsider leaves out, as the contract does', () => {
  const { runId, asOf, ...filled } = ReportStart.parse(LEAST);
  expect([runId, asOf]).toEqual([undefined, undefined]);
  const input = { ...filled, runId: RUN.runId, asOf: RUN.startedAt };
  expect(readReportStart(LEAST, RUN)).toEqual({ input });
});

it('keeps what is given, beside the defaults of the rest', () => {
  const given = { budget: { maxTokens: 5 }, asOf: '2025-05-05' };
  const read = readReportStart({ ...LEAST, ...given, synthesis: { targetReportLength: 900 } }, RUN);
  const synthesis = { targetReportLength: 900, pass3CrossRefCount: 30, sourceQualityRules: [] };
  expect(read).toMatchObject({ input: { ...given, synthesis } });
});

it.each<[string, unknown, RegExp[]]>([
  ['nothing', undefined, [/^the input is missing; allowed: an object with runId, kind, question/]],
  ['a text', 'Does it work?', [/^the input is "Does it work\?"; allowed: an object with/]],
  ['a list', [LEAST], [/^the input is \[\{.*…; allowed: an object/]],
  [
    'a question alone',
    { question: 'x' },
    [
      /^manifestRef is missing; allowed: a reference in the content store: 64 hexadecimal digits/,
      /^sourceCount is missing; allowed: a whole number above 0$/,
    ],
  ],
  ['a blank question', { ...LEAST, question: ' \n' }, [/^question is " \\n"; allowed: a text of 1 to 4,000/]],
  [
    'half a source',
    { ...LEAST, sourceCount: 1.5 },
    [/^sourceCount is 1\.5; allowed: a whole number above 0$/],
  ],
  [
    'misspelt fields',
    { ...LEAST, budgets: {}, synthesis: { citationstyle: 'url' }, zebra: 1 },
    [
      /^synthesis\.citationstyle is no field of the input; "citationStyle" is meant, perhaps$/,
      /^budgets is no field of the input; "budget" is meant, perhaps$/,
      /^zebra is no field of the input; allowed: runId, kind, /,
    ],
  ],
  [
    'values beyond what is allowed, everywhere',
    {
      ...LEAST,
      kind: 'brief',
      engine: 'gpt',
      asOf: 5,
      synthesis: { citationStyle: 'footnotes', confidenceThreshold: 2, pass1SummaryCount: -2 },
      budget: { maxTokens: 0 },
      stepVersions: { outline: 3 },
    },
    [
      /^kind is "brief"; allowed: "report"$/,
      /^asOf is 5; allowed: an ISO 8601 time/,
      new RegExp(`^engine is "gpt"; allowed: ${ENGINES}$`),
      /^stepVersions\.outline is 3; allowed: a text$/,
      /^synthesis\.citationStyle is "footnotes"; allowed: "numbered" or "url"$/,
      /^synthesis\.confidenceThreshold is 2; allowed: a number from 0 to 1$/,
      /^synthesis\.pass1SummaryCount is -2; allowed: -1 for all, or a whole number of at least 1$/,
      /^budget\.maxTokens is 0; allowed: a whole number above 0$/,
    ],
  ],
  [
    'a model without what bounds it',
    { ...LEAST, engine: 'openai', models: { fast: { name: 'm' }, strong: null } },
    [
      /^models\.critic is missing; allowed: an object with name, contextTokens, price$/,
      /^models\.fast\.contextTokens is missing/,
      /^models\.fast\.price is missing; allowed: an object with input, output, or null$/,
      /^models\.strong is null; allowed: an object/,
    ],
  ],
  [
    'no model for an engine that asks one',
    { ...LEAST, engine: 'openai' },
    [/^models is missing; the openai engine/],
  ],
  [
    'settings that do not go together',
    {
      ...LEAST,
      asOf: 'soon',
      synthesis: {
        minCharsPerSource: 6_000,
        maxCharsPerSource: 5_999,
        sourceQualityRules: [
          { level: 'general', reason: 'none' },
          { level: 'general', reason: 'slow', path: '(a+)+' },
        ],
      },
    },
    [
      /^asOf is "soon"; allowed: an ISO 8601 time/,
      /^synthesis\.minCharsPerSource is 6000; allowed: at most what synthesis\.maxCharsPerSource is \(5999\)$/,
      /^synthesis\.sourceQualityRules\[0\] has none of/,
      /^synthesis\.sourceQualityRules\[1\]\.path is no regular expression, or one with/,
    ],
  ],
])('names every problem of %s', (_what, given, expected) => {
  const read = readReportStart(given, RUN);
  if (!('problems' in read)) throw new Error('it must have problems');
  expect([...read.problems].sort()).toEqual(
    [...expected]
      .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
      .map((pattern) => expect.stringMatching(pattern) as string),
  );
});

function sortKey(pattern: RegExp): string {
  return pattern.source.replace(/^\^/, '').replaceAll('\\', '');
}
