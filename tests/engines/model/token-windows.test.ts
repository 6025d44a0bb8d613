import type { SourceWindow } from '../../../src/contracts/source';
import type { ModelRequest } from '../../../src/engines/model/port';
import { createModelWindows, minTokens } from '../../../src/engines/model/token-windows';
import { summarise } from '../../../src/steps/summarise';
import { writeText, type WriteTextInput } from '../../../src/steps/write-text';
import { answers, answersJson } from '../../model-server/behaviours';
import type { Behaviour, RecordedRequest } from '../../model-server/model-server';
import { closeEngines, codesOf, context, engineAgainst, promptText } from './engine-under-test';
import { QUESTION, sourceWindow } from './material';

afterEach(closeEngines);

const WINDOW = 4_096;

/** A sentence of its own for each number, so that no two sources say the same. */
const sentence = (at: number): string =>
  `In trial ${at} the participants walked for ${10 + (at % 50)} minutes on most evenings and slept a little longer afterwards.`;

function longSource(at: number, sentences = 50): SourceWindow {
  const paragraphs = Array.from({ length: sentences / 5 }, (_, paragraph) =>
    Array.from({ length: 5 }, (_one, line) => sentence(at * 1_000 + paragraph * 5 + line)).join(' '),
  );
  let start = 0;
  const passages = paragraphs.map((text) => {
    const passage = { start, end: start + text.length, text, headings: [] };
    start += text.length + 2;
    return passage;
  });
  return sourceWindow(`source-${at}`, { title: `Walking and sleep ${at}`, passages });
}

const tokensOf = (text: string): number => Math.ceil(text.length / 4);

/** What is left of a prompt on a server that cuts it to its window, from the front. */
const readOf = (request: RecordedRequest): string => promptText(request).slice(-WINDOW * 4);

/** Answers as a server that cuts prompts to its window without a word, and reports what it read. */
function cutting(
  answer: (read: string) => Behaviour,
  read = WINDOW,
): (request: RecordedRequest) => Behaviour {
  return (request) => {
    const sent = tokensOf(promptText(request));
    return answer(readOf(request).slice(sent > WINDOW ? -read * 4 : 0));
  };
}

const usageOf = (read: string, most = WINDOW) => ({
  usage: { prompt_tokens: Math.min(tokensOf(read), most), completion_tokens: 100 },
});

const sourcesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/=== [0-9a-f]{16} (S\d+) ===/g)].map(([, id = '']) => id)),
];

describe('prompts that a server cuts without a word', () => {
  const input = { question: QUESTION, sources: Array.from({ length: 8 }, (_, at) => longSource(at + 1)) };
  const summaries = (read: string): Behaviour =>
    answersJson(
      { summaries: sourcesIn(read).map((source) => ({ source, summary: 'People slept a little longer.' })) },
      usageOf(read, Infinity),
    );

  test('the step is asked again in parts, all of which are read, and the run is warned once', async () => {
    const { engine, server } = await engineAgainst(cutting(summaries));
    const result = await engine.run(summarise, input, context());
    expect(result.output.summaries).toHaveLength(8);
    const [first, ...others] = server.asked.map((request) => tokensOf(promptText(request)));
    expect(first).toBeGreaterThan(WINDOW * 2);
    expect(Math.max(...others)).toBeLessThan(WINDOW);
    expect(codesOf(result.ofRun ?? [])).toEqual(['prompt-cut']);
    expect(result.ofRun?.[0]?.message).toMatch(
      /^small read only 4,096 of about 1\d,000 tokens of a prompt; .* OLLAMA_CONTEXT_LENGTH.* to 32,768 or more\.$/,
    );
  });

  test('a later run asks in parts at once, and is warned in the same words', async () => {
    const { engine, server } = await engineAgainst(cutting(summaries));
    const first = await engine.run(summarise, input, context());
    const asked = server.asked.length;
    const others = { ...input, sources: Array.from({ length: 8 }, (_, at) => longSource(at + 11)) };
    const second = await engine.run(summarise, others, context({ runId: 'run-2' }));
    const later = server.asked.slice(asked).map((request) => tokensOf(promptText(request)));
    expect(Math.max(...later)).toBeLessThan(WINDOW);
    expect(second.ofRun).toEqual(first.ofRun);
  });

  test('an answer to a cut prompt is not kept: a server with a larger window is asked', async () => {
    let window = WINDOW;
    const { engine, another, server } = await engineAgainst((request) =>
      window === WINDOW ? cutting(summaries)(request) : summaries(promptText(request)),
    );
    await engine.run(summarise, input, context());
    window = 65_536;
    const asked = server.asked.length;
    const { output, ofRun } = await another({}).run(summarise, input, context({ runId: 'run-2' }));
    expect(output.summaries).toHaveLength(8);
    expect(server.asked.length).toBe(asked + 1);
    expect(ofRun).toEqual([]);
  });

  test('the same count for prompts of other lengths is a cut, however little is missing', () => {
    const windows = createModelWindows({});
    const request = (chars: number): ModelRequest => ({
      model: 'small',
      messages: [{ role: 'user', content: 'Sleep is good. '.repeat(chars / 15) }],
      temperature: 0,
      maxOutputTokens: 100,
    });
    const read = { usage: { inputTokens: 2_048, outputTokens: 10 } };
    windows.noteRead(request(9_000), read);
    expect(windows.isCut(request(9_000), read)).toBe(false);
    expect(windows.isCut(request(10_500), read)).toBe(true);
    windows.noteRead(request(10_500), read);
    expect(windows.cutOf('small')?.read).toBe(2_048);
    expect(windows.fits(request(10_500))).toBe(false);
  });

  test('half of a window and 2 tokens, as Ollama cuts, stand for the whole window', async () => {
    const { engine, server } = await engineAgainst(
      cutting((read) => {
        const half = tokensOf(read) >= 2_050 && read.length === 2_050 * 4;
        return half ? answersJson({ summaries: [] }, usageOf(read, 2_050)) : summaries(read);
      }, 2_050),
    );
    const short = { ...input, sources: Array.from({ length: 16 }, (_, at) => longSource(at + 1, 20)) };
    await engine.run(summarise, short, context());
    const others = server.asked.slice(1).map((request) => tokensOf(promptText(request)));
    expect(Math.max(...others)).toBeGreaterThan(2_050);
    expect(Math.max(...others)).toBeLessThan(WINDOW);
  });

  test('what cannot be made smaller is answered from what the model read, and says so', async () => {
    const one = longSource(1);
    const text = 'ab,cd,'.repeat(7_000);
    const whole = { ...one, passages: [{ start: 0, end: text.length, text, headings: [] }] };
    const { engine, server } = await engineAgainst(
      cutting((read) =>
        answersJson({ summaries: [{ source: 'S1', summary: 'People slept longer.' }] }, usageOf(read)),
      ),
    );
    const { warnings } = await engine.run(summarise, { question: QUESTION, sources: [whole] }, context());
    expect(codesOf(warnings)).toContain('prompt-partly-read');
    expect(server.asked.length).toBeLessThan(4);
  });

  describe('texts', () => {
    const sources = Array.from({ length: 16 }, (_, at) => longSource(at + 1, 20));
    const writing: WriteTextInput = {
      question: QUESTION,
      sources,
      plan: { sections: [], isGiven: false },
      conflicts: [],
      gaps: [],
      works: [],
      targetWords: 500,
      form: { kind: 'whole' },
    };
    const cited = (read: string): Behaviour =>
      answers(
        `# Sleep\n\n## Findings\n\n${sourcesIn(read)
          .map((id) => `People slept longer [${id}].`)
          .join('\n\n')}`,
        usageOf(read),
      );

    test('a text is written from a part of each source, and cites as many as with a large window', async () => {
      const { engine, server } = await engineAgainst(cutting(cited));
      const { output, warnings, ofRun } = await engine.run(
        writeText,
        writing,
        context({ onText: () => undefined }),
      );
      expect(server.asked).toHaveLength(2);
      expect(sources.filter(({ sourceId }) => output.markdown.includes(`@${sourceId}]`))).toHaveLength(16);
      expect(codesOf(warnings)).toEqual(['passages-left-out']);
      expect(codesOf(ofRun ?? [])).toEqual(['prompt-cut']);
    });

    test('with a window that is known the first prompt fits already', async () => {
      const { engine, server } = await engineAgainst(cutting(cited), { contextTokens: { large: WINDOW } });
      const { output, ofRun } = await engine.run(writeText, writing, context());
      expect(server.asked).toHaveLength(1);
      expect(tokensOf(promptText(server.asked[0]))).toBeLessThan(WINDOW * 0.75);
      expect(output.markdown.match(/\[@/g)).toHaveLength(16);
      expect(ofRun).toEqual([]);
    });
  });
});

describe('counts of tokens', () => {
  const request = (content: string): ModelRequest => ({
    model: 'm',
    messages: [{ role: 'user', content }],
    temperature: 0,
    maxOutputTokens: 100,
  });
  const reported = (inputTokens: number) => ({ usage: { inputTokens, outputTokens: 1 } });

  // Characters to a token as the tokenizer of each has them that takes the fewest tokens for it.
  test.each([
    ['English', sentence(1), 5.2],
    [
      'German',
      'Die Teilnehmenden gingen an den meisten Abenden spazieren und schliefen danach etwas länger. ',
      4.7,
    ],
    ['Chinese', '参与者在大多数晚上散步,之后睡得稍微久一些。研究人员记录了每个人的睡眠时间。', 1.9],
    ['Thai', 'ผู้เข้าร่วมเดินเกือบทุกเย็นและหลังจากนั้นนอนหลับได้นานขึ้นเล็กน้อย ', 2.8],
    ['Korean', '참가자들은 대부분의 저녁에 산책을 했고 그 후 조금 더 오래 잤다. ', 1.8],
    ['numbers', '12,4711.250,30021,2024-03-17\n', 1.8],
    ['a server that counts a quarter of the characters', '| Group 17 | 4.2 % | 289 | p < 0.04 |\n', 4],
    ['code', 'const given = readGiven({ cwd, env, set, flags }, problems);\n', 4],
  ])('%s is not taken for a cut prompt', (_what, text, charsAToken) => {
    const content = text.repeat(Math.ceil(60_000 / text.length));
    const windows = createModelWindows({});
    expect(windows.isCut(request(content), reported(Math.floor(content.length / charsAToken)))).toBe(false);
  });

  test('a short prompt, no usage and a usage of nothing say nothing', () => {
    const windows = createModelWindows({});
    const long = request(sentence(1).repeat(400));
    expect(windows.isCut(request(sentence(1).repeat(20)), reported(300))).toBe(false);
    expect(windows.isCut(long, { usage: null })).toBe(false);
    expect(windows.isCut(long, reported(0))).toBe(false);
    expect(windows.isCut(long, reported(11))).toBe(false);
    expect(windows.isCut(long, reported(4_096))).toBe(true);
  });

  test('a server that counts too few tokens even of what fits is not believed', () => {
    const windows = createModelWindows({});
    const long = request(sentence(1).repeat(400));
    windows.noteRead(long, reported(4_000));
    expect(windows.cutOf('m')).not.toBeNull();
    const short = request(sentence(1).repeat(60));
    windows.noteRead(short, reported(Math.floor(minTokens(short) / 3)));
    expect(windows.cutOf('m')).toBeNull();
    expect(windows.isCut(long, reported(4_000))).toBe(false);
  });
});
