import { AnswerMetrics, AnswerStatistics, AnswerTelemetry } from '../../src/contracts/answer';
import type { AnswerDraft, AnswerSentence } from '../../src/contracts/draft';
import type { ClaimVerdict, CriticisedClaim, Critique } from '../../src/contracts/finding';
import { answerStatistics, type CountedAnswer } from '../../src/report/answer-confidence';
import { betterAnswer, finalizeAnswer } from '../../src/report/answer-draft';
import { critiqueForPassages, rejectedClaimInSources } from '../../src/report/answer-passages';
import {
  answerMetrics,
  type AttemptState,
  decideBeforeCritic,
  decideNext,
  isOverCompressed,
  synthesizerEntry,
} from '../../src/report/answer-state';
import { draft, passage } from './passages';

describe('settleAnswer and betterAnswer', () => {
  const verdict = (given: ClaimVerdict['verdict']): ClaimVerdict => ({
    verdict: given,
    code: given === 'supported' ? 'same-words' : 'unlikely',
    reason: 'Because.',
    evidence: { sourceId: 'P2', quote: 'told', start: 3, end: 7 },
    probability: 0.1,
  });

  const claim = (plain: string, id: string): AnswerSentence => ({
    text: `${plain} [@${id}].`,
    plain: `${plain}.`,
    passageIds: [id],
  });

  const draftOf = (markdown: string, sentences: AnswerSentence[]): AnswerDraft =>
    draft(sentences, { markdown });

  const [tea, milk] = [claim('Tea helps', 'P1'), claim('Milk harms', 'P2')];

  /** What is left of a draft whose claims have these verdicts, in their order. */
  const settled = (of: AnswerDraft, ...verdicts: ClaimVerdict['verdict'][]): AnswerDraft =>
    finalizeAnswer({
      ...of,
      sentences: of.sentences.map((sentence, at) => ({
        ...sentence,
        verdict: verdict(verdicts[at] ?? 'unchecked'),
      })),
    });

  it('removes unsupported claims and lists them', () => {
    const left = settled(draftOf(`- ${tea.text}\n- ${milk.text}`, [tea, milk]), 'supported', 'partial');
    expect(left.markdown).toBe(`- ${tea.text}`);
    expect(left.sentences).toEqual([{ ...tea, verdict: verdict('supported') }]);
    expect(left.setAside).toMatchObject([
      { text: 'Milk harms.', sourceIds: ['P2'], verdict: 'partial', action: 'left-out' },
    ]);
  });

  it('keeps a claim that was refused for its wording alone', () => {
    const loose = { ...milk, verdict: verdict('partial'), severity: 'wording' as const };
    const answered = draftOf(`${tea.text} ${milk.text}`, [{ ...tea, verdict: verdict('supported') }, loose]);
    expect(finalizeAnswer(answered)).toEqual(answered);
  });

  it('removes items of numbered lists and rows of tables as a whole', () => {
    const row = { ...milk, text: '| Milk | harms [@P2] |', plain: 'Milk; harms' };
    const listed = draftOf(`1. ${milk.text}\n2. ${tea.text}`, [milk, tea]);
    expect(settled(listed, 'unsupported', 'supported').markdown).toBe(`2. ${tea.text}`);
    const table = draftOf(`${tea.text}\n\n| What | How |\n| --- | --- |\n${row.text}`, [tea, row]);
    expect(settled(table, 'supported', 'unsupported').markdown).toBe(tea.text);
    expect(settled(table, 'inference', 'inference').markdown).toContain(`(inference).\n\n| What`);
    expect(settled(table, 'inference', 'inference').markdown.endsWith(row.text)).toBe(true);
  });

  it('removes a heading without text', () => {
    expect(settled(draftOf(`### Milk\n\n${milk.text}`, [milk]), 'unsupported').markdown).toBe('');
  });

  it('keeps an opening sentence without citations above sentences that cite, and not alone', () => {
    const words = 'Tea helps, and milk harms.';
    const opening = { text: words, plain: words, passageIds: [] };
    const answered = draftOf(`${opening.text}\n\n${milk.text}`, [opening, milk]);
    const both = settled(answered, 'inference', 'supported');
    expect(both.markdown).toBe(answered.markdown);
    const alone = settled(answered, 'supported', 'unsupported');
    expect(alone).toMatchObject({ markdown: '', sentences: [] });
  });

  it('prefers the text with more supported claims, then with fewer set aside', () => {
    const both = draftOf(`${tea.text} ${milk.text}`, [tea, milk]);
    const oneOfTwo = settled(both, 'supported', 'partial');
    const one = settled(draftOf(tea.text, [tea]), 'supported');
    const two = settled(both, 'supported', 'supported');
    expect(betterAnswer(oneOfTwo, one)).toBe(one);
    expect(betterAnswer(one, oneOfTwo)).toBe(one);
    expect(betterAnswer(one, two)).toBe(two);
    // As good as the one before it, and written with more than that had.
    const again = { ...one };
    expect(betterAnswer(one, again)).toBe(again);
  });

  it('asideBySources gives source ids and offsets', () => {
    const passages = [passage(2, 'milk', { start: 100 })];
    const milkHarms = { text: 'Milk harms.', sourceIds: ['P2'], action: 'left-out' as const };
    const aside = { ...verdict('partial'), ...milkHarms };
    expect(rejectedClaimInSources(aside, passages)).toEqual({
      ...aside,
      sourceIds: ['milk'],
      evidence: { sourceId: 'milk', quote: 'told', start: 103, end: 107 },
    });
  });
});

describe('decideNext', () => {
  const AUDITED = { claims: 3, supported: 3, needsRetry: false, isSufficient: true };

  const FACTS: AttemptState = {
    attempt: 1,
    maxAttempts: 3,
    isBroadened: false,
    canBroaden: true,
    canRewrite: true,
    isOverCompressed: false,
    audited: AUDITED,
  };

  const WRONG = { ...AUDITED, supported: 2, needsRetry: true };
  const BOTH = { ...WRONG, isSufficient: false };
  const LACKING = { ...AUDITED, isSufficient: false };

  it.each<[string, Partial<AttemptState>, string, RegExp]>([
    ['everything is supported', {}, 'end', /supported/],
    ['a claim is wrong', { audited: WRONG }, 'rewrite', /not supported/],
    ['a claim is wrong and much is missing', { audited: BOTH }, 'rewrite', /not supported/],
    ['a claim is wrong in the last attempt', { audited: WRONG, attempt: 3 }, 'end', /no attempt/],
    [
      'a claim is wrong and the same would be written',
      { audited: WRONG, canRewrite: false },
      'end',
      /same again/,
    ],
    ['something is missing', { audited: LACKING }, 'broaden', /not say enough/],
    ['something is missing after a broader look', { audited: LACKING, isBroadened: true }, 'end', /no more/],
    ['something is missing, and there is no more', { audited: LACKING, canBroaden: false }, 'end', /no more/],
    ['something is missing in the last attempt', { audited: LACKING, attempt: 3 }, 'end', /no attempt/],
    ['no claim stands', { audited: { ...AUDITED, claims: 1, supported: 0 } }, 'broaden', /not say enough/],
    ['nothing was found to write from', { audited: null }, 'broaden', /not say enough/],
  ])('decides where %s', (_name, given, decision, reason) => {
    const next = decideNext({ ...FACTS, ...given });
    expect(next).toEqual({ decision, reason: expect.stringMatching(reason) as string });
  });

  describe('decideBeforeCritic', () => {
    const facts = { ...FACTS, isOverCompressed: true, audited: null };

    it('broadens the retrieval where the context was over-compressed', () => {
      const reason = 'the evidence was over-compressed';
      expect(decideBeforeCritic(facts)).toEqual({ decision: 'broaden', reason });
    });

    it.each<[string, Partial<AttemptState>]>([
      ['it was asked for before', { isBroadened: true }],
      ['no attempt is left for it', { attempt: 3 }],
      ['there is no more to look through', { canBroaden: false }],
      ['it was not compressed too much', { isOverCompressed: false }],
    ])('returns null where %s', (_name, given) => {
      expect(decideBeforeCritic({ ...facts, ...given })).toBeNull();
    });
  });
});

describe('critiqueForPassages', () => {
  const claim = (given: Partial<CriticisedClaim>): CriticisedClaim => ({
    text: 'Tea helps.',
    sourceIds: [],
    verdict: 'unsupported',
    code: 'critic',
    reason: 'Nothing says so.',
    evidence: null,
    probability: 0.1,
    ...given,
  });

  const critiqueOf = (
    unsupportedClaims: CriticisedClaim[],
    conflictingEvidence: CriticisedClaim[] = [],
  ): Critique => ({
    needsRetry: true,
    hallucinationDetected: true,
    unsupportedClaims,
    logicalGaps: ['Nothing is said of milk.'],
    conflictingEvidence,
    missingCitations: [],
  });

  const before = [passage(1, 'tea'), passage(2, 'tea', { start: 100 }), passage(3, 'milk')];
  const now = [passage(1, 'water'), passage(2, 'milk'), passage(3, 'tea', { start: 100 })];

  it('renumbers passages', () => {
    const evidence = { sourceId: 'P2', quote: 'What', start: 0, end: 4 };
    const told = critiqueOf(
      [claim({ sourceIds: ['P2', 'P3'], betterSourceId: 'P3', evidence })],
      [claim({ sourceIds: ['P3'], verdict: 'contradicted' })],
    );
    const retold = critiqueForPassages(told, { of: before, now });
    expect(retold.unsupportedClaims).toEqual([
      claim({ sourceIds: ['P3', 'P2'], betterSourceId: 'P2', evidence: { ...evidence, sourceId: 'P3' } }),
    ]);
    expect(retold.conflictingEvidence[0]?.sourceIds).toEqual(['P2']);
    expect(retold.logicalGaps).toEqual(told.logicalGaps);
  });

  it('drops passages that are no longer read', () => {
    const evidence = { sourceId: 'P1', quote: 'What', start: 0, end: 4 };
    const told = critiqueOf([claim({ sourceIds: ['P1'], betterSourceId: 'P1', evidence })]);
    expect(critiqueForPassages(told, { of: before, now }).unsupportedClaims).toEqual([claim({})]);
  });

  it('replaces source ids of a given critique by passages', () => {
    const told = critiqueOf([claim({ sourceIds: ['tea', 'P2', 'elsewhere'] })]);
    const retold = critiqueForPassages(told, { of: null, now: before });
    expect(retold.unsupportedClaims[0]?.sourceIds).toEqual(['P1', 'P2']);
  });
});

describe('telemetry', () => {
  const measured = (originalContextChars: number, compressedContextChars: number): AnswerMetrics =>
    answerMetrics({
      originalContextChars,
      compressedContextChars,
      compressionLatencyMs: 621,
      markdown: 'A [@P1; @P2]. B [@P1].',
    });

  it('has document 004’s six metrics', () => {
    expect(AnswerMetrics.parse(measured(8_000, 4_000))).toEqual({
      originalContextChars: 8_000,
      compressedContextChars: 4_000,
      compressionRatio: 0.5,
      citationCount: 3,
      answerLength: 22,
      compressionLatencyMs: 621,
    });
    expect(measured(0, 0).compressionRatio).toBe(1);
  });

  it('has document 004’s nine fields', () => {
    const written = { attempt: 1, durationMs: 1854, overCompression: false };
    const entry = synthesizerEntry(measured(7_840, 5_000), written);
    expect(AnswerTelemetry.parse(entry)).toEqual({
      node: 'synthesizer',
      retry_count: 0,
      context_chars: 7_840,
      context_compressed: true,
      compression_latency_ms: 621,
      answer_length: 22,
      citations: 3,
      duration_ms: 1854,
      over_compression_flag: false,
    });
  });

  test.each([
    [10_000, 3_499, true],
    [10_000, 3_500, false],
    [10_000, 10_000, false],
    [0, 0, false],
  ])('of %d characters with %d left, over-compressed is %p', (original, compressed, expected) => {
    expect(isOverCompressed(measured(original, compressed), 0.35)).toBe(expected);
  });
});

describe('answerStatistics', () => {
  function answered(
    synthesisMode: boolean,
    documents: number,
    multi: boolean[],
    latencyMs: number,
  ): CountedAnswer {
    const citations = multi.map((multiSource, at) => ({ ...passage(at + 1, 's'), n: at + 1, multiSource }));
    const outcome = multi.length === 0 ? 'insufficient' : 'answered';
    return { outcome, synthesisMode, sourceDocumentCount: documents, citations, confidence: 0.8, latencyMs };
  }

  it('counts answers, documents and multi-source citations', async () => {
    const statistics = await answerStatistics([
      answered(true, 3, [true, true, false, false], 100),
      answered(true, 2, [false], 300),
      answered(false, 9, [true], 200),
      answered(false, 0, [], 1_000),
    ]);
    expect(AnswerStatistics.parse(statistics)).toEqual({
      answers: 4,
      byOutcome: { answered: 3, insufficient: 1 },
      synthesis: { answers: 2, activationRate: 0.5, meanDocuments: 2.5, multiSourceShare: 0.4 },
      meanConfidence: 0.8,
      medianLatencyMs: 250,
    });
  });

  it('returns null shares without answers', async () => {
    expect(AnswerStatistics.parse(await answerStatistics([]))).toEqual({
      answers: 0,
      byOutcome: {},
      synthesis: { answers: 0, activationRate: null, meanDocuments: null, multiSourceShare: null },
      meanConfidence: null,
      medianLatencyMs: null,
    });
  });
});
