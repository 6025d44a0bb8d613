import type { Finding } from '../../../src/contracts/report/finding';
import type { SourceWindow } from '../../../src/contracts/source/passage';
import { splitPassages } from '../../../src/language/passages';
import { crossCheckExtractively } from '../../../src/engines/extractive/cross-check';
import { crossCheck } from '../../../src/steps/cross-check/cross-check';
import { CrossCheckOutput, type CrossCheckInput } from '../../../src/steps/cross-check/contract';

const TITLE = 'Effects of rowing on leg strength: a randomised trial';

function window(sourceId: string, results: string, facts: Partial<SourceWindow> = {}): SourceWindow {
  const content = `# Methods\n\nParticipants rowed or rested for a while.\n\n# Results\n\n${results}\n\n# Conclusions\n\nThe participants liked the programme.`;
  return {
    sourceId,
    title: TITLE,
    quality: { level: 'general', reason: 'a web page' },
    summaryOnly: false,
    passages: splitPassages(content),
    ...facts,
  };
}

function finding(source: SourceWindow, quote: string, confidence = 0.6): Finding {
  const passage = source.passages.find(({ text }) => text.includes(quote));
  const start = (passage?.start ?? 0) + (passage?.text.indexOf(quote) ?? 0);
  return {
    id: `finding-${source.sourceId}`,
    sectionId: 'section-1',
    claim: quote,
    citations: [source.sourceId],
    evidence: [{ sourceId: source.sourceId, quote, start, end: start + quote.length }],
    confidence,
  };
}

function input(findings: Finding[], sources: SourceWindow[]): CrossCheckInput {
  return {
    factChecking: true,
    detectConflicts: true,
    question: 'What does rowing do?',
    section: { id: 'section-1', title: 'Rowing', description: 'What rowing does', subsections: [] },
    findings,
    sources,
  };
}

const CLAIM = 'Rowing significantly increased leg strength compared with rest (p = 0.01).';
const first = window('a', CLAIM);
const agreeing = window(
  'b',
  'Leg strength was significantly increased by rowing (p = 0.003). Body weight did not change.',
);
const another = window(
  'c',
  'After the programme, rowing significantly increased leg strength by 11% (p = 0.02).',
);
const opposed = window('d', 'Rowing had no significant effect on leg strength (p = 0.62).');

describe('cross-check of findings', () => {
  it('quotes further sources that assert the same, and counts them', () => {
    const given = input([finding(first, CLAIM)], [first, agreeing, another]);
    const output = crossCheckExtractively(given);
    expect(crossCheck.check(given, CrossCheckOutput.parse(output))).toEqual([]);
    expect(output.checks[0]?.supporting.map(({ quote }) => quote)).toEqual([
      'Leg strength was significantly increased by rowing (p = 0.003).',
      'After the programme, rowing significantly increased leg strength by 11% (p = 0.02).',
    ]);
    expect(output.checks[0]).toMatchObject({ confidence: 0.95, contradicting: [] });
    expect(output.conflicts).toEqual([]);
  });

  it('finds the sentence of a further source that contradicts a finding', () => {
    const given = input([finding(first, CLAIM)], [first, opposed]);
    const output = crossCheckExtractively(given);
    expect(crossCheck.check(given, output)).toEqual([]);
    expect(output.checks[0]?.contradicting.map(({ sourceId }) => sourceId)).toEqual(['d']);
    expect(output.checks[0]?.confidence).toBe(0.6);
    expect(output.conflicts).toHaveLength(1);
    expect(output.conflicts[0]).toMatchObject({
      topic: 'leg strength',
      findingIds: ['finding-a'],
    });
    expect(output.conflicts[0]?.viewpoints.map(({ citations }) => citations)).toEqual([['a'], ['d']]);
  });

  it('holds findings against each other, however sure they are', () => {
    const findings = [
      finding(first, CLAIM, 0.9),
      finding(opposed, 'Rowing had no significant effect on leg strength (p = 0.62).', 0.9),
    ];
    const { checks, conflicts } = crossCheckExtractively(input(findings, [first, opposed]));
    expect(conflicts).toHaveLength(1);
    expect(conflicts[0]?.findingIds).toEqual(['finding-a', 'finding-d']);
    expect(checks.map(({ confidence }) => confidence)).toEqual([0.6, 0.6]);
  });

  it('finds contradictions between results that nobody chose as findings', () => {
    const denial = window(
      'e',
      'Rowing did not significantly increase leg strength compared with rest (p = 0.51).',
    );
    const given = input([], [first, denial]);
    const output = crossCheckExtractively(given);
    expect(crossCheck.check(given, CrossCheckOutput.parse(output))).toEqual([]);
    expect(output.conflicts).toHaveLength(1);
    expect(output.conflicts[0]).toMatchObject({ kind: 'direction', findingIds: [] });
    expect(output.conflicts[0]?.viewpoints.map(({ citations }) => citations)).toEqual([['a'], ['e']]);
  });

  it('leaves a source out that also says what the other does', () => {
    const both = window(
      'e',
      'Rowing did not significantly increase leg strength compared with rest (p = 0.51). Rowing significantly increased leg strength compared with rest (p = 0.02).',
    );
    expect(crossCheckExtractively(input([], [first, both])).conflicts).toEqual([]);
  });

  it('takes what every study has of its own, in other numbers, for no contradiction', () => {
    const ages = (years: number): string =>
      `The mean age of all participants in the rowing study was ${years} years.`;
    const attendance = (share: number): string =>
      `Attendance at the weekly rowing sessions was ${share}% in the programme.`;
    const one = window('a', `${ages(41)} ${attendance(62)}`);
    const other = window('b', `${ages(67)} ${attendance(91)}`);
    expect(crossCheckExtractively(input([], [one, other])).conflicts).toEqual([]);
  });

  it('counts a near-duplicate of the cited source for nothing', () => {
    const copy = window('b', CLAIM, { nearDuplicateOf: 'a' });
    expect(crossCheckExtractively(input([finding(first, CLAIM)], [first, copy])).checks[0]).toMatchObject({
      supporting: [],
      confidence: 0.6,
    });
  });

  it('takes no aim and no method for evidence', () => {
    const aim = window(
      'b',
      'We hypothesized that rowing would increase leg strength. The aim was to determine whether rowing increases leg strength.',
    );
    expect(
      crossCheckExtractively(input([finding(first, CLAIM)], [first, aim])).checks[0]?.supporting,
    ).toEqual([]);
  });

  it('leaves a single source as the rules have it', () => {
    const journal = window('a', CLAIM, { quality: { level: 'authoritative', reason: 'a journal' } });
    expect(crossCheckExtractively(input([finding(journal, CLAIM)], [journal])).checks[0]?.confidence).toBe(
      0.75,
    );
    expect(crossCheckExtractively(input([finding(first, CLAIM)], [first])).checks[0]?.confidence).toBe(0.6);
  });

  it('is done with twenty findings and thirty long sources within seconds of computing', () => {
    const filler = Array.from(
      { length: 90 },
      (_, index) =>
        `In ${index + 20} patients the outcome number ${index} was measured with device ${index % 7} and it did not differ between the groups (p = 0.4).`,
    ).join(' ');
    const sources = Array.from({ length: 30 }, (_, index) =>
      window(
        `s${index}`,
        `Treatment${index % 15} increased variable${index % 15} power (p = 0.01). ${filler}`,
        { title: `Effects of treatment${index % 15}` },
      ),
    );
    const findings = sources
      .slice(0, 20)
      .map((source, index) =>
        finding(source, `Treatment${index % 15} increased variable${index % 15} power (p = 0.01).`),
      );
    const started = process.cpuUsage();
    const { checks } = crossCheckExtractively(input(findings, sources));
    expect(checks).toHaveLength(20);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(8_000);
  });
});
