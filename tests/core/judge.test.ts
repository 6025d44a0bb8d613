import type { ReportJudge } from '../../src/contracts/judge/judgement';
import { JudgeSettings } from '../../src/contracts/judge/rubric';
import type { Verdict } from '../../src/contracts/verification/claim-verdict';
import { accuracyBound } from '../../src/core/judge/accuracy-bound';
import { betterVersion } from '../../src/core/judge/better-version';
import { judgeNotice } from '../../src/core/judge/judge-notice';
import { namedParts } from '../../src/core/judge/named-parts';
import { weigh } from '../../src/core/judge/weigh';
import { ENGLISH } from '../../src/texts/texts';
import { dimension, judgedDocument, opinion, SETTINGS } from '../support/judged-document';
import { reportJudge } from './judge/report-judge';

describe('judgeNotice', () => {
  function notice(given: Partial<ReportJudge>, versions: number): string | null {
    return judgeNotice({ ...reportJudge(versions), ...given }, ENGLISH);
  }

  it('says what it came to, what would pass, and which version it is', () => {
    expect(notice({ by: 'model', overall: 3.2, version: 2 }, 3)).toBe(
      'The judge did not pass this text: 3.2 of 5, where 3.5 would pass. It is version 2 of 3, the best after 2 revisions.',
    );
  });

  it('says that nobody read it where measures alone judged', () => {
    expect(notice({ by: 'measures', overall: 3.46, version: 1 }, 1)).toBe(
      'The judge, which measures the text and does not read it, did not pass this text: 3.46 of 5, where 3.5 would pass. It is the only version, which was not revised.',
    );
  });

  it('says nothing where it passed', () => {
    expect(notice({ passed: true, overall: 4 }, 1)).toBeNull();
  });
});

describe('scores of a judge', () => {
  const claims = (...verdicts: Verdict[]): { verdict: Verdict }[] => verdicts.map((verdict) => ({ verdict }));

  const place = (partId: string): { partId: string; quote: null } => ({ partId, quote: null });

  describe('what the verifier’s figures allow', () => {
    test.each([
      [claims('supported', 'supported'), 5],
      [claims('supported', 'unsupported'), 3],
      [claims('contradicted', 'contradicted'), 1],
      [claims('partial', 'partial'), 3],
      [claims('unchecked', 'unchecked'), 3],
      [[], 3],
    ])('%j: %d', (written, bound) => expect(accuracyBound(written)).toBe(bound));

    test('a claim that words leave open costs as much as one that is borne in part, and less than one that is not', () => {
      const [open, partial, none] = (['unchecked', 'partial', 'unsupported'] as const).map((verdict) =>
        accuracyBound(claims('supported', verdict)),
      );
      expect(open).toBe(partial);
      expect(partial).toBeGreaterThan(none ?? 5);
    });
  });

  describe('weighing', () => {
    const document = judgedDocument();

    test('the five are weighed as document 000 has it', () => {
      const given = opinion(3, { factualAccuracy: dimension(5), coherence: dimension(1) });
      expect(weigh(given, SETTINGS, document)).toMatchObject({ overall: 3.3, passed: false, threshold: 3.5 });
    });

    test('weights need not add up to 1, and all of them 0 count alike', () => {
      const asks = { weight: 0 };
      const rubric = {
        factualAccuracy: asks,
        completeness: asks,
        coverage: asks,
        coherence: asks,
        bias: asks,
      };
      const one = { ...rubric, bias: { weight: 0.5 } };
      const given = opinion(3, { bias: dimension(5) });
      expect(weigh(given, JudgeSettings.parse({ rubric: one }), document).overall).toBe(5);
      expect(weigh(given, JudgeSettings.parse({ rubric }), document).overall).toBe(3.4);
    });

    test('a judge that gives 5 to everything is bounded, says so, and the parts of the doubted claims are named', () => {
      const wrong = document.claims.map((claim, at) => ({
        ...claim,
        verdict: at < 4 ? ('contradicted' as const) : claim.verdict,
        stands: at !== 3,
      }));
      const judged = weigh(opinion(5), SETTINGS, { ...document, claims: wrong });
      expect(judged.scores.factualAccuracy.score).toBe(3);
      expect(judged.accuracyBound).toBe(3);
      expect(judged.scores.factualAccuracy.reason).toMatch(
        /^Bounded at 3 .*Of 8 claims 4 are supported, 4 contradicted\./,
      );
      expect(namedParts(judged)).toEqual(['subtopic-1']);
    });

    test('the part of a claim that was set aside is named', () => {
      const aside = document.claims.map((claim, at) =>
        at === 5 ? { ...claim, verdict: 'contradicted' as const, stands: false } : claim,
      );
      expect(namedParts(weigh(opinion(5), SETTINGS, { ...document, claims: aside }))).toEqual(['subtopic-2']);
    });

    test.each([
      [2, 5],
      [3, 3],
      [8, 3],
    ])('of a text that lost %d of 8 claims no score is above %d', (lost, most) => {
      // Supported all of them: it is that they do not stand, and not why, that counts here.
      const aside = document.claims.map((claim, at) => ({ ...claim, stands: at >= lost }));
      const judged = weigh(opinion(5), SETTINGS, { ...document, claims: aside });
      expect(judged.overall).toBe(most);
      expect(Math.max(...Object.values(judged.scores).map(({ score }) => score))).toBe(most);
      expect(judged.passed).toBe(most === 5);
    });

    test('an opinion below the bound stands as it is', () => {
      const given = opinion(4, { factualAccuracy: dimension(2, { reason: 'It dreams.' }) });
      expect(weigh(given, SETTINGS, document).scores.factualAccuracy).toEqual(given.factualAccuracy);
    });

    test('what is shown decides: an overall of 3.4999 is shown as 3.5 and passes', () => {
      expect(weigh(opinion(3.4999), SETTINGS, document)).toMatchObject({ overall: 3.5, passed: true });
    });
  });

  describe('the parts to mend', () => {
    const scores = (changes: Parameters<typeof opinion>[1]): Parameters<typeof namedParts>[0] => ({
      scores: opinion(5, changes),
    });

    test('those that are named in dimensions below the top, once, in their order', () => {
      const bias = dimension(2, { places: [place('subtopic-2'), place('summary')] });
      const completeness = dimension(3, { places: [place('subtopic-2')] });
      const coherence = dimension(4.8, { places: [place('conclusions')] });
      expect(namedParts(scores({ bias, completeness, coherence }))).toEqual(['subtopic-2', 'summary']);
    });

    test('where only what is at the top names any, those; and none where nothing is named', () => {
      const coherence = dimension(4.8, { places: [place('conclusions')] });
      expect(namedParts(scores({ coherence }))).toEqual(['conclusions']);
      expect(namedParts(scores({ bias: dimension(1) }))).toEqual([]);
    });
  });

  test('of two versions the better is kept, the earlier of equals', () => {
    const [first, second, third] = [3, 3, 4].map((overall, at) => ({ n: at + 1, overall }));
    expect(betterVersion(first ?? { overall: 0 }, second ?? { overall: 9 })).toBe(first);
    expect(betterVersion(first ?? { overall: 9 }, third ?? { overall: 0 })).toBe(third);
  });
});
