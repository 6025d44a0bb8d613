import type { Command } from 'commander';
import { ArtifactRef } from '../../contracts/run/artifact';
import { toldValue } from '../../core/values/told-value';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { COMMAND } from '../package-files';
import { count } from '../../core/values/grouped-digits';
import { chosenRunIdProblems } from '../request/request-problems';
import { runArgument } from '../results/run-name';
import { safeExcerpt } from '../terminal/safe-text';
import { UsageError } from '../failures/usage-error';

interface ImportOptions {
  reread?: string;
  id?: string;
  skipInvalid?: boolean;
  json?: boolean;
}

export function addImportCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('import')
    .summary('store sources for runs that others start')
    .description(
      'Checks and stores sources in the data folder, and prints what the input of a run needs to name them: manifestRef and sourceCount. No server is needed. A run takes hold of its sources when it begins; until then the import holds them.',
    )
    .argument('[paths...]', 'files, folders and addresses (https://…) to read')
    .option(
      '--reread <ref>',
      'instead: the sources of a stored list, parsed again from the originals that are kept',
    )
    .option('--id <id>', 'who holds them: the id of the run that is to use them (default: an id of its own)')
    .option('--skip-invalid', 'leave out sources that cannot be read, with a warning for each')
    .option('--json', 'print one JSON document on standard output')
    .addHelpText(
      'after',
      '\nExamples:\n  $ colligate import notes/ --json\n  $ colligate import library.bib https://example.org/trial.html --skip-invalid\n  $ colligate import --reread MANIFEST\n\nAnswers search them with: colligate answer "…" --manifest REF. How a run is started on them with nothing but a Temporal\nclient: docs/interface.md.',
    );
  answerWith(command, context, (paths: string[], options: ImportOptions) =>
    importPaths(context, paths, options),
  );
}

async function importPaths(
  context: CommandContext,
  paths: readonly string[],
  { id, reread, skipInvalid = false, json = false }: ImportOptions,
): Promise<ExitCode> {
  const problems = [
    ...givenProblems(paths, reread),
    ...(id === undefined ? [] : chosenRunIdProblems(id, '--id')),
  ];
  if (problems.length > 0) throw new UsageError(problems);
  const { terminal } = context;
  const config = context.loadConfig();
  // Only now, so that help and usage errors come at once.
  const { storeSources } = await import('../../app/store-sources.js');
  const stored = await storeSources(config, {
    given: reread === undefined ? { paths } : { manifestRef: reread },
    skipInvalid,
    heldBy: id,
  });
  const { manifestRef, count: sourceCount, chars: sourceChars, heldBy, warnings } = stored;
  if (json) {
    terminal.printJson({ manifestRef, sourceCount, sourceChars, heldBy, warnings });
    return ExitCode.ok;
  }
  for (const { message } of warnings) terminal.say(`Warning: ${safeExcerpt(message, 300)}`);
  terminal.print(`manifestRef  ${manifestRef}`);
  terminal.print(`sourceCount  ${sourceCount}`);
  terminal.print(`sourceChars  ${sourceChars}`);
  terminal.say(
    `${count(sourceCount, 'source')} stored in ${config.dataDir}. To let them go: ${COMMAND} delete ${runArgument(heldBy)}`,
  );
  return ExitCode.ok;
}

function givenProblems(paths: readonly string[], reread: string | undefined): string[] {
  if (reread === undefined)
    return paths.length > 0
      ? []
      : ['PATHS is missing: name files, folders or addresses, or a list by --reread.'];
  const isRef = ArtifactRef.safeParse(reread).success;
  return [
    ...(paths.length === 0 ? [] : ['--reread and PATHS are both given: give one of them.']),
    ...(isRef
      ? []
      : [
          `--reread is ${toldValue(reread)}: it has to be the manifestRef that "import" prints, of 64 hexadecimal digits.`,
        ]),
  ];
}
