import { type Command, Option } from 'commander';
import { z } from 'zod';
import { listTokens, makeToken, revokeToken } from '../../app/access-tokens';
import { readKeyFile } from '../../app/config';
import { Owner, type Scope, SCOPES } from '../../contracts/run';
import { resolveFile } from '../../lib/files';
import { append, maxOf } from '../../lib/iterables';
import { formatValue } from '../../lib/json';
import { Secret } from '../../lib/process';
import { isLoopback, parseUrl } from '../../lib/url';
import { schemaProblemTexts } from '../../lib/validation';
import { openStores } from '../../stores/open-stores';
import type { AccessStore } from '../../stores/stores';
import {
  type CommandContext,
  ExitCode,
  listenForStop,
  setCommandAction,
  untilAborted,
  UsageError,
} from '../command-context';
import { numberOption, setOption } from '../command-options';
import type { Finding } from '../doctor';
import { renderTable, safeLine } from '../terminal';

export function addServerCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('server')
    .summary('a Temporal server for this folder, in the foreground')
    .description(
      'Starts the Temporal server of this folder, prints where it is, and runs until Ctrl-C. Its runs are kept in the data folder.',
    )
    .option('--json', 'print one JSON document on standard output when it is ready')
    .addHelpText('after', '\nExample:\n  $ colligate server');
  setCommandAction(command, context, async (options: { json?: boolean }): Promise<ExitCode> => {
    const { serveUntilStopped } = await import('../serve.js');
    return serveUntilStopped(context, context.loadConfig(), {
      server: true,
      worker: false,
      json: options.json === true,
    });
  });
}

interface WorkerOptions {
  json?: boolean;
  roles?: string;
  set?: string[];
}

export function addWorkerCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('worker')
    .summary('a worker, in the foreground')
    .description(
      'Carries out runs until Ctrl-C, on the server that TEMPORAL_ADDRESS names or that runs for this folder. It lets ' +
        'what is under way finish; another worker takes up the rest.',
    )
    .option('--roles <roles>', 'which work it takes: runs, computing, models, with commas between them')
    .addOption(setOption())
    .option('--json', 'print one JSON document on standard output when it is ready')
    .addHelpText('after', '\nExamples:\n  $ colligate worker\n  $ colligate worker --roles computing,models');
  setCommandAction(command, context, async (options: WorkerOptions): Promise<ExitCode> => {
    const { serveUntilStopped } = await import('../serve.js');
    const given = { set: options.set, flags: { 'worker.roles': options.roles } };
    const config = await context.loadConfigWithModels(given, { mayLoad: false });
    return serveUntilStopped(context, config, {
      server: false,
      worker: true,
      json: options.json === true,
    });
  });
}

export function addDevCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('dev')
    .summary('a server with its Web UI, a worker, and pages to work in: until Ctrl-C')
    .description(
      'Starts the Temporal server of this folder with its Web UI, a worker, and the pages and HTTP of "serve", and runs them until ' +
        'Ctrl-C. Runs made before with "report" or "demo" are there again.',
    )
    .addOption(setOption())
    .option('--json', 'print one JSON document on standard output when all are ready')
    .addHelpText('after', '\nExample:\n  $ colligate dev');
  setCommandAction(
    command,
    context,
    async (options: { json?: boolean; set?: string[] }): Promise<ExitCode> => {
      const { serveUntilStopped } = await import('../serve.js');
      const { cwd, env } = context.io;
      const given = { set: options.set, cwd, env };
      return serveUntilStopped(context, await context.loadConfigWithModels(given, { mayLoad: false }), {
        server: true,
        worker: true,
        face: true,
        json: options.json === true,
      });
    },
  );
}

export function addServeCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('serve')
    .summary('runs over HTTP, for services and pages: until Ctrl-C')
    .description(
      'Serves runs over HTTP: start, follow, steer, fetch. Its document is at /openapi.json. Workers carry the runs out: start one ' +
        'with "worker" or "dev". It listens on this machine alone unless http.host says otherwise; then each request needs a token.',
    )
    .addOption(setOption())
    .option('--json', 'print one JSON document on standard output when it is ready')
    .addHelpText('after', '\nExample:\n  $ colligate serve --set http.port=8080');
  setCommandAction(
    command,
    context,
    async (options: { json?: boolean; set?: string[] }): Promise<ExitCode> => {
      const { serveHttp } = await import('../serve-http.js');
      const { cwd, env } = context.io;
      const given = { set: options.set, cwd, env };
      return serveHttp(context, await context.loadConfigWithModels(given, { mayLoad: false }), {
        json: options.json === true,
      });
    },
  );
}

export function addMcpCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('mcp')
    .summary('tools for agents, on standard input and output')
    .description(
      'Serves the tools start_report, ask, status, result, evidence and verify by the Model Context Protocol, to the program ' +
        'that starts it. Workers carry the runs out: start one with "worker" or "dev".',
    )
    .addOption(setOption())
    .addHelpText(
      'after',
      '\nExample, for a program that starts tools:\n  { "command": "colligate", "args": ["mcp"] }',
    );
  setCommandAction(command, context, async (options: { set?: string[] }): Promise<ExitCode> => {
    const { serveMcp } = await import('../serve-mcp.js');
    const config = await context.loadConfigWithModels({ set: options.set }, { mayLoad: false });
    return serveMcp(context, config);
  });
}

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
  setCommandAction(command, context, (options: CodecOptions & { json?: boolean }) =>
    serveCodec(context, options),
  );
}

async function serveCodec(
  context: CommandContext,
  options: CodecOptions & { json?: boolean },
): Promise<ExitCode> {
  const request = codecRequest(options, context.io.cwd);
  const { terminal } = context;
  const config = context.loadConfig();
  if (config.encryption.keys === null)
    throw new UsageError([
      'There are no encryption keys, so there is nothing to decrypt. Set COLLIGATE_ENCRYPTION_KEYS or COLLIGATE_ENCRYPTION_KEY_FILE as the workers have it.',
    ]);
  const signals = listenForStop(context.io.signals);
  try {
    const { openCodecServer } = await import('../../app/temporal/codec-server.js');
    const { url, origins, close } = await openCodecServer({ config, ...request }).catch(
      rethrowPortProblem(request),
    );
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

function rethrowPortProblem({ host, port }: { host: string; port: number }): (error: unknown) => never {
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

interface CodecOptions {
  port: string;
  host: string;
  origin: string[];
  tokenFile?: string;
}

/** Without origins, the endpoint answers the Web UI of this folder's server. */
export interface CodecRequest {
  port: number;
  host: string;
  origins: string[];
  token: Secret | null;
}

/** Throws one `UsageError` that lists every problem. */
function codecRequest({ port, host, origin, tokenFile }: CodecOptions, cwd: string): CodecRequest {
  const problems: string[] = [];
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    problems.push(
      `--port is ${formatValue(port)}; it has to be a whole number from 0 to 65535, and 0 takes a free one.`,
    );
  const origins = origin.map((text) => {
    const url = parseUrl(text);
    if (url === null || !/^https?:$/.test(url.protocol) || !['', '/'].includes(url.pathname))
      problems.push(
        `--origin is ${formatValue(text)}; it has to be the address of a site, such as http://localhost:8233.`,
      );
    return url?.origin ?? text;
  });
  const token = tokenFile === undefined ? null : readKeyFile(resolveFile(cwd, tokenFile));
  if (token !== null && !(token instanceof Secret)) problems.push(`--token-file has to be ${token.allowed}.`);
  if (!isLoopback(host) && tokenFile === undefined)
    problems.push(
      `--host is ${formatValue(host)}, which others reach, and whoever reaches the endpoint reads what is encrypted. Give it a token with --token-file as well, and put it behind TLS.`,
    );
  if (problems.length > 0 || (token !== null && !(token instanceof Secret))) throw new UsageError(problems);
  return { port: Number(port), host, origins, token };
}

const DAY_MS = 86_400_000;
const Days = z.int().min(1).max(3_650);
interface MakeOptions {
  scope: Scope;
  days?: string;
  json?: boolean;
}
const JSON_OPTION = 'print one JSON document on standard output';

export function addTokenCommand(program: Command, context: CommandContext): void {
  const token = program
    .command('token')
    .summary('who may come in by "serve"')
    .description(
      'Makes, lists and revokes the tokens that requests to "serve" need. They are kept in the store, hashed.',
    );
  const make = token
    .command('make')
    .summary('make a token, which is printed this once')
    .description('Makes a token for somebody, prints it, and keeps its hash alone.')
    .argument('<owner>', 'whose runs are seen and started with it')
    .addOption(new Option('--scope <scope>', 'what it allows').choices(SCOPES).default('run'))
    .option('--days <number>', 'how long it is one (default: until it is revoked)')
    .option('--json', JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ colligate token make ann --scope read --days 30');
  setCommandAction(make, context, (owner: string, options: MakeOptions) =>
    withAccess(context, async (access) => {
      const days =
        options.days === undefined
          ? undefined
          : numberOption({ flag: '--days', text: options.days, schema: Days });
      const problems = [
        ...schemaProblemTexts([['OWNER', Owner, owner]]),
        ...(typeof days === 'object' ? [days.problem] : []),
      ];
      if (problems.length > 0) throw new UsageError(problems);
      const now = new Date();
      const expiresAt =
        typeof days === 'number' ? new Date(now.getTime() + days * DAY_MS).toISOString() : null;
      const { token: told, made } = await makeToken(access, { owner, scope: options.scope, expiresAt }, now);
      const { terminal } = context;
      if (options.json === true) terminal.printJson({ ...made, token: told });
      else {
        terminal.print(told);
        terminal.say(`Token ${made.id} of ${owner} may ${made.scope}. It is not shown again.`);
      }
      return ExitCode.ok;
    }),
  );
  const list = token
    .command('list')
    .summary('all tokens, without what lets anybody in')
    .description('Lists the tokens that are kept.')
    .option('--json', JSON_OPTION);
  setCommandAction(list, context, (options: { json?: boolean }) =>
    withAccess(context, async (access) => {
      const tokens = await listTokens(access);
      const { terminal } = context;
      if (options.json === true) terminal.printJson({ tokens });
      else if (tokens.length === 0) terminal.say('There are no tokens.');
      else {
        const rows = tokens.map(({ id, owner, scope, madeAt, expiresAt }) => [
          id,
          safeLine(owner),
          scope,
          madeAt,
          expiresAt ?? '',
        ]);
        for (const line of renderTable(['ID', 'OWNER', 'SCOPE', 'MADE', 'UNTIL'], rows, terminal.width))
          terminal.print(line);
      }
      return ExitCode.ok;
    }),
  );
  const revoke = token
    .command('revoke')
    .summary('end a token at once')
    .description(
      'Ends a token for all processes that share the store, also where somebody is reading with it.',
    )
    .argument('<id>', 'as "token list" has it');
  setCommandAction(revoke, context, (id: string) =>
    withAccess(context, async (access) => {
      if (!(await revokeToken(access, id)))
        throw new UsageError([`There is no token "${id}". "token list" has those that there are.`]);
      context.terminal.say(`Token ${id} is none any more.`);
      return ExitCode.ok;
    }),
  );
}

async function withAccess(
  context: CommandContext,
  use: (access: AccessStore) => Promise<ExitCode>,
): Promise<ExitCode> {
  const stores = await openStores(context.loadConfig());
  try {
    return await use(stores.access);
  } finally {
    await stores.close();
  }
}

interface DoctorOptions {
  model?: boolean;
  set?: string[];
  json?: boolean;
}

export function addDoctorCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('doctor')
    .summary('what is configured, reachable and missing, and what to do about it')
    .description(
      'Says what is configured, reachable and missing, and what to do about each. Changes and starts nothing. With --model it also tries with each configured model what a run needs: a schema, a system message, a long answer, a stream.',
    )
    .option('--model', 'try with each configured model what a run needs, in three calls or a few more')
    .addOption(setOption())
    .option('--json', 'print one JSON document on standard output')
    .addHelpText(
      'after',
      '\nExit code: 0 where a report can run, 3 where no server or engine can be reached, 1 for any other problem.\n\nExample:\n  $ colligate doctor',
    );
  setCommandAction(command, context, (options: DoctorOptions) => doctor(context, options));
}

async function doctor(context: CommandContext, { json, model, set }: DoctorOptions): Promise<ExitCode> {
  const { examine } = await import('../doctor.js');
  const { terminal, io } = context;
  const config = context.loadConfig({ set });
  const findings = await examine(config, { set, cwd: io.cwd, env: io.env });
  const { examineLocalModels } = await import('../doctor.js');
  const local = await examineLocalModels(config, { mayLoad: model === true });
  append(findings, local.findings);
  if (model === true) {
    const { examineModels } = await import('../doctor-models.js');
    append(findings, await examineModels(local.config));
  }
  if (json === true)
    terminal.printJson({ ok: findings.every(({ state }) => state !== 'problem'), checks: findings });
  else {
    const { green, yellow, red, dim } = terminal.colours;
    const marks = { ok: green('ok     '), note: yellow('note   '), problem: red('problem') };
    const width = maxOf(findings.map(({ name }) => name.length));
    for (const { name, state, detail, advice } of findings) {
      terminal.print(`${marks[state]}  ${name.padEnd(width)}  ${safeLine(detail)}`);
      if (advice !== null) terminal.print(`${' '.repeat(width + 11)}${dim(`→ ${safeLine(advice)}`)}`);
    }
  }
  return exitCodeOfFindings(findings);
}

function exitCodeOfFindings(findings: readonly Finding[]): ExitCode {
  const problems = findings.filter(({ state }) => state === 'problem');
  if (problems.length === 0) return ExitCode.ok;
  return problems.some(({ unreachable }) => unreachable === true) ? ExitCode.unreachable : ExitCode.failed;
}
