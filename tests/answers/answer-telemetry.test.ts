import {
  AnswerMetrics,
  AnswerTelemetry,
  AnswerTraceEntry,
} from '../../src/contracts/answer/answer-telemetry';
import {
  answerMetrics,
  criticEntry,
  isOverCompressed,
  synthesizerEntry,
} from '../../src/answers/answer-telemetry';

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
])('of %d characters %d are left: over-compressed is %p', (original, compressed, expected) => {
  expect(isOverCompressed(measured(original, compressed), 0.35)).toBe(expected);
});

it('tells of an audit in the trace', () => {
  const critique = {
    needsRetry: true,
    hallucinationDetected: true,
    unsupportedClaims: [],
    logicalGaps: ['One.'],
    conflictingEvidence: [],
    missingCitations: [],
  };
  const audited = criticEntry(critique, { attempt: 1, claims: 4, supported: 3, setAside: 1, durationMs: 5 });
  expect(AnswerTraceEntry.parse(audited)).toMatchObject({ logical_gaps: 1, set_aside: 1, needs_retry: true });
});
