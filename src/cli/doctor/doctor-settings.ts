import { settingsInUse } from '../../config/config';
import type { Sources } from '../../config/read-given';
import { ok, type Finding } from './doctor-finding';

export function examineSettings(given: Sources): Finding[] {
  return settingsInUse(given).map(({ path, name, from, value }) =>
    ok('setting', `${path} is ${value} (${from === 'environment' ? name : from})`),
  );
}
