/** To whoever waits for a script that measures. */
export const say = (line: string): void => void process.stderr.write(`${line}\n`);
/** What it has measured. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Carries a script out; whether all is well is its exit code. What it has thrown is said. */
export function carryOut(main: () => Promise<boolean>): void {
  main().then(
    (isWell) => (process.exitCode = isWell ? 0 : 1),
    (error: unknown) => {
      say(error instanceof Error ? (error.stack ?? error.message) : String(error));
      process.exitCode = 1;
    },
  );
}

/** Whoever ends the script leaves nothing behind. Resolves with what was opened, which takes the signals until it is closed. */
export async function closedOnSignals<Opened extends { close(): Promise<void> }>(
  opening: Promise<Opened>,
): Promise<Opened> {
  const opened = await opening;
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const stop = (): void => void opened.close().finally(() => process.exit(130));
  for (const signal of signals) process.once(signal, stop);
  return {
    ...opened,
    async close() {
      for (const signal of signals) process.off(signal, stop);
      await opened.close();
    },
  };
}

/** A whole number that a script was given as `--name`; throws with what is allowed. */
export function numberOption(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least)
    throw new Error(`--${name} is "${text}"; a whole number from ${least} on is allowed`);
  return value;
}

/** A table as lines of Markdown. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
