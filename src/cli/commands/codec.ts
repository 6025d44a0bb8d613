import type { Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { UsageError } from '../failures/usage-error';
import { codecRequest, type CodecOptions } from '../request/codec-options';
import { listenForStop, untilAborted } from '../session/stop-signals';

export function addCodecCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('codec')
    .summary('decrypts payloads for the Web UI, in the foreground')
    .description(
      'Answers the Temporal Web UI and the temporal command line, which show payloads as they are stored, with what is encrypted in them. ' +
        'It has the encryption keys of the settings, answers the pages of the given origins alone, and runs until Ctrl-C.',
    )
    .option('--port <port>', 'the port; 0 takes a free one', '8234')
    .option(
      '--host <address>',
      'the address to listen on; another than this machine asks for a token',
      '127.0.0.1',
    )
    .option(
      '--origin <address>',
      'the address of a Web UI that may ask, any number of times (default: that of the server of this folder)',
      (value: string, before: string[]) => [...before, value],
      [],
    )
    .option('--token-file <file>', 'a file with a token that each request has to bring')
    .option('--json', 'print one JSON document on standard output when it is ready')
    .addHelpText(
      'after',
      '\nExample:\n  $ colligate codec --origin http://localhost:8233\n\nHow the Web UI is told of it: docs/keeping.md.',
    );
  answerWith(command, context, (options: CodecOptions & { json?: boolean }) => serve(context, options));
}

async function serve(context: CommandContext, options: CodecOptions & { json?: boolean }): Promise<ExitCode> {
  const request = codecRequest(options, context.io.cwd);
  const { terminal } = context;
  const config = context.loadConfig();
  if (config.encryption.keys === null)
    throw new UsageError([
      'There are no encryption keys, so there is nothing to decrypt. Set COLLIGATE_ENCRYPTION_KEYS or COLLIGATE_ENCRYPTION_KEY_FILE as the workers have it.',
    ]);
  const signals = listenForStop(context.io.signals);
  try {
    const { openCodec } = await import('../../app/codec/open-codec.js');
    const { url, origins, close } = await openCodec({ config, ...request }).catch(refusedPort(request));
    try {
      if (options.json === true) terminal.printJson({ url, origins });
      else {
        terminal.print(`Codec endpoint    ${url}`);
        terminal.print(`Answers           ${origins.length === 0 ? 'no page' : origins.join(', ')}`);
        if (origins.length === 0)
          terminal.say('No Web UI is known: name its address with --origin, so that its pages may ask.');
        terminal.say('Ctrl-C stops it.');
      }
      await untilAborted(signals.stopped);
      return ExitCode.ok;
    } finally {
      await close();
    }
  } finally {
    signals.dispose();
  }
}

function refusedPort({ host, port }: { host: string; port: number }): (error: unknown) => never {
  return (error) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new UsageError([
        `Port ${port} of ${host} is taken: choose another with --port, or 0 for a free one.`,
      ]);
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UsageError([
        `${host} port ${port} cannot be listened on (${code}): choose another --host or --port.`,
      ]);
    throw error;
  };
}
