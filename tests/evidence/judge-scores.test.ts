import type { Verdict } from '../../src/contracts/finding';
import {
  FORM_DIMENSIONS,
  Judgement,
  mapDimensions,
  type ReportJudge,
  WEIGHTED_DIMENSIONS,
} from '../../src/contracts/judgement';
import { betterVersion } from '../../src/contracts/run-protocol';
import { JudgeSettings } from '../../src/contracts/run-settings';
import {
  accuracyBound,
  judgeNotice,
  partsToRevise,
  problemsOfPart,
  scoreJudgement,
} from '../../src/evidence/judge-scores';
import { dimension, judgedDocument, opinion, SETTINGS } from '../support/judged-document';
import { reportJudge } from './report-judge';

function notice(given: Partial<ReportJudge>, versions: number): string | null {
  return judgeNotice({ ...reportJudge(versions), ...given });
}

describe('judgeNotice', () => {
  it('gives the score, the threshold and the version', () => {
    expect(notice({ by: 'model', overall: 3.2, version: 2 }, 3)).toBe(
      'The judge did not pass this text: 3.2 of 5, where 3.5 would pass. It is version 2 of 3, the best after 2 revisions.',
    );
  });

  it('names the points of form below the threshold where the overall score reaches it', () => {
    const { scores } = reportJudge(1);
    const length = { score: 3, reason: 'It says all twice.', places: [] };
    const form = { answerFirst: { ...length, score: 2.5 }, readability: { ...length, score: 3.5 }, length };
    expect(notice({ overall: 4.2, scores: { ...scores, ...form } }, 1)).toMatch(
      /^The judge did not pass this text: 2\.5 of 5 for the answer in its first sentence and 3\.0 of 5 for its length, where 3\.5 /,
    );
  });

  it('returns null where the text passed', () => {
    expect(notice({ passed: true, overall: 4 }, 1)).toBeNull();
  });
});

describe('scores of a judge', () => {
  const claims = (...verdicts: Verdict[]): { verdict: Verdict }[] => verdicts.map((verdict) => ({ verdict }));
  const place = (partId: string): { partId: string; quote: null } => ({ partId, quote: null });

  describe('accuracyBound', () => {
    test.each([
      [claims('supported', 'supported'), 5],
      [claims('supported', 'unsupported'), 3],
      [claims('contradicted', 'contradicted'), 1],
      [claims('partial', 'partial'), 3],
      [claims('unchecked', 'unchecked'), 3],
      [[], 3],
    ])('of %j is %d', (written, bound) => expect(accuracyBound(written)).toBe(bound));

    test('an open claim costs as much as a partly supported one, and less than an unsupported one', () => {
      const [open, partial, none] = (['unchecked', 'partial', 'unsupported'] as const).map((verdict) =>
        accuracyBound(claims('supported', verdict)),
      );
      expect(open).toBe(partial);
      expect(partial).toBeGreaterThan(none ?? 5);
    });
  });

  describe('weigh', () => {
    const document = judgedDocument();

    test('weighs the five dimensions as document 000 does', () => {
      const given = opinion(3, { factualAccuracy: dimension(5), coherence: dimension(1) });
      expect(scoreJudgement(given, SETTINGS, document)).toMatchObject({
        overall: 3.3,
        passed: false,
        threshold: 3.5,
      });
    });

    test('accepts weights of any sum, and counts weights of 0 alike', () => {
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
      expect(scoreJudgement(given, JudgeSettings.parse({ rubric: one }), document).overall).toBe(5);
      expect(scoreJudgement(given, JudgeSettings.parse({ rubric }), document).overall).toBe(3.4);
    });

    test('bounds the accuracy by the verdicts and names the parts of the doubted claims', () => {
      const wrong = document.claims.map((claim, at) => ({
        ...claim,
        verdict: at < 4 ? ('contradicted' as const) : claim.verdict,
        stands: at !== 3,
      }));
      const judged = scoreJudgement(opinion(5), SETTINGS, { ...document, claims: wrong });
      expect(judged.scores.factualAccuracy.score).toBe(3);
      expect(judged.accuracyBound).toBe(3);
      expect(judged.scores.factualAccuracy.reason).toMatch(
        /^Bounded at 3 .*Of 8 claims 4 are supported, 4 contradicted\./,
      );
      expect(partsToRevise(judged)).toEqual(['subtopic-1']);
    });

    test('names the part of a claim that was set aside', () => {
      const aside = document.claims.map((claim, at) =>
        at === 5 ? { ...claim, verdict: 'contradicted' as const, stands: false } : claim,
      );
      expect(partsToRevise(scoreJudgement(opinion(5), SETTINGS, { ...document, claims: aside }))).toEqual([
        'subtopic-2',
      ]);
    });

    test.each([
      [2, 5],
      [3, 3],
      [8, 3],
    ])('where %d of 8 claims are lost, no score is above %d', (lost, most) => {
      // Supported all of them: it is that they do not stand, and not why, that counts here.
      const aside = document.claims.map((claim, at) => ({ ...claim, stands: at >= lost }));
      const judged = scoreJudgement(opinion(5), SETTINGS, { ...document, claims: aside });
      expect(judged.overall).toBe(most);
      expect(Math.max(...Object.values(judged.scores).map(({ score }) => score))).toBe(most);
      expect(judged.passed).toBe(most === 5);
    });

    test('keeps a score below the bound', () => {
      const given = opinion(4, { factualAccuracy: dimension(2, { reason: 'It dreams.' }) });
      expect(scoreJudgement(given, SETTINGS, document).scores.factualAccuracy).toEqual(given.factualAccuracy);
    });

    test.each(FORM_DIMENSIONS)(
      'does not weigh %s, and passes no text in which it is below the threshold',
      (point) => {
        const judged = (score: number): ReturnType<typeof scoreJudgement> =>
          scoreJudgement(
            opinion(5, { [point]: dimension(score, { places: [place('subtopic-2')] }) }),
            SETTINGS,
            document,
          );
        expect(judged(3.5)).toMatchObject({ overall: 5, passed: true });
        expect(judged(3.4)).toMatchObject({ overall: 5, passed: false });
        expect(partsToRevise(judged(3.4))).toEqual(['subtopic-2']);
      },
    );

    test('passes an overall score of 3.4999, which is shown as 3.5', () => {
      expect(scoreJudgement(opinion(3.4999), SETTINGS, document)).toMatchObject({
        overall: 3.5,
        passed: true,
      });
    });
  });

  describe('namedParts', () => {
    const scores = (changes: Parameters<typeof opinion>[1]): Parameters<typeof partsToRevise>[0] => ({
      scores: opinion(5, changes),
    });

    test('returns the parts named in dimensions below the top, each once, in order', () => {
      const bias = dimension(2, { places: [place('subtopic-2'), place('summary')] });
      const completeness = dimension(3, { places: [place('subtopic-2')] });
      const coherence = dimension(4.8, { places: [place('conclusions')] });
      expect(partsToRevise(scores({ bias, completeness, coherence }))).toEqual(['subtopic-2', 'summary']);
    });

    test('returns the parts named at the top where no other dimension names any', () => {
      const coherence = dimension(4.8, { places: [place('conclusions')] });
      expect(partsToRevise(scores({ coherence }))).toEqual(['conclusions']);
      expect(partsToRevise(scores({ bias: dimension(1) }))).toEqual([]);
    });
  });

  test('betterVersion keeps the better version, one that passed before others, the earlier of equals', () => {
    const version = (overall: number, passed = false): { overall: number; passed: boolean } => ({
      overall,
      passed,
    });
    const first = version(3);
    const better = version(4);
    const passed = version(3.6, true);
    expect(betterVersion(first, version(3))).toBe(first);
    expect(betterVersion(first, better)).toBe(better);
    expect(betterVersion(better, passed)).toBe(passed);
    expect(betterVersion(passed, version(4.5))).toBe(passed);
  });

  test('a judgement that was stored before there were points of form is read, and told', () => {
    const { by, overall, accuracyBound, threshold, passed, scores } = reportJudge(1);
    const places = [place('summary')];
    const five = mapDimensions(WEIGHTED_DIMENSIONS, (name) => ({ ...scores[name], places }));
    const stored = Judgement.parse({ by, overall, accuracyBound, threshold, passed, scores: five });
    expect(stored.scores).toEqual(five);
    expect(partsToRevise(stored)).toEqual(['summary']);
    expect(problemsOfPart(stored, 'summary')).toEqual([{ reason: 'It is so so.', quote: null }]);
    expect(notice({ scores: five }, 1)).toContain(': 3.0 of 5, where 3.5 would pass.');
  });
});
