import { writeFallback, writeReply, type ReplyMaterial } from '../../src/answers/write-reply';
import { activeNodes } from '../support/active-nodes';
import { claim, draft, passage, SUPPORTED } from './passages';

const PASSAGES = [passage(1, 'a', { document: 'a.pdf' }), passage(2, 'b'), passage(3, 'c')];
const MATERIAL: ReplyMaterial = {
  question: 'What is it?',
  draft: draft([claim('It is this [@P1].'), claim('And that [@P2].')]),
  passages: PASSAGES,
  documents: 3,
  answerable: 0.9,
  answeredFrom: 0.4,
  overCompression: false,
  disputed: 0,
  observations: 1,
  settings: { citations: 'numbered', disclaimerBelow: 0.5 },
};
const NOT_SO = { text: 'Not so.', sourceIds: ['P1'], action: 'left-out' as const };
const SET_ASIDE = { ...SUPPORTED, verdict: 'unsupported' as const, ...NOT_SO };
const DISCLAIMER = 'Note: This answer is based on limited evidence. Please verify with additional sources.';

it('answers where claims stand', () => {
  const reply = writeReply(MATERIAL);
  expect(reply).toMatchObject({
    outcome: 'answered',
    answer: 'It is this [1]. And that [2].',
    confidence: 0.9,
    confidenceMeaning: 'multiple sources',
    evidenceConfidence: 0.6,
    disclaimer: null,
    synthesisMode: false,
    sourceDocumentCount: 3,
  });
});

it('says what is wrong with each statement that was left out, and says none of them again', () => {
  const setAside = (['unsupported', 'contradicted', 'unsupported', 'unchecked', 'partial'] as const).map(
    (verdict) => ({ ...SET_ASIDE, verdict }),
  );
  const own = draft([claim('It is this [@P1].')], { setAside });
  expect(writeReply({ ...MATERIAL, draft: own }).answer).toContain(
    '5 statements were left out: 2 that the cited sources do not say, 1 that the cited sources contradict, 1 that could not be checked against the cited sources, 1 that the cited sources say only in part.',
  );
});

it('says what was left out and what the sources do not answer, and moves no claim by it', () => {
  const setAside = [SET_ASIDE, SET_ASIDE];
  const own = draft([claim('It is this [@P1].')], { setAside, missing: 'Nothing on its <b>age</b>.' });
  const { answer, claims, confidence } = writeReply({ ...MATERIAL, draft: own });
  expect(answer).toBe(
    `It is this [1].\n\nNot answered by the sources: Nothing on its \\<b>age\\</b>.\n\n2 statements were left out that the cited sources do not say.\n\n${DISCLAIMER}`,
  );
  expect(confidence).toBe(0.3);
  for (const { text, start, end } of claims) expect(answer.slice(start, end)).toBe(text);
});

it('carries document 001’s disclaimer below the bar, and not at it', () => {
  const weak = { ...MATERIAL, answerable: 0.3, draft: draft([claim('It is this [@P1].')]) };
  const { confidence, disclaimer, answer } = writeReply(weak);
  expect({ confidence, disclaimer }).toEqual({ confidence: 0.3, disclaimer: DISCLAIMER });
  expect(answer.endsWith(`\n\n${DISCLAIMER}`)).toBe(true);
  const settings = { ...MATERIAL.settings, disclaimerBelow: 0.3 };
  expect(writeReply({ ...weak, settings }).disclaimer).toBeNull();
});

it('says what is missing, what comes nearest and how to ask better where nothing answers', () => {
  const none = draft([], { missing: 'The passages are on walking.' });
  const reply = writeReply({ ...MATERIAL, draft: none, question: 'What of [x](https://evil.example)?' });
  expect(reply).toMatchObject({ outcome: 'insufficient', confidence: 0, confidenceMeaning: 'no sources' });
  expect(reply.citations).toEqual([]);
  expect(reply.answer).toContain("couldn't find information about");
  expect(reply.answer).toContain('in the 3 sources that I looked in.');
  expect(reply.answer).toContain('The passages are on walking.');
  expect(reply.answer).toContain('Nearest to it, and no answer, are: a.pdf; b; c.');
  expect(reply.answer.match(/^\d\. /gm)).toHaveLength(3);
  expect(activeNodes(reply.answer)).toEqual([]);
});

it('names each of the nearest once, and no more of a long name than tells it from others', () => {
  const long = `A trial of ${'very '.repeat(40)}long walks`;
  const nearest = [passage(1, 'a', { document: 'Tea and sleep' }), passage(2, 'b', { document: long })];
  const none = draft([], { missing: 'The nearest is “Tea and sleep”.' });
  const { answer } = writeReply({ ...MATERIAL, passages: nearest, draft: none });
  expect(answer.match(/Tea and sleep/g)).toHaveLength(1);
  expect(answer).toMatch(/^Also near, and no answer either, is: A trial of [very ]{50,100}…\.$/m);
});

it('says that there was nothing to look in', () => {
  const reply = writeReply({ ...MATERIAL, draft: null, passages: [], documents: 0, observations: 0 });
  expect(reply).toMatchObject({ outcome: 'insufficient', confidence: 0, evidenceConfidence: 0 });
  expect(reply.answer).toContain("couldn't find");
  expect(reply.answer).toContain('there was nothing to look in');
  expect(reply.answer).not.toContain('Nearest');
  expect(reply.answer).not.toContain('other words');
  expect(reply.answer).toContain('Give sources or observations');
});

it('gives no more of a final output than a reply can hold', () => {
  const { answer, confidenceMeaning } = writeFallback('所有这些 '.repeat(200_000));
  expect(Buffer.byteLength(answer)).toBeLessThan(1_000_000);
  expect(answer).toMatch(/所有这些…$/);
  expect(confidenceMeaning).toContain('unchecked');
});

it('falls back on what the caller has, else on a plain message, with confidence 0', () => {
  const own = writeFallback('What the *agent* said.');
  expect(own).toMatchObject({ outcome: 'fallback', answer: 'What the *agent* said.', confidence: 0 });
  expect(own.confidenceMeaning).toContain('unchecked');
  for (const nothing of [undefined, '', ' \n']) {
    const plain = writeFallback(nothing);
    expect(plain).toMatchObject({ outcome: 'fallback', confidence: 0, evidenceConfidence: 0 });
    expect(plain.answer).toContain('error');
  }
});
