const NAMES = [
  'think',
  'thinking',
  'thought',
  'reasoning',
  'reasoning_scratchpad',
  'reflection',
  'seed:think',
];

const MARKS: readonly { opening: string; closing: string }[] = [
  ...NAMES.map((name) => ({
    opening: `<${name}>`,
    closing: `</${name}>`,
  })),
  { opening: '[think]', closing: '[/think]' },
  { opening: '◁think▷', closing: '◁/think▷' },
  { opening: '<|begin_of_thought|>', closing: '<|end_of_thought|>' },
  { opening: '<unused94>thought', closing: '<unused95>' },
  { opening: '<|channel>thought', closing: '<channel|>' },
  { opening: '<|start_thinking|>', closing: '<|end_thinking|>' },
  { opening: '<|start_response|>', closing: '' },
  // The channels of gpt-oss, of which only the final one is the answer.
  ...['<|channel|>', '<|start|>assistant<|channel|>'].flatMap((before) => [
    ...['analysis', 'commentary'].map((channel) => ({
      opening: `${before}${channel}<|message|>`,
      closing: '<|channel|>final<|message|>',
    })),
    { opening: `${before}final<|message|>`, closing: '' },
  ]),
];

/** The same channels where a server has dropped their signs: `analysisThe user wants … assistantfinalVitamin D …`. */
const BARE_CHANNEL = /^analysis(?=\p{Lu})/u;
const BARE_FINAL = 'assistantfinal';
/** A final channel that names the form of its text. */
const NAMED_FINAL = /<\|channel\|>final ?(?:<\|constrain\|>)? ?\w{1,12}<\|message\|>/;
const FINAL = '<|channel|>final<|message|>';
const LONGEST_FINAL = '<|channel|>final <|constrain|> twelveletters<|message|>'.length;
/** Signs that may follow the text of the final channel. */
const CHANNEL_SIGNS = /<\|(?:return|end|call|end_response)\|>/gi;
const LONGEST_SIGN = '<|end_response|>'.length;

const CLOSING_TAG = `</(?:${NAMES.join('|')})>`;

/** The end of thinking whose beginning was in the prompt, as some templates have it. */
const LONE_CLOSING = new RegExp(
  String.raw`(?:^|\n)[^\S\n]*${CLOSING_TAG}|${CLOSING_TAG}(?=\s*(?:\n|$|[{[\x60]))`,
  'i',
);

const OPENING = new RegExp(`<(?:${NAMES.join('|')})>`, 'i');

/**
 * An answer's text without what the model thought aloud before it: closed or, where the answer was cut off, not. Marks
 * further on are left, because a text can be about them. White space before the answer goes too.
 */
export function withoutThinking(text: string): string {
  let rest = text;
  for (;;) {
    const lone = LONE_CLOSING.exec(rest);
    if (lone === null || OPENING.test(rest.slice(0, lone.index))) break;
    rest = rest.slice(lone.index + lone[0].length);
  }
  const filter = new ThinkingFilter();
  return filter.push(rest) + filter.end();
}

/** Does the same while the text comes; only a closing mark without an opening one cannot be foreseen. */
export class ThinkingFilter {
  #state: 'before' | 'thinking' | 'speaking' = 'before';
  #held = '';
  #closing = '';
  #hasChannels = false;
  /** The possible beginning of a channel's sign. */
  #sign = '';

  /** The visible text that is certain by now. */
  push(text: string): string {
    if (this.#state === 'speaking') return this.#spoken(text);
    this.#held += text;
    while (this.#advances());
    // `#advances` may have changed it, which the compiler does not see.
    if ((this.#state as string) !== 'speaking') return '';
    const visible = this.#held;
    this.#held = '';
    return this.#spoken(visible);
  }

  /** What was held back as the possible beginning of a mark, and was none. */
  end(): string {
    return this.#state === 'before' ? this.#held : this.#sign.replace(CHANNEL_SIGNS, '');
  }

  /** The text without the signs that end a channel, where there are channels. */
  #spoken(text: string): string {
    if (!this.#hasChannels) return text;
    const whole = this.#sign + text;
    const at = whole.lastIndexOf('<');
    const isOpen = at >= 0 && whole.length - at < LONGEST_SIGN && !whole.includes('|>', at);
    this.#sign = isOpen ? whole.slice(at) : '';
    return (isOpen ? whole.slice(0, at) : whole).replace(CHANNEL_SIGNS, '');
  }

  /** One step on; false where more text is needed, or none. */
  #advances(): boolean {
    if (this.#state === 'thinking') return this.#stopsThinking();
    if (this.#state === 'speaking') return false;
    this.#held = this.#held.trimStart().replace(NAMED_FINAL, FINAL);
    const start = this.#held.toLowerCase();
    if (BARE_CHANNEL.test(this.#held)) {
      this.#state = 'thinking';
      this.#closing = BARE_FINAL;
      return true;
    }
    const mark = MARKS.find(({ opening }) => start.startsWith(opening));
    if (mark) {
      this.#state = 'thinking';
      this.#closing = mark.closing;
      this.#hasChannels ||= mark.opening.startsWith('<|');
      this.#held = this.#held.slice(mark.opening.length);
      return true;
    }
    if (MARKS.some(({ opening }) => opening.startsWith(start)) || this.#held === 'analysis') return false;
    this.#state = 'speaking';
    return false;
  }

  #stopsThinking(): boolean {
    this.#held = this.#held.replace(NAMED_FINAL, FINAL);
    const end = this.#held.toLowerCase().indexOf(this.#closing);
    if (end < 0) {
      // Only the beginning of the closing mark can still matter.
      this.#held = this.#held.slice(-Math.max(this.#closing.length, LONGEST_FINAL));
      return false;
    }
    this.#state = 'before';
    this.#held = this.#held.slice(end + this.#closing.length);
    return true;
  }
}
