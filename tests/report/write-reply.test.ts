import fc from 'fast-check';
import { AnswerSettings } from '../../src/contracts/run-settings';
import {
  answerConfidence,
  type ConfidenceGrounds,
  confidenceLine,
  confidenceMeaning,
  supportingDocuments,
} from '../../src/report/answer-confidence';
import { toAgentState } from '../../src/report/answer-state';
import {
  evidenceConfidence,
  evidencePieces,
  type ReplyMaterial,
  writeFallback,
  writeReply,
} from '../../src/report/write-reply';
import { readObservations } from '../../src/sources/observations';
import { buildCorpusIndex } from '../../src/text/corpus-index';
import { retrievePassages } from '../../src/text/retrieval';
import { activeNodes } from '../support/active-nodes';
import { quoted } from '../support/findings';
import { claim, draft, passage, SUPPORTED } from './passages';

describe('writeReply', () => {
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

  it('returns an answer with confidence', () => {
    const reply = writeReply(MATERIAL);
    expect(reply).toMatchObject({
      outcome: 'answered',
      answer: 'It is this [1]. And that [2].',
      confidence: 0.6,
      confidenceMeaning: 'multiple sources',
      evidenceConfidence: 0.6,
      disclaimer: null,
      synthesisMode: false,
      sourceDocumentCount: 3,
    });
  });

  it('counts the omitted statements by reason', () => {
    const setAside = (['unsupported', 'contradicted', 'unsupported', 'unchecked', 'partial'] as const).map(
      (verdict) => ({ ...SET_ASIDE, verdict }),
    );
    const own = draft([claim('It is this [@P1].')], { setAside });
    expect(writeReply({ ...MATERIAL, draft: own }).answer).toContain(
      '5 statements were left out: 2 that the cited sources do not say, 1 that the cited sources contradict, 1 that could not be checked against the cited sources, 1 that the cited sources say only in part.',
    );
  });

  it('adds what is missing and omitted behind the claims', () => {
    const setAside = [SET_ASIDE, SET_ASIDE];
    const own = draft([claim('It is this [@P1].')], { setAside, missing: 'Nothing on its <b>age</b>.' });
    const { answer, claims, confidence } = writeReply({ ...MATERIAL, draft: own });
    expect(answer).toBe(
      'It is this [1].\n\nNot answered by the sources: Nothing on its \\<b>age\\</b>.\n\n2 statements were left out that the cited sources do not say.',
    );
    expect(confidence).toBe(0.6);
    for (const { text, start, end } of claims) expect(answer.slice(start, end)).toBe(text);
  });

  it('is as sure of its claims where it says what is missing', () => {
    const claims = [claim('It is this [@P1].')];
    const sure = writeReply({ ...MATERIAL, draft: draft(claims, { missing: 'Nothing on its age.' }) });
    const {
      confidence,
      confidenceMeaning: meaning,
      disclaimer,
    } = writeReply({ ...MATERIAL, draft: draft(claims) });
    expect(sure).toMatchObject({ confidence, confidenceMeaning: meaning, disclaimer });
    expect(disclaimer).toBeNull();
  });

  it('says of an opening sentence without citations what it rests on', () => {
    const opening = { ...claim('It is this and that.'), passageIds: ['P1', 'P2', 'P3'] };
    const { claims, answer, citations } = writeReply({
      ...MATERIAL,
      draft: draft([opening, claim('It is this [@P2].'), claim('And that [@P1].')]),
    });
    expect(answer).toBe('It is this and that. It is this [1]. And that [2].');
    expect(claims.map((one) => one.citations)).toEqual([[1, 2], [1], [2]]);
    expect(citations).toHaveLength(2);
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
    expect(reply.answer).toContain('Nearest to it: a.pdf; b; c.');
    expect(reply.answer.match(/^\d\. /gm)).toHaveLength(3);
    expect(activeNodes(reply.answer)).toEqual([]);
  });

  it('names each near source once, and cuts long names', () => {
    const long = `A trial of ${'very '.repeat(40)}long walks`;
    const nearest = [passage(1, 'a', { document: 'Tea and sleep' }), passage(2, 'b', { document: long })];
    const none = draft([], { missing: 'The nearest is “Tea and sleep”.' });
    const { answer } = writeReply({ ...MATERIAL, passages: nearest, draft: none });
    expect(answer.match(/Tea and sleep/g)).toHaveLength(1);
    expect(answer).toMatch(/^Also near: A trial of [very ]{50,100}…\.$/m);
  });

  it('says that there were no sources', () => {
    const reply = writeReply({ ...MATERIAL, draft: null, passages: [], documents: 0, observations: 0 });
    expect(reply).toMatchObject({ outcome: 'insufficient', confidence: 0, evidenceConfidence: 0 });
    expect(reply.answer).toContain("couldn't find");
    expect(reply.answer).toContain('there was nothing to look in');
    expect(reply.answer).not.toContain('Nearest');
    expect(reply.answer).not.toContain('other words');
    expect(reply.answer).toContain('Give sources or observations');
  });

  it('writeFallback cuts a final output that is too long', () => {
    const { answer, confidenceMeaning } = writeFallback('所有这些 '.repeat(200_000));
    expect(Buffer.byteLength(answer)).toBeLessThan(1_000_000);
    expect(answer).toMatch(/所有这些…$/);
    expect(confidenceMeaning).toContain('unchecked');
  });

  it('writeFallback returns the final output or a plain message, with confidence 0', () => {
    const own = writeFallback('What the *agent* said.');
    expect(own).toMatchObject({ outcome: 'fallback', answer: 'What the *agent* said.', confidence: 0 });
    expect(own.confidenceMeaning).toContain('unchecked');
    for (const nothing of [undefined, '', ' \n']) {
      const plain = writeFallback(nothing);
      expect(plain).toMatchObject({ outcome: 'fallback', confidence: 0, evidenceConfidence: 0 });
      expect(plain.answer).toContain('error');
    }
  });
});

describe('the size of a reply', () => {
  const TEMPORAL_TAKES_BYTES = 2_000_000;

  /** A table that came as one line, of which no sentence ever ends. */
  const ONE_LINE = Array.from({ length: 1_500 }, (_, at) => `血压 blood pressure tea ${at}`).join(' | ');

  const QUESTION = 'Does tea lower blood pressure?';
  const { broaderPassages, ...settings } = AnswerSettings.parse({});

  it('is below the limit of Temporal for sources without sentences', async () => {
    const corpus = Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`s${at}`, `${at} ${ONE_LINE}`]));
    const entries = Object.entries(corpus);
    const index = buildCorpusIndex(
      entries.map(([id, content]) => ({ entry: { id, title: id, url: null }, content })),
    );
    const { passages: given } = readObservations([ONE_LINE], ONE_LINE);
    const textOf = (id: string): string | undefined => corpus[id];
    const asked = { question: QUESTION, index, textOf, given: given.slice(0, 20), most: broaderPassages };
    const { passages, answerable } = await retrievePassages(asked);
    expect(passages.length).toBeGreaterThan(10);
    const sentences = passages.map(({ id, text }) =>
      claim(`${text} [@${id}].`, { ...SUPPORTED, evidence: quoted(id, text) }),
    );
    const reply = writeReply({
      question: QUESTION,
      draft: draft(sentences, { markdown: sentences.map(({ text }) => text).join('\n\n') }),
      passages,
      answerable,
      settings,
      documents: 4,
      observations: 2,
      answeredFrom: 0.4,
      overCompression: false,
      disputed: 0,
    });
    expect(reply.citations).toHaveLength(passages.length);
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThan(TEMPORAL_TAKES_BYTES / 2);
  });
});

describe('tests of document 001', () => {
  const question = 'What is DAIL-SQL?';
  const messages = [{ role: 'human' as const, content: question }];

  test('a failure leaves the final output, and confidence 0', () => {
    const reply = { ...writeFallback('What the agent said.'), question };
    const state = toAgentState(reply);
    const final_answer = 'What the agent said.';
    expect(state).toMatchObject({ final_answer, confidence_score: 0, next_agent: 'END' });
    expect(state.messages).toEqual([...messages, { role: 'ai', content: final_answer }]);
  });
});

describe('confidence', () => {
  describe('document 001: the confidence of observations', () => {
    test.each([
      [0, 0],
      [1, 0.6],
      [2, 0.8],
      [3, 0.95],
    ])('%d observations', (observations, expected) => {
      expect(evidenceConfidence(observations)).toBe(expected);
    });

    it('counts distinct cited documents without observations', () => {
      const cited = [{ sourceId: 'a' }, { sourceId: 'b' }, { sourceId: 'a' }];
      expect(evidencePieces(0, cited, 2)).toBe(2);
      expect(evidencePieces(1, cited, 2)).toBe(1);
      expect(evidencePieces(0, [], 0)).toBe(0);
    });

    it('counts observations of which one document alone bears the reply as one, and none where nothing answers', () => {
      const cited = [{ sourceId: 'a' }, { sourceId: 'b' }];
      expect(evidencePieces(3, cited, 2)).toBe(3);
      expect(evidencePieces(3, cited, 1)).toBe(1);
      expect(evidencePieces(3, [], 0)).toBe(0);
    });
  });

  const GOOD: ConfidenceGrounds = {
    documents: 1,
    claims: 4,
    supported: 4,
    disputed: 0,
    setAside: 0,
    overCompression: false,
    answerable: 0.9,
    answeredFrom: 0.4,
  };

  describe('the confidence of an answer', () => {
    test.each([
      [{}, 0.9],
      [{ documents: 9 }, 0.9],
      [{ answerable: 1 }, 0.95],
      [{ documents: 0, claims: 0, supported: 0 }, 0],
      [{ documents: 0 }, 0],
      [{ supported: 2 }, 0.45],
      [{ setAside: 4 }, 0.68],
      [{ disputed: 2 }, 0.6],
      [{ disputed: 2, answerable: 0.3 }, 0.3],
      [{ overCompression: true }, 0.81],
      [{ documents: 2, answerable: 0 }, 0],
      [{ documents: 2, answerable: 0.2 }, 0.2],
    ])('%p', (change, expected) => {
      expect(answerConfidence({ ...GOOD, ...change })).toBe(expected);
    });

    const grounds = fc
      .record({
        documents: fc.nat({ max: 6 }),
        supported: fc.nat({ max: 6 }),
        open: fc.nat({ max: 6 }),
        setAside: fc.nat({ max: 6 }),
        overCompression: fc.boolean(),
        answerable: fc.float({ min: 0, max: 1, noNaN: true }),
      })
      .map(({ open, ...rest }) => ({ ...GOOD, ...rest, claims: rest.supported + open }));

    it('is monotonic', () => {
      fc.assert(
        fc.property(grounds, (given) => {
          const own = answerConfidence(given);
          const better = [
            { ...given, documents: given.documents + 1 },
            { ...given, claims: given.claims + 1, supported: given.supported + 1 },
            { ...given, answerable: Math.min(1, given.answerable + 0.1) },
            { ...given, overCompression: false },
          ];
          const worse = [
            { ...given, claims: given.claims + 1 },
            { ...given, setAside: given.setAside + 1 },
            { ...given, disputed: 2 },
            { ...given, overCompression: true },
          ];
          for (const other of better) expect(answerConfidence(other)).toBeGreaterThanOrEqual(own);
          for (const other of given.claims === 0 ? [] : worse)
            expect(answerConfidence(other)).toBeLessThanOrEqual(own);
          expect(own).toBeGreaterThanOrEqual(0);
          expect(own).toBeLessThanOrEqual(0.95);
        }),
      );
    });

    it('counts documents of supported claims, parts of one work once', () => {
      const claims = [
        { verdict: 'supported' as const, citations: [1, 2] },
        { verdict: 'supported' as const, citations: [3] },
        { verdict: 'unsupported' as const, citations: [4] },
      ];
      const citations = [
        { n: 1, sourceId: 'a', origin: 'text' as const },
        { n: 2, sourceId: 'copy-of-a', origin: 'text' as const },
        { n: 3, sourceId: 'g', origin: 'graph' as const },
        { n: 4, sourceId: 'd', origin: 'text' as const },
      ];
      expect(supportingDocuments(claims, citations)).toBe(2);
      const work = { id: 'work:w', title: 'W' };
      expect(
        supportingDocuments(
          claims,
          citations.map((one) => ({ ...one, work })),
        ),
      ).toBe(1);
    });
  });

  describe('what a confidence means', () => {
    test.each([
      [0, { claims: 0, supported: 0 }, 'no sources'],
      [1, {}, 'single source'],
      [2, {}, 'multiple sources'],
      [1, { setAside: 1 }, 'single source; 1 of 5 claims did not stand and was left out'],
      [2, { supported: 3 }, 'multiple sources; 1 of 4 claims is not confirmed'],
      [2, { disputed: 2 }, 'multiple sources; sources contradict each other on 2 of 4 claims'],
      [2, { overCompression: true }, 'multiple sources; much of the context was shortened'],
      [1, { answerable: 0.1 }, 'single source; what was searched hardly bears on the question'],
    ])('of %d pieces of evidence %p', (pieces, change, expected) => {
      expect(confidenceMeaning({ ...GOOD, documents: pieces, ...change })).toBe(expected);
    });

    test.each([
      [0.6, 'single source', 'Confidence: 0.6 (single source)'],
      [0, 'no sources', 'Confidence: 0.0 (no sources)'],
      [0.53, 'x', 'Confidence: 0.53 (x)'],
    ])('is shown as %d (%s)', (confidence, meaning, expected) => {
      expect(confidenceLine({ confidence, confidenceMeaning: meaning })).toBe(expected);
    });
  });
});
