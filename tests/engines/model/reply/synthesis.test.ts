import { answers } from '../../../model-server/behaviours';
import { closeEngines, promptText } from '../engine-under-test';
import { answerInput } from './passages';
import { written } from './written-reply';

afterEach(closeEngines);

/** In synthesis mode the passages of `women.pdf` are 1 and 2, those of `older-adults.pdf` 3 and 4. */
const input = (): ReturnType<typeof answerInput> => answerInput({ synthesisMode: true, maxTokens: 600 });

const ANSWER = `Vitamin D raised bone mineral density in women and in older adults [1, 3].

### Bone mineral density

Several documents report a rise in bone mineral density with vitamin D [1, 3]. It did not differ from placebo in men [4].

### Falls

Yearly high-dose vitamin D led to 15% more falls than placebo [5].`;

const IDS = [['P1', 'P2'], ['P1', 'P2'], ['P4'], ['P5']];

const NOTES = [
  'Bone mineral density; falls.',
  'Women rose [1]; men did not [4].',
  'Agree for women; differ for men.',
];

const LINES = NOTES.join('\n');
const COUNTED = NOTES.map((note, at) => `${at + 1}. ${note}`);

test.each(
  Object.entries({
    'as asked': `<think>${LINES}</think>\nANSWER:\n${ANSWER}`,
    'as asked, with blank lines': `<think>\n${NOTES.join('\n\n')}\n</think>\n\nANSWER:\n\n${ANSWER}`,
    'without tags': `${LINES}\n\nANSWER:\n\n${ANSWER}`,
    'with a heading': `## Reasoning\n\n${LINES}\n\n## Answer\n\n${ANSWER}`,
    'with bold words': `**Reasoning:** ${NOTES.join(' ')}\n\n**Final answer:**\n${ANSWER}`,
    'in tags of its own': `<reasoning>\n${LINES}\n</reasoning>\n<answer>\n${ANSWER}\n</answer>\nDone [1].`,
    'after the end of thinking alone': `${LINES}\n</think>\n${ANSWER}`,
    'as counted steps': `${COUNTED.join('\n')}\n4. Answer by subtopics:\n\n${ANSWER}`,
    'as headings of steps': `### Step 1: Main subtopics\n${NOTES[0]}\n\n### Step 2: What each document says\n- ${NOTES[1]}\n\n### Step 3: Agree and differ\n- ${NOTES[2]}\n\n### Step 4: Answer by subtopics with citations\n\n${ANSWER}`,
    'as labels, without a last one': `**Subtopics:** ${NOTES[0]}\n**Each document says:** ${NOTES[1]}\n**Where documents agree and differ:** ${NOTES[2]}\n\n${ANSWER}`,
    'not at all': ANSWER,
  }),
)('what a model thinks first never stands in the answer: %s', async (_how, text) => {
  const { output, warnings, server } = await written([answers(text)], input());
  expect(output.sentences.map(({ passageIds }) => passageIds)).toEqual(IDS);
  expect(output.markdown).not.toMatch(/Women rose|Agree for|Reasoning|Step|Done|think/i);
  expect(output.markdown.startsWith('Vitamin D raised bone mineral density')).toBe(true);
  expect(output.uncited).toEqual([]);
  expect(warnings).toEqual([]);
  expect(server.asked).toHaveLength(1);
});

test('beside the text, as reasoning models send it, nothing of it is read', async () => {
  const { output } = await written([answers(ANSWER, { reasoning: NOTES.join(' ') })], input());
  expect(output.sentences.map(({ passageIds }) => passageIds)).toEqual(IDS);
});

test('after the line the answer is streamed paragraph by paragraph, and nothing before it', async () => {
  const { chunks } = await written([answers(`${LINES}\nANSWER:\n${ANSWER}`)], input());
  expect(chunks.length).toBeGreaterThanOrEqual(3);
  expect(chunks[0]).toMatch(/^Vitamin D raised/);
});

test('notes that take all of the tokens are no answer: it is asked for alone', async () => {
  const notes = answers(`<think>${LINES}`, { finishReason: 'length' });
  const { output, server } = await written([notes, answers(ANSWER)], input());
  expect(output.sentences.map(({ passageIds }) => passageIds)).toEqual(IDS);
  // It is told what is wrong, and nothing of the notes.
  expect(promptText(server.asked[1])).not.toBe(promptText(server.asked[0]));
  for (const note of NOTES) expect(promptText(server.asked[1])).not.toContain(note);
});

test('a mended answer loses its notes as well', async () => {
  const wrong = answers('Vitamin D raised bone mineral density [17].');
  const { output } = await written([wrong, answers(`${LINES}\n\nANSWER:\n\n${ANSWER}`)], input());
  expect(output.sentences.map(({ passageIds }) => passageIds)).toEqual(IDS);
});

test('an answer that counts its own points keeps them', async () => {
  const points = `1. Bone mineral density rose in women [1].\n2. Fractures fell in women [2].\n3. Bone mineral density increased in adults over 70 [3].\n4. It did not differ in men [4].`;
  const { output } = await written([answers(points)], input());
  expect(output.sentences).toHaveLength(4);
});
