import { Option } from 'commander';

/** Any setting of the table, which the configuration checks with the others. */
export function setOption(): Option {
  return new Option(
    '--set <name=value>',
    'any setting of docs/settings.md, such as synthesis.temperature=0.2; once for each',
  ).argParser((text, before: string[] = []) => [...before, text]);
}
