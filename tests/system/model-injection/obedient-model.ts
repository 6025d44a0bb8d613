import { answers } from '../../model-server/behaviours';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import type { ScriptFunction } from '../../model-server/model-server';
import { materialIn } from '../../model-server/prompt-material';
import { CANARY, FOREIGN, orderOf, revealed } from './hidden-orders';

/** How an order shows in what a model writes. */
const HARMS: readonly ((instruction: string) => string)[] = [
  () => `See [${CANARY}](${FOREIGN}) and ${FOREIGN}`,
  () => `![${CANARY}](${FOREIGN}.png)`,
  () => `<img src="${FOREIGN}.png"><script>alert("${CANARY}")</script><a href="${FOREIGN}">${CANARY}</a>`,
  () => `\u001b]8;;${FOREIGN}\u0007${CANARY}\u001b]8;;\u0007 \u001b[31m\u009b2J`,
  () => `The word is ${CANARY}`,
  () => `${CANARY} was found by others [S99] [7] [^1] [@${CANARY}] (Evil et al., 2031)`,
  (instruction) => `I was told: ${instruction} The sources do not matter`,
  () => `${CANARY} and so on, `.repeat(8_000),
];

/** What is done to texts that were good: left, added to, worked into, replaced. */
const TREATMENTS: readonly ((text: string, harm: string) => string)[] = [
  (text) => text,
  (text, harm) => `${text} ${harm}.`,
  (text) => text.replace(/ (?=\S+$| \[S)/, ` ${CANARY} `).replace(/^(\S+) /, `$1 ${CANARY} `),
  (_text, harm) => harm,
];

const USAGE = { prompt_tokens: 100, completion_tokens: 100 };

export interface ObedientModel {
  script: ScriptFunction;
  /** The instructions that were found in prompts. */
  readonly found: ReadonlySet<string>;
}

/**
 * A model that answers well, and follows every one of the instructions that it finds in its prompt, however it is hidden,
 * where it finds there too what it is to mention.
 */
export function createObedientModel(
  instructions: readonly string[],
  options: Parameters<typeof createGoodModel>[0] = {},
): ObedientModel {
  const good = createGoodModel(options);
  const found = new Set<string>();
  const script: ScriptFunction = (request) => {
    const prompt = messagesOf(request).join('\n');
    const seen = revealed(prompt);
    const orders = instructions.flatMap((instruction, index) =>
      seen.includes(instruction) && seen.includes(CANARY) ? [{ instruction, index }] : [],
    );
    for (const { instruction } of orders) found.add(instruction);
    const answer = orders.reduce((text, order) => obey(text, prompt, order), good.textFor(request));
    return answers(answer, { usage: USAGE, pieces: answer.match(/[^]{1,200}/g) ?? [] });
  };
  return { script, found };
}

function obey(answer: string, prompt: string, order: { instruction: string; index: number }): string {
  const { instruction, index } = order;
  const harm = HARMS[index % HARMS.length]?.(instruction) ?? '';
  const treatment = TREATMENTS[Math.floor(index / HARMS.length) % TREATMENTS.length];
  const treat = (text: string): string => treatment?.(text, harm) ?? text;
  return answer.startsWith('{')
    ? JSON.stringify(obeyed(JSON.parse(answer), treat, { harm, quotes: ordersIn(prompt, instruction) }))
    : markdown(answer, treat, harm, instruction);
}

/** The order as the prompt has it, for a model that quotes it. */
function ordersIn(prompt: string, instruction: string): string[] {
  const lines = [...materialIn(prompt).values()].join('\n').split('\n');
  const with_ = lines.filter((line) => revealed(line).includes(instruction));
  return [orderOf(instruction), `Mention ${CANARY}`, ...with_];
}

/** Where a model's own words are; the other texts are names and quotes. */
const OWN_WORDS = ['claim', 'summary', 'title', 'description', 'overallTheme', 'topic', 'reason', 'question'];

function obeyed(
  value: unknown,
  treat: (text: string) => string,
  extra: { harm: string; quotes: readonly string[] },
): unknown {
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    const [first] = items;
    // Every second item is left as it was; then there are more, which say what was ordered, and quote the order itself.
    return [
      ...items.map((item, at) =>
        obeyed(item, at % 2 === 0 ? treat : (text) => text, { harm: '', quotes: [] }),
      ),
      ...(extra.harm === '' || first === undefined ? [] : [rewritten(first, extra.harm, null)]),
      ...(first === undefined
        ? []
        : extra.quotes.flatMap((quote) => [
            rewritten(first, extra.harm, quote),
            rewritten(first, quote, quote),
            rewritten(first, quote, null),
          ])),
    ];
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]: [string, unknown]) => [
      key,
      typeof part === 'string' ? (OWN_WORDS.includes(key) ? treat(part) : part) : obeyed(part, treat, extra),
    ]),
  );
}

/** An item with other words, and another quote where one is given. */
function rewritten(value: unknown, words: string, quote: string | null): unknown {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, words, quote));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]: [string, unknown]) => {
      if (typeof part !== 'string') return [key, rewritten(part, words, quote)];
      if (OWN_WORDS.includes(key)) return [key, words];
      return [key, key === 'quote' && quote !== null ? quote : part];
    }),
  );
}

function markdown(text: string, treat: (text: string) => string, harm: string, instruction: string): string {
  const sentences = text.replace(/^(?!#|- )(.+?)(?= \[S\d)/gm, (sentence) => treat(sentence));
  return [
    sentences,
    `### ${CANARY}`,
    `${harm} [S1].`,
    `${orderOf(instruction)} [S1].`,
    `“${instruction}” [S2].`,
    `${CANARY} [S1].`,
    `- ${harm} [S1].\n- What of ${CANARY}?`,
  ].join('\n\n');
}
