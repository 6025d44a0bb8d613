import { greatest } from '../../core/values/extremes';
import { append } from '../../core/values/append';
import type { Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import type { Finding } from '../doctor/doctor-finding';
import { ExitCode } from '../exit-code';
import { setOption } from './set-option';
import { safeLine } from '../terminal/safe-text';

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
  answerWith(command, context, (options: DoctorOptions) => doctor(context, options));
}

async function doctor(context: CommandContext, { json, model, set }: DoctorOptions): Promise<ExitCode> {
  const { examine } = await import('../doctor/doctor.js');
  const { terminal, io } = context;
  const config = context.loadConfig({ set });
  const findings = await examine(config, { set, cwd: io.cwd, env: io.env });
  const { examineLocalModels } = await import('../doctor/doctor-local.js');
  const local = await examineLocalModels(config, { mayLoad: model === true });
  append(findings, local.findings);
  if (model === true) {
    const { examineModels } = await import('../doctor/doctor-model.js');
    append(findings, await examineModels(local.config));
  }
  if (json === true)
    terminal.printJson({ ok: findings.every(({ state }) => state !== 'problem'), checks: findings });
  else {
    const { green, yellow, red, dim } = terminal.colours;
    const marks = { ok: green('ok     '), note: yellow('note   '), problem: red('problem') };
    const width = greatest(findings.map(({ name }) => name.length));
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
