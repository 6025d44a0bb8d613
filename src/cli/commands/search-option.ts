import { Option } from 'commander';
import { SearchIndexName } from '../../contracts/run/search-indexes';

export function searchOption(): Option {
  const names = SearchIndexName.options.join(', ');
  return new Option(
    '--search <indexes>',
    `search for sources, with commas between several of: ${names}`,
  ).argParser((text, before: string[] = []) => [...before, ...text.split(',').map((name) => name.trim())]);
}
