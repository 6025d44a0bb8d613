import type { Answer } from '../../../src/contracts/answer';
import type { Report } from '../../../src/contracts/report';
import { SourceCatalogue } from '../../../src/contracts/source';
import { verifyReport } from '../../../src/report/verify-report';
import { createGoodModel } from '../../model-server/good-model';
import { forAllTests } from '../../support/for-all-tests';
import { openModelBench } from '../model-runs/model-bench';
import { openAnswerBench } from './answer-bench';

// How a text cites is a matter of its reader: it is the same text, with the same claims and verdicts.

/** What of a claim says what it states and what came of it: not how, or where, it is written. */
function toldClaims({ claims }: Pick<Report | Answer, 'claims'>): unknown[] {
  return claims.map(({ citations, verdict, code, reason, evidence }) => ({
    citations,
    verdict,
    code,
    reason,
    evidence,
  }));
}

describe('a report', () => {
  const bench = forAllTests(openModelBench);
  let reports: Record<'numbered' | 'url', Report>;

  beforeAll(async () => {
    const model = createGoodModel();
    const served = await bench.serve((request) => model.answer(request));
    const inStyle = async (citationStyle: 'numbered' | 'url'): Promise<Report> => {
      const synthesis = { ...bench.synthesis, citationStyle };
      const { report } = await served.report(`report-${citationStyle}`, { engine: 'extractive', synthesis });
      return report;
    };
    reports = { numbered: await inStyle('numbered'), url: await inStyle('url') };
  });

  it('has the same claims and verdicts by number and by address', () => {
    const { numbered, url } = reports;
    expect(url.markdown).toMatch(/\[https:\/\//);
    expect(toldClaims(url)).toEqual(toldClaims(numbered));
    expect(url.audit).toEqual(numbered.audit);
    expect(url.citationReport).toEqual(numbered.citationReport);
  });

  it('is verified alike in either style when it comes back as a file', async () => {
    const { sources } = SourceCatalogue.parse(await bench.colligate.run(reports.url.id).passResult('gather'));
    const contents = await bench.stores.content.retrieveBatch(sources.map(({ contentRef }) => contentRef));
    const given = sources.map(({ id, title, url: address, contentRef }) => ({
      id,
      title,
      url: address ?? undefined,
      content: contents.get(contentRef) ?? '',
    }));
    const [numbered, url] = [reports.numbered, reports.url].map(({ markdown }) =>
      verifyReport(markdown, given),
    );
    const verdicts = (verified: typeof url) =>
      verified?.claims.map(({ text, verdict, code, citations }) => ({
        text,
        verdict,
        code,
        cites: [...new Set(citations.map(({ sourceId }) => sourceId))].sort(),
      }));
    expect(url?.citations.unresolved).toBe(0);
    expect(verdicts(url)).toEqual(verdicts(numbered));
    expect(url?.audit).toEqual(numbered?.audit);
  });
});

describe('an answer', () => {
  const bench = forAllTests(openAnswerBench);

  it('has the same claims and verdicts in every style', async () => {
    const inStyle = (citations: 'numbered' | 'passage' | 'inline'): Promise<Answer> =>
      bench.ask(`answer-${citations}`, {
        question: 'What does DAIL-SQL use, and how accurate is it?',
        documents: [
          {
            title: 'Selection',
            url: 'https://example.org/selection',
            content:
              'DAIL-SQL uses example-based prompts with the questions and queries most like what is asked.',
          },
          {
            title: 'Accuracy',
            content: 'On the Spider benchmark DAIL-SQL reaches an execution accuracy of 86.6 percent.',
          },
        ],
        answers: { citations },
      });
    const numbered = await inStyle('numbered');
    expect(numbered.claims.length).toBeGreaterThan(0);
    for (const style of ['passage', 'inline'] as const) {
      const other = await inStyle(style);
      expect(toldClaims(other)).toEqual(toldClaims(numbered));
      expect(other.confidence).toBe(numbered.confidence);
    }
  });
});
