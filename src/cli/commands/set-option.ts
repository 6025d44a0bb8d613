import { Option } from 'commander';

export function setOption(): Option {
  return new Option(
    '--set <name=value>',
    'any setting of docs/settings.md, such as synthesis.temperature=0.2; once for each',
  ).argParser((text, before: string[] = []) => [...before, text]);
}
