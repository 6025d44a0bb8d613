import { digestReport, reportExcerpt } from '../../src/cli/delivery';
import { outlineMarkdown, sourceLabels } from '../../src/client/pass-markdown';
import type { RunEventBody } from '../../src/contracts/event';
import type { Conflict, Finding } from '../../src/contracts/finding';
import type { Outline } from '../../src/contracts/outline';
import { Report } from '../../src/contracts/report';
import { writeSectionExtractively } from '../../src/engines/extractive/quoted-sections';
import { assembleReport } from '../../src/report/assemble-report';
import { conflictParagraph, type ReportParts } from '../../src/report/chapters';
import {
  sectionsUnlikeReport,
  sectionTexts,
  sectionTextsAfter,
  withReportCitations,
} from '../../src/report/citations';
import { diffReports } from '../../src/report/diff/diff-reports';
import { chunk, restarted, runEvent, written } from '../support/run-events';
import { catalogueOf, completeRun, finding, quoteOf, source, withSources } from './report-fixture';

describe('the findings of a report', () => {
  const WORDS = 'ant bee cat dog elk fox gnu hen ibis jay kite lark mole newt owl pike'.split(' ');

  function findingOf(
    number: number,
    confidence: number,
    sources = 1,
    changes: Partial<Finding> = {},
  ): Finding {
    const quote = `Walking helped the ${WORDS[number]}.`;
    const citations = Array.from({ length: sources }, (_, at) => `s${number}-${at}`);
    const quotes = citations.map((sourceId) => quoteOf(sourceId, quote));
    return { ...finding(`f${number}`, 'section-1', quotes, confidence), ...changes };
  }

  function runOf(findings: Finding[], changes: Partial<ReportParts> = {}): ReportParts {
    const run = completeRun();
    const ids = [...new Set(findings.flatMap(({ citations }) => citations))];
    const section = { id: 'section-1', title: 'Walking', description: 'Walking.', subsections: [] };
    const sources = ids.map(source);
    const relevantSources = ids.map((sourceId) => ({ sourceId, relevance: 0.9 }));
    const draft = writeSectionExtractively({
      question: run.question,
      section,
      findings,
      conflicts: [],
      sources: sources.map(({ id: sourceId, ...rest }) => ({ sourceId, ...rest })),
      targetWords: 5_000,
    });
    return {
      ...run,
      catalogue: catalogueOf(sources),
      sourcesGiven: ids.length,
      outline: { overallTheme: 'Walking.', sections: [{ ...section, relevantSources, sourceScores: [] }] },
      findings: [{ sectionId: 'section-1', findings }],
      conflicts: [],
      gaps: [],
      drafts: [{ sectionId: 'section-1', draft }],
      frame: null,
      readInFull: ids,
      ...changes,
    };
  }

  test('tells how sure each finding is, from the threshold on as a major one', () => {
    const open = { unvalidated: true } as const;
    const { report } = assembleReport(
      runOf([findingOf(0, 0.95, 2), findingOf(1, 0.72, 1, open), findingOf(2, 0.6)]),
    );
    expect(report.findings).toEqual([
      {
        claim: 'Walking helped the ant.',
        sectionId: 'section-1',
        confidence: 0.95,
        validated: true,
        isMajor: true,
        citations: [1, 2],
      },
      expect.objectContaining({ confidence: 0.72, validated: false, isMajor: true, citations: [3] }),
      expect.objectContaining({ confidence: 0.6, validated: true, isMajor: false, citations: [4] }),
    ]);
    expect(report.claims.map(({ validated }) => validated)).toEqual([true, false, true]);
  });

  test('counts the best twelve findings as what a report rests on where none reaches the threshold', () => {
    const { report } = assembleReport(runOf(WORDS.slice(0, 15).map((_word, at) => findingOf(at, 0.5))));
    expect(report.citationReport.weakMajorClaims).toHaveLength(12);
    expect(report.findings?.some(({ isMajor }) => isMajor)).toBe(false);
  });

  test('names claims on major findings with too few sources', () => {
    const { report } = assembleReport(
      runOf([findingOf(0, 0.95, 4), findingOf(1, 0.75), findingOf(2, 0.86, 2), findingOf(3, 0.6)]),
    );
    const weak = report.citationReport.weakMajorClaims.map(({ claimId, citations }) => [
      report.claims.find(({ id }) => id === claimId)?.text.match(/the (\w+)”/)?.[1],
      citations,
    ]);
    expect(weak).toEqual([
      ['bee', 1],
      ['cat', 2],
    ]);
  });

  test('gives a claim about the present the date of its source', () => {
    const claim = 'Walking currently helps 40 % of the owls.';
    const told = ['s0-0', 's0-1', 's0-2'].map((sourceId) => quoteOf(sourceId, claim));
    const parts = runOf([findingOf(0, 0.9, 3, { claim, evidence: told })]);
    const dates = ['2011-05', '2019', '2018-12-31'];
    const { report } = assembleReport(withSources(parts, (one, at) => ({ ...one, publishedAt: dates[at] })));
    expect(report.claims[0]?.asOf).toBe('2019');
  });
});

describe('conflictParagraph', () => {
  const SOURCES = new Map(
    ['Doe', 'Roe', 'Poe', 'Loe'].map((author, at) => [
      author.toLowerCase(),
      { title: `On ${author}`, author: `Jane ${author}`, publishedAt: `200${at}` },
    ]),
  );

  function conflict(views: string[][], resolution = 'present_both', reason = 'They differ.'): Conflict {
    return {
      id: 'conflict-1',
      topic: 'tea and sleep.',
      kind: 'direction',
      viewpoints: views.map((citations) => {
        const [sourceId = ''] = citations;
        const statement = `Tea says ${sourceId}.`;
        return { statement, citations, evidence: [quoteOf(sourceId, statement)] };
      }),
      resolution,
      reason,
      findingIds: [],
    };
  }

  test('sets two views beside each other', () => {
    expect(conflictParagraph(conflict([['doe'], ['roe', 'poe']]), SOURCES)).toBe(
      '**Tea and sleep.** Doe (2000) reports “Tea says doe” [@doe], while Roe (2001) and one more source report “Tea says roe” [@roe; @poe]. They differ.',
    );
  });

  test('lists three and four views', () => {
    expect(conflictParagraph(conflict([['doe'], ['roe'], ['poe']]), SOURCES)).toBe(
      '**Tea and sleep.** Doe (2000) reports “Tea says doe” [@doe], while Roe (2001) reports “Tea says roe” [@roe], and Poe (2002) reports “Tea says poe” [@poe]. They differ.',
    );
    expect(conflictParagraph(conflict([['doe'], ['roe'], ['poe'], ['loe']]), SOURCES)).toContain(
      ', while Roe (2001) reports “Tea says roe” [@roe], Poe (2002) reports “Tea says poe” [@poe], and Loe (2003) reports',
    );
  });

  test('names the favoured view by its source', () => {
    expect(conflictParagraph(conflict([['doe'], ['roe']], 'favor_viewpoint_2', 'Why.'), SOURCES)).toMatch(
      /\. Why\. The evidence favours the second view, that of Roe \(2001\)\.$/,
    );
  });

  test('omits a reason that the quotes show and shortens quotes that a section has in full', () => {
    const one =
      'Tea significantly lengthened the sleep of forty nurses, as watches measured it on seven nights.';
    const given = conflict(
      [['doe'], ['roe']],
      'present_both',
      'On tea, the sides report opposite effects. Why.',
    );
    const [, ...others] = given.viewpoints;
    const viewpoints = [{ statement: one, citations: ['doe'], evidence: [quoteOf('doe', one)] }, ...others];
    const told = (isTold: (quoted: string) => boolean): string =>
      conflictParagraph({ ...given, topic: 'tea', viewpoints }, SOURCES, isTold);
    expect(told(() => false)).toContain(`reports “${one.slice(0, -1)}” [@doe]`);
    expect(told((quoted) => quoted.includes('nurses'))).toBe(
      '**Tea.** Doe (2000) reports “Tea significantly lengthened the sleep of forty nurses …” [@doe], while Roe (2001) reports “Tea says roe” [@roe]. Why.',
    );
  });
});

describe('texts of sections from events', () => {
  const WHOLE: RunEventBody[] = [
    chunk('a', 0, 'One. '),
    runEvent('warning', { code: 'c', message: 'm' }),
    chunk('b', 0, 'Uno. '),
    chunk('a', 5, 'Two.'),
    chunk('b', 5, 'Due.'),
    written('b', 9),
  ];

  test('assembles sections that are written at the same time', () => {
    expect(Object.fromEntries(sectionTexts(WHOLE))).toEqual({
      a: { generation: 1, start: 0, text: 'One. Two.', isWritten: false },
      b: { generation: 1, start: 0, text: 'Uno. Due.', isWritten: true },
    });
  });

  test('restarts a section with a newer generation and ignores older events', () => {
    const events = [...WHOLE, restarted('b', 2), chunk('b', 0, 'Ein', 2), chunk('b', 9, ' Tre.')];
    expect(sectionTexts(events).get('b')).toEqual({ generation: 2, start: 0, text: 'Ein', isWritten: false });
    const late = [...events, restarted('b', 1), written('b', 9), chunk('b', 3, 's.', 2)];
    expect(sectionTexts(late).get('b')).toEqual({ generation: 2, start: 0, text: 'Eins.', isWritten: false });
  });

  test('ignores repeated events', () => {
    const twice = WHOLE.flatMap((event) => [event, event]);
    expect(sectionTexts([...twice, ...WHOLE])).toEqual(sectionTexts(WHOLE));
    const texts = sectionTexts(WHOLE);
    for (const event of WHOLE) expect(sectionTextsAfter(texts, event)).toBe(texts);
  });

  test('joins overlapping pieces of two writers', () => {
    const events = [chunk('a', 0, 'One. '), chunk('a', 3, '. Tw'), chunk('a', 5, 'Two.')];
    expect(sectionTexts(events).get('a')?.text).toBe('One. Two.');
  });

  test('ignores pieces behind the end of a finished text', () => {
    const late = [...WHOLE, chunk('b', 9, ' Tre.')];
    expect(sectionTexts(late).get('b')?.text).toBe('Uno. Due.');
    const early = [...WHOLE.slice(0, -1), chunk('b', 9, ' Tre.'), written('b', 9)];
    expect(sectionTexts(early).get('b')).toEqual(sectionTexts(WHOLE).get('b'));
  });

  test('gives a late reader the text from its position on', () => {
    const texts = sectionTexts(WHOLE.slice(2));
    expect(texts.get('a')).toEqual({ generation: 1, start: 5, text: 'Two.', isWritten: false });
    expect(sectionTexts(WHOLE.slice(4)).get('b')).toMatchObject({ start: 5, text: 'Due.', isWritten: true });
    const newer = [chunk('a', 0, 'One. '), chunk('a', 7, 'Tres.', 3)];
    expect(sectionTexts(newer).get('a')).toMatchObject({ generation: 3, start: 7, text: 'Tres.' });
  });

  test('an empty section can be finished', () => {
    expect(sectionTexts([written('a', 0)]).get('a')).toMatchObject({ text: '', isWritten: true });
  });

  describe('compared with the report', () => {
    const citations = ['x', 'y'].map((id, index) => {
      const { contentRef: _content, summaryRef: _summary, ...facts } = source(id);
      return { ...facts, sourceId: id, n: index + 1, timesCited: 1, readInFull: true };
    });
    const report = {
      citationStyle: 'numbered' as const,
      citations,
      sections: [{ id: 'a', title: 'A', markdown: 'Said [2][1]. And [1].', citations: [2, 1] }],
    };
    const text = 'Said [@y; @x]. And [@x].';

    test('withReportCitations replaces marks by the numbers of the report', () => {
      expect(withReportCitations(text, report)).toBe('Said [2][1]. And [1].');
    });

    test('sectionsUnlikeReport lists a section until its text is complete', () => {
      const tell = (...events: RunEventBody[]): string[] =>
        sectionsUnlikeReport(sectionTexts(events), report);
      expect(tell()).toEqual(['a']);
      expect(tell(chunk('a', 0, text.slice(0, 9)))).toEqual(['a']);
      expect(tell(chunk('a', 9, text.slice(9)))).toEqual(['a']);
      expect(tell(chunk('a', 0, text))).toEqual([]);
      expect(tell(chunk('a', 0, text), restarted('a', 2))).toEqual(['a']);
    });
  });
});

const OUTLINE: Outline = {
  overallTheme: 'No sentence of the sources is likely to answer the question.',
  sections: [],
  unanswered: { nearest: ['gamma', 'alpha'] },
};

function unanswered(changes: Partial<ReportParts> = {}): ReportParts {
  return {
    ...completeRun(),
    status: 'partial',
    question: 'Does juggling help?',
    outline: OUTLINE,
    noAnswer: true,
    findings: [],
    conflicts: [],
    gaps: [],
    drafts: [],
    frame: null,
    readInFull: [],
    warnings: [
      { code: 'no-answer', message: 'No sentence of the sources is likely to answer “Does juggling help?”.' },
    ],
    ...changes,
  };
}

describe('a report where nothing answers', () => {
  const { report, markdown } = assembleReport(unanswered());

  it('says so in one sentence, names the nearest sources, and has no sections', () => {
    expect(Report.parse(report)).toEqual(report);
    expect(markdown.slice(0, markdown.indexOf('## Sources'))).toBe(
      `# Does juggling help?

## Executive Summary

No sentence of the sources is likely to answer “Does juggling help?”. Nearest are: “On gamma” [1], “On alpha” [2].

## Limits and open questions

### Information Gaps

- **Does juggling help?** Nothing that could be quoted on it was found in the 6 sources.

`,
    );
    expect(report).toMatchObject({
      status: 'partial',
      title: 'Does juggling help?',
      overallTheme: 'No sentence of the sources is likely to answer “Does juggling help?”.',
      sections: [],
      claims: [],
      gaps: ['Does juggling help?'],
      warnings: [{ code: 'no-answer' }],
    });
  });

  it('cites and lists the nearest sources, and is not told how many were wanted', () => {
    expect(report.citations.map(({ n, sourceId }) => [n, sourceId])).toEqual([
      [1, 'gamma'],
      [2, 'alpha'],
    ]);
    expect(markdown).toMatch(/- \[1\] .*“On gamma\.”/);
    expect(report.citationReport).toMatchObject({ meetsMinimum: false, recommendations: [], bySection: [] });
    expect(markdown).not.toMatch(/wanted|minimum/);
    expect(report.sources).toMatchObject({ total: 6, inFull: 0, bySummary: 0, unused: 5, duplicates: 1 });
  });

  it('says the same of a run whose sections were read and gave nothing: no empty chapter', () => {
    const { outline } = completeRun();
    const read = assembleReport(unanswered({ outline }));
    expect(read.report.sections).toEqual([]);
    // The most relevant to any section, ties by id.
    expect(read.markdown).toContain(
      'No sentence of the sources is likely to answer “Does juggling help?”. Nearest are: “On alpha” [1], “On beta” [2], “On delta” [3], “On gamma” [4].',
    );
    expect(read.markdown).not.toMatch(/wanted|Nothing was found for this section/);
  });

  it('names at most five sources, shown as they are', () => {
    const sources = Array.from({ length: 7 }, (_, at) => ({
      ...(completeRun().catalogue?.sources[0] ?? { id: '' }),
      id: `s${at}`,
      title: `*Note* ${at}`,
    })) as NonNullable<ReportParts['catalogue']>['sources'];
    const { report: long, markdown: text } = assembleReport(
      unanswered({
        catalogue: { sources, counts: { sentences: 0, holders: {} }, merged: [] },
        outline: { ...OUTLINE, unanswered: { nearest: sources.map(({ id }) => id) } },
      }),
    );
    expect(long.citations).toHaveLength(5);
    expect(text).toContain('Nearest are: “\\*Note\\* 0” [1], ');
  });

  it('does not say it of a run that ended before anything was read', () => {
    const { markdown: cut } = assembleReport({
      ...unanswered({ outline: completeRun().outline }),
      status: 'cancelled',
      noAnswer: undefined,
      endedEarly: 'The run was cancelled.',
    });
    expect(cut).not.toContain('No sentence of the sources is likely');
    expect(cut).toContain('\n\nThe run was cancelled.\n\n');
  });
});

describe('what goes with such a report', () => {
  const { report } = assembleReport(unanswered());

  it('is told by the command line in its sentence', () => {
    const digest = digestReport(report);
    expect(digest).toMatchObject({ sections: [], sourcesCited: 2 });
    expect(reportExcerpt(digest).at(-1)).toBe(
      'No sentence of the sources is likely to answer “Does juggling help?”.',
    );
  });

  it('is an outline that names the nearest sources', () => {
    const shown = outlineMarkdown(OUTLINE, sourceLabels(completeRun().catalogue));
    expect(shown).toContain('There is no section: nothing answers the question. Nearest to it are:');
    expect(shown).toMatch(/- Gamma 2011, “On gamma” `gamma`\n- Alpha 2011, “On alpha” `alpha`/);
  });

  it('can be compared with a report that found an answer, from either side', () => {
    const answered = assembleReport(completeRun()).report;
    const later = diffReports(report, answered);
    expect(later.summary.findings).toMatchObject({ newlyQuoted: 3, notQuoted: 0 });
    expect(later.gaps.closed).toEqual(['Does juggling help?']);
    expect(diffReports(answered, report).summary.findings).toMatchObject({ newlyQuoted: 0, notQuoted: 3 });
  });
});
