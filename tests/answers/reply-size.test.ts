import { AnswerSettings } from '../../src/contracts/answer/answer-settings';
import { writeReply } from '../../src/answers/write-reply';
import { buildCorpusIndex } from '../../src/retrieval/corpus-index';
import { retrievePassages } from '../../src/retrieval/retrieve';
import { readObservations } from '../../src/sources/observations/read-observations';
import { quoted } from '../support/findings';
import { claim, draft, SUPPORTED } from './passages';

const TEMPORAL_TAKES_BYTES = 2_000_000;
/** A table that came as one line, of which no sentence ever ends. */
const ONE_LINE = Array.from({ length: 5_000 }, (_, at) => `血压 blood pressure tea ${at}`).join(' | ');
const QUESTION = 'Does tea lower blood pressure?';
const { broaderPassages, ...settings } = AnswerSettings.parse({});

it('fits into one reply whatever the sources are like', async () => {
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
