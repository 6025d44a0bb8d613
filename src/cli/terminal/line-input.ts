import { createInterface } from 'node:readline';

/** Lines that somebody types, or that a pipe brings. */
export interface LineInput {
  /** In their order; ends with the input, or when it is closed. */
  lines(): AsyncIterable<string>;
  /** Asks for the next line, where somebody types. */
  prompt(): void;
  close(): void;
}

/** At a terminal keys are read here, and so a Ctrl-C is told here. */
export function openLineInput(onPress: () => void): LineInput {
  const isTyped = process.stdin.isTTY && process.stdout.isTTY;
  const reader = createInterface({
    input: process.stdin,
    ...(isTyped ? { output: process.stdout, prompt: '\n› ', terminal: true } : { terminal: false }),
  });
  reader.on('SIGINT', onPress);
  const lines = reader[Symbol.asyncIterator]();
  return {
    lines: () => ({ [Symbol.asyncIterator]: () => lines }),
    prompt() {
      if (isTyped) reader.prompt();
    },
    close: () => reader.close(),
  };
}
