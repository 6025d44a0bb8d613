import fc from 'fast-check';
import { AnswerNotJsonError, jsonFromAnswer } from '../../../src/engines/model/json/json-answer';
import type { FinishReason } from '../../../src/engines/model/port/model-client';
import { ThinkingFilter, withoutThinking } from '../../../src/engines/model/port/thinking';

const VALUE = { title: 'Tide pools', sections: [{ id: 's1', text: 'A "quoted" {brace} and [1].' }] };
const JSON_TEXT = JSON.stringify(VALUE);
const SINGLE_QUOTES = `{'title': 'Tide pools', 'sections': [{'id': 's1', 'text': 'A "quoted" {brace} and [1].'}]}`;
const PRETTY = JSON.stringify(VALUE, null, 2);

describe('The JSON in an answer', () => {
  it.each<[string, string]>([
    ['alone', JSON_TEXT],
    ['with white space around it', `\n\n  ${PRETTY}\n`],
    ['behind a byte order mark', `\ufeff${JSON_TEXT}`],
    ['in a fence', `\`\`\`json\n${PRETTY}\n\`\`\``],
    ['in a fence without a name', `\`\`\`\n${PRETTY}\n\`\`\``],
    ['in a fence that is not closed', `\`\`\`json\n${PRETTY}`],
    ['in a fence amid prose', `Here it is:\n\n\`\`\`json\n${PRETTY}\n\`\`\`\n\nI used [3] and {so on}.`],
    ['amid prose', `Sure! Here's the outline: ${JSON_TEXT} Hope that helps, see [1, 2].`],
    ['behind thinking', `<think>Maybe {"title": "no"}?</think>\n${JSON_TEXT}`],
    ['behind thinking whose beginning was in the prompt', `Maybe {"title": "no"}?\n</think>\n\n${JSON_TEXT}`],
    ['behind another try', `{"title": "Draft"}\n\nBetter:\n${JSON_TEXT}`],
    ['inside of a JSON string', JSON.stringify(JSON_TEXT)],
    ['with a comma too many', JSON_TEXT.replace(']}', '],}')],
    ['with a comma too many, behind an example', `Such as {"t": "x"}:\n${PRETTY.replace(/\n\}$/, ',\n}')}`],
    ['with comments', PRETTY.replace('"sections"', '// the sections\n"sections"')],
    ['with single quotes', SINGLE_QUOTES],
    ['without its last bracket', JSON_TEXT.slice(0, -1)],
    ['with a bracket too many', `${JSON_TEXT}}`],
  ])('is found %s', (_name, text) => {
    expect(jsonFromAnswer(text, 'stop')).toEqual(VALUE);
  });

  it('may be a list', () => {
    expect(jsonFromAnswer('The list: [{"a": 1}]', 'stop')).toEqual([{ a: 1 }]);
  });

  it('may have a mark of thinking in its strings', () => {
    const value = { text: 'The model ends with\n</think>\nand <think> begins.' };
    expect(jsonFromAnswer(JSON.stringify(value), 'stop')).toEqual(value);
  });

  const none = ['', '   ', 'No.', '42', 'null', 'true', '"text"', '}]', 'I would say a: 1, b: 2'];
  it.each([...none, '<think>{"a":1}', '<think></think>'])('is not in %p', (text) => {
    expect(() => jsonFromAnswer(text, 'stop')).toThrow(AnswerNotJsonError);
  });

  it('is not made out of an answer that was cut off', () => {
    for (let length = 1; length < PRETTY.length; length += 1)
      for (const before of ['', 'Such as {"title": "x"}:\n'])
        expect(() => jsonFromAnswer(before + PRETTY.slice(0, length), 'length')).toThrow(AnswerNotJsonError);
    expect(jsonFromAnswer(`${PRETTY}\nAnd so o`, 'length')).toEqual(VALUE);
  });

  it('is not told in the error', () => {
    expect(() => jsonFromAnswer('secret words', 'stop')).toThrow(/^(?!.*secret)/);
  });

  it('is looked for in any text without another error, and in time', () => {
    const signs = [
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ':',
      '`',
      '/*',
      '//',
      "'",
      ' ',
      '\n',
      '\ufeff',
      '\ud800',
    ];
    const pieces = fc.constantFrom(...signs, '```json\n', '<think>', '</think>', 'a', '1', 'null');
    const text = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''));
    const read = (answer: string, finishReason: FinishReason): void => {
      try {
        expect(typeof jsonFromAnswer(answer, finishReason)).toBe('object');
      } catch (error) {
        expect(error).toBeInstanceOf(AnswerNotJsonError);
      }
    };
    const reasons = fc.constantFrom<FinishReason[]>('stop', 'length', 'other');
    fc.assert(fc.property(text, reasons, read), { seed: 7, numRuns: 2_000 });
    for (const hard of ['[', '{"a":', '<think>', '[1] ', '"', '</think>']) read(hard.repeat(200_000), 'stop');
  });
});

describe('Thinking', () => {
  const IN_CODE = 'It writes `<think>` and then\n</think>\nin the end.';
  it.each([
    ['<think>hm</think>Crabs.', 'Crabs.'],
    ['\n<think>\nhm\n</think>\n\nCrabs.', 'Crabs.'],
    ['<THINK>hm</Think>Crabs.', 'Crabs.'],
    ['<thinking>hm</thinking>Crabs.', 'Crabs.'],
    ['[THINK]hm[/THINK]Crabs.', 'Crabs.'],
    ['<think>a</think><think>b</think>Crabs.', 'Crabs.'],
    ['hm, hm.\n</think>\n\nCrabs.', 'Crabs.'],
    ['hm</think>{"a":1}', '{"a":1}'],
    ['<think>hm, and then', ''],
    ['<think>', ''],
    ['<think></think>', ''],
    ['Crabs.', 'Crabs.'],
    ['  Crabs. ', 'Crabs. '],
    ['<table>', '<table>'],
    ['It writes <think> first.', 'It writes <think> first.'],
    [IN_CODE, IN_CODE],
    ['The mark </think> ends it.', 'The mark </think> ends it.'],
    ['', ''],
  ])('is taken out of %p', (text, expected) => {
    expect(withoutThinking(text)).toBe(expected);
  });

  it('is taken out the same while it comes, however it is cut', () => {
    const marks = ['<think>', '</think>', '<thi', 'nk>', '</', '<', 'thinking>', '[THINK]'];
    const piece = fc.constantFrom(...marks, 'hm', ' ', '\n', 'Crabs.');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const filter = new ThinkingFilter();
        const whole = new ThinkingFilter();
        const text = pieces.join('');
        const inPieces = pieces.map((part) => filter.push(part)).join('') + filter.end();
        expect(inPieces).toBe(whole.push(text) + whole.end());
        // A mark that only closes cannot be foreseen.
        if (!/^(?:(?!<think)[^])*<\/think/.test(text)) expect(inPieces).toBe(withoutThinking(text));
      }),
      { seed: 11, numRuns: 2_000 },
    );
  });
});
