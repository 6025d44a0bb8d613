import { JUDGE_DIMENSIONS } from '../../src/contracts/judge/dimensions';
import type { JudgedDocument } from '../../src/contracts/judge/judged-document';
import type { ReportJudge } from '../../src/contracts/judge/judgement';
import { judgeNotice } from '../../src/core/judge/judge-notice';
import { judge } from '../../src/steps/judge/judge';
import { ENGLISH } from '../../src/texts/texts';
import { measuredOpinion } from '../../src/verification/whole-text/measured-opinion';
import { reportJudge } from '../core/judge/report-judge';
import { BONES_PART, judgedDocument, part, SETTINGS, SLEEP_PART } from '../support/judged-document';

describe('measuredOpinion', () => {
  const scores = (document: JudgedDocument): number[] =>
    JUDGE_DIMENSIONS.map((dimension) => measuredOpinion(document)[dimension].score);

  test('a text that tells its material is good in everything, and says by what it is measured', () => {
    const document = judgedDocument();
    const measured = measuredOpinion(document);
    expect(measured.by).toBe('measures');
    for (const score of scores(document)) expect(score).toBeGreaterThan(4);
    expect(measured.completeness.reason).toMatch(/Of 2 topics it tells 100 % of the statements/);
    expect(judge.check({ document, settings: SETTINGS }, measured)).toEqual([]);
  });

  test('a section that is missing is named, and the text is less complete', () => {
    const { completeness } = measuredOpinion(judgedDocument({ parts: [BONES_PART] }));
    expect(completeness.score).toBeLessThan(3.5);
    expect(completeness.places).toEqual([{ partId: 'subtopic-2', quote: null }]);
    expect(completeness.reason).toContain('“Magnesium and sleep”');
  });

  test('a number that the material has not is found in a text without claims too, where it stands', () => {
    const wrong = part('subtopic-2', SLEEP_PART.markdown.replace('22 minutes', '64 minutes'));
    const { factualAccuracy } = measuredOpinion(judgedDocument({ parts: [BONES_PART, wrong], claims: [] }));
    expect(factualAccuracy.reason).toContain('64 minutes');
    expect(factualAccuracy.places).toEqual([
      { partId: 'subtopic-2', quote: 'Sleep lasted 64 minutes longer with magnesium than with placebo [5].' },
    ]);
  });

  test('a disagreement of which one side is missing makes it biased, and names who told the other', () => {
    const oneSided = part('subtopic-1', BONES_PART.markdown.replace(/The density of the spine[^\n]*/, ''));
    const [whole, spoiled] = [judgedDocument(), judgedDocument({ parts: [oneSided, SLEEP_PART] })].map(
      measuredOpinion,
    );
    expect(spoiled?.bias.score).toBeLessThan((whole?.bias.score ?? 0) - 1);
    expect(spoiled?.bias.places).toEqual([{ partId: 'subtopic-1', quote: null }]);
  });

  test('paragraphs that stand under another topic are named by their first sentence', () => {
    const [bones, sleep] = [BONES_PART, SLEEP_PART].map(({ markdown }) => markdown.split('\n\n'));
    const swapped = [
      part('subtopic-1', [...(bones ?? []).slice(0, 2), ...(sleep ?? []).slice(0, 2)].join('\n\n')),
      part('subtopic-2', [...(sleep ?? []).slice(2), ...(bones ?? []).slice(2)].join('\n\n')),
    ];
    const { coherence } = measuredOpinion(judgedDocument({ parts: swapped }));
    expect(coherence.score).toBeLessThan(measuredOpinion(judgedDocument()).coherence.score - 0.5);
    expect(coherence.places).toContainEqual({ partId: 'subtopic-1', quote: sleep?.[0] });
  });

  test('a text that cites one source for everything covers less', () => {
    const narrowed = [BONES_PART, SLEEP_PART].map(({ id, markdown }) =>
      part(id, markdown.replace(/\[\d\]/g, '[1]')),
    );
    expect(measuredOpinion(judgedDocument({ parts: narrowed })).coverage.score).toBeLessThan(3);
  });

  test('sentences that stand twice and headings without a text make it less coherent', () => {
    const twice = part('subtopic-1', `${BONES_PART.markdown}\n\n${BONES_PART.markdown}\n\n### More on it`);
    const { coherence } = measuredOpinion(judgedDocument({ parts: [twice, SLEEP_PART] }));
    expect(coherence.reason).toContain('4 sentences told before');
    expect(coherence.reason).toContain('1 heading without a text');
  });

  test('a text that tells nothing is the worst in everything, and all of it is to be written', () => {
    const empty = judgedDocument({ parts: [part('subtopic-1', '')], claims: [] });
    expect(scores(empty)).toEqual([1, 1, 1, 1, 1]);
    const named = measuredOpinion(empty).bias.places.map(({ partId }) => partId);
    expect(named).toEqual(['subtopic-1', 'subtopic-2']);
  });

  test('paragraphs of a part in another order than their material are less coherent', () => {
    const turned = [BONES_PART, SLEEP_PART].map((own) => ({
      ...own,
      markdown: own.markdown.split('\n\n').reverse().join('\n\n'),
    }));
    const [whole, spoiled] = [judgedDocument(), judgedDocument({ parts: turned })].map(measuredOpinion);
    expect(spoiled?.coherence.score).toBeLessThan(whole?.coherence.score ?? 0);
  });

  test('unchecked claims, and few of them, show in the score of accuracy', () => {
    const claim = { partId: 'subtopic-1', text: 'So it is.', sourceIds: [], stands: true };
    const of = (...verdicts: JudgedDocument['claims'][number]['verdict'][]): number => {
      const claims = verdicts.map((verdict) => ({ ...claim, verdict }));
      return measuredOpinion(judgedDocument({ claims })).factualAccuracy.score;
    };
    const supported = Array.from({ length: 40 }, () => 'supported' as const);
    expect(of('supported', 'supported', 'unchecked', 'unchecked', 'unchecked', 'unchecked')).toBeLessThan(
      3.6,
    );
    expect(of('supported', 'supported')).toBeLessThan(4.5);
    expect(of(...supported)).toBeGreaterThan(4.9);
  });

  test('a frame may count what there is, and no text may invent a number, cited or not', () => {
    const ended = (sentence: string): JudgedDocument =>
      judgedDocument({ parts: [BONES_PART, part('subtopic-2', `${SLEEP_PART.markdown}\n\n${sentence}`)] });
    const accuracy = (sentence: string) => measuredOpinion(ended(sentence)).factualAccuracy;
    expect(accuracy('Most of this rests on 8 sources, 4 of them on sleep.').reason).toContain('Every figure');
    expect(accuracy('Most of this rests on 64 sources.').reason).toContain('64');
    expect(accuracy('Sleepers gained 8 kg of weight besides.').reason).toContain('8 kg');
    expect(accuracy('Most of this rests on 17 studies [5].').reason).toContain('Every figure');
    expect(accuracy('Magnesium was taken for 9 weeks in all of them [5].').reason).toContain('9 weeks');
  });

  test('what was set aside before writing makes a text less complete, and no part is sent back for it', () => {
    const [given, aside] = [judgedDocument(), judgedDocument()];
    aside.topics = aside.topics.map((topic) => ({ ...topic, setAside: topic.statements.length }));
    const [whole, half] = [given, aside].map((document) => measuredOpinion(document).completeness);
    expect(half?.score).toBeLessThan((whole?.score ?? 0) - 1);
    expect(half?.reason).toContain('8 statements that were given could not be told');
    expect(half?.places).toEqual([]);
  });
});

describe('judgeNotice of measures', () => {
  function notice(given: Partial<ReportJudge>, versions: number): string | null {
    return judgeNotice({ ...reportJudge(versions), ...given }, ENGLISH);
  }

  it('says that nobody read it where measures alone judged', () => {
    expect(notice({ by: 'measures', overall: 3.46, version: 1 }, 1)).toBe(
      'The judge, which measures the text and does not read it, did not pass this text: 3.46 of 5, where 3.5 would pass. It is the only version, which was not revised.',
    );
  });
});
