import { toAgentState } from '../../src/answers/to-agent-state';
import { writeFallback, writeReply, type Reply } from '../../src/answers/write-reply';
import { claim, draft, passage } from './passages';

/** Document 001's own unit tests: what its agent leaves in the state after these observations. */
function replyTo(observations: string[], finalOutput: string): Reply {
  const passages = finalOutput === '' ? [] : [passage(1, 'final-output', { text: finalOutput })];
  const own = passages.map(({ text, id }) => claim(`${text} [@${id}]`));
  return writeReply({
    question: 'What is DAIL-SQL?',
    draft: own.length === 0 ? null : draft(own),
    passages,
    documents: passages.length,
    answerable: passages.length,
    answeredFrom: 0.4,
    overCompression: false,
    disputed: 0,
    observations: observations.length,
    settings: { citations: 'numbered', disclaimerBelow: 0.5 },
  });
}

const question = 'What is DAIL-SQL?';
const messages = [{ role: 'human' as const, content: question }];

test('test_synthesis_with_observations', () => {
  const reply = replyTo(['Used tool: pdf_retrieval'], 'DAIL-SQL is a text-to-SQL approach...');
  const state = toAgentState({ ...reply, question }, messages);
  expect(state).toMatchObject({ last_agent: 'synthesis', next_agent: 'END', confidence_score: 0.6 });
  expect(state.final_answer).not.toBe('');
  expect(state.messages).toEqual([...messages, { role: 'ai', content: state.final_answer }]);
});

test('test_synthesis_no_observations', () => {
  const state = toAgentState({ ...replyTo([], ''), question }, messages);
  expect(state.confidence_score).toBe(0);
  expect(state.final_answer.toLowerCase()).toContain("couldn't find");
});

test('test_synthesis_multi_observations', () => {
  const reply = replyTo(['Used tool: pdf_retrieval', 'Used tool: web_search'], 'Combined results...');
  expect(toAgentState({ ...reply, question }, messages).confidence_score).toBe(0.8);
});

test('a failure leaves the final output, and confidence 0', () => {
  const reply = { ...writeFallback('What the agent said.'), evidenceConfidence: 0.8, question };
  const state = toAgentState(reply);
  const final_answer = 'What the agent said.';
  expect(state).toMatchObject({ final_answer, confidence_score: 0, next_agent: 'END' });
  expect(state.messages).toEqual([...messages, { role: 'ai', content: final_answer }]);
});
