/** The server's program ended or stayed silent instead of becoming ready. The command line answers it with exit code 3. */
export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';

  constructor(
    readonly happened: string,
    readonly logFile: string,
    readonly lastLines: readonly string[],
  ) {
    super(
      [
        `The Temporal server ${happened}. The end of its log, ${logFile}:`,
        ...(lastLines.length === 0 ? ['  (empty)'] : lastLines.map((line) => `  ${line}`)),
      ].join('\n'),
    );
  }
}
