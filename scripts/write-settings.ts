import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { allowedValues, defaultOf, ownFlags } from '../src/app/config-sources';
import {
  environmentNames,
  secretPaths,
  type SettingPath,
  settingPaths,
} from '../src/contracts/setting-names';
import { groupBy } from '../src/lib/iterables';
import { formatValue } from '../src/lib/json';

// `npm run settings`: writes docs/settings.md anew from the settings' one table: the schema with its comments, the names of
// variables and flags. With `--check` it only says whether the page is stale, for `npm run check`.

const root = join(__dirname, '..');
const PAGE = join(root, 'docs', 'settings.md');
const SCHEMA = join(root, 'src', 'app', 'config.ts');

const OPENING = `# Settings

Every setting, and everything that affects a run among them, in each of these ways; the first that is there wins:

1. a flag of its own, on the commands that have it;
2. \`--set name=value\`, once for each setting, on \`report\`, \`brief\`, \`answer\`, \`verify\`, \`worker\`, \`dev\` and \`doctor\`,
   and on the commands of schedules;
3. its variable in the environment;
4. its name in \`colligate.config.json\` of the working directory, where \`answers.temperature\` is
   \`{ "answers": { "temperature": 0.7 } }\`.

What is a table or a list in the file is the same JSON in a variable or behind \`--set\`. Secrets are taken from the environment
alone: a file is shared, and a command line is seen by others. Of \`synthesis\`, \`answers\`, \`brief\`, \`judge\`, \`budget\`,
\`outages\`, the engine and its models a run takes what it was started with in its input ([interface](interface.md)), whichever way it was
said; the others are those of the worker that carries it out. A mistake anywhere stops the command with all mistakes at once
and what is allowed; \`colligate doctor\` says what is set, and where from.

This page is written by \`npm run settings\`, from the same table that checks what is given.
`;

const text = page();
if (!process.argv.includes('--check')) writeFileSync(PAGE, text);
else if (readFileSync(PAGE, 'utf8') !== text) {
  process.stderr.write('docs/settings.md is stale: run "npm run settings".\n');
  process.exitCode = 1;
}

function page(): string {
  const effects = effectsOf();
  const groups = groupBy(settingPaths, (path) => (path.includes('.') ? (path.split('.')[0] ?? '') : ''));
  const tables = [...groups].map(([group, paths]) => {
    const rows = paths.map((path) => {
      const flag = ownFlags[path];
      const names = [`\`${path}\``, `\`${environmentNames[path]}\``, flag === undefined ? '' : `\`${flag}\``];
      const effect = effects.get(path) ?? '';
      if (effect === '') throw new Error(`What is the effect of ${path}? Its schema needs a comment.`);
      return row([...names, given(path, effect), effect]);
    });
    const head = row(['setting', 'environment', 'flag', 'allowed', 'effect']);
    return `## ${group === '' ? 'The folder, its engine and its stores' : `\`${group}\``}\n\n${head}\n${row(Array<string>(5).fill('---'))}\n${rows.join('\n')}`;
  });
  return `${OPENING}\n${tables.join('\n\n')}\n`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** What may be given, and what holds where nothing is, unless the effect says so in words. */
function given(path: SettingPath, effect: string): string {
  if (secretPaths.includes(path)) return 'from the environment only';
  const value = defaultOf(path);
  const isSaid = effect.startsWith('Default') || typeof value === 'object' || value === undefined;
  return `${allowedValues(path)}${isSaid ? '' : `; default ${formatValue(value)}`}`;
}

/** What the comments of the schema say of each setting; the compiler finds them, in whichever file they stand. */
function effectsOf(): Map<string, string> {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    root,
  );
  const program = ts.createProgram([SCHEMA], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(SCHEMA);
  const alias = source?.statements.find(
    (one) => ts.isTypeAliasDeclaration(one) && one.name.text === 'Config',
  );
  if (alias === undefined) throw new Error('src/app/config.ts has no type Config');
  const effects = new Map<string, string>();
  const walk = (type: ts.Type, prefix: string): void => {
    for (const symbol of checker.getNonNullableType(type).getProperties()) {
      const path = `${prefix}${symbol.name}`;
      if (settingPaths.some((known) => known === path))
        effects.set(
          path,
          ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s+/g, ' '),
        );
      else if (settingPaths.some((known) => known.startsWith(`${path}.`)))
        walk(checker.getTypeOfSymbol(symbol), `${path}.`);
    }
  };
  walk(checker.getTypeAtLocation(alias), '');
  return effects;
}
