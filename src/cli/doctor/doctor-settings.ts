import { settingUses } from '../../config/setting-uses';
import type { Sources } from '../../config/read-given';
import { ok, type Finding } from './doctor-finding';

/** What is set and from where; of a setting that nothing uses, why: whoever set one expects something of it. */
export function examineSettings(given: Sources): Finding[] {
  return settingUses(given).map(({ path, name, from, value, unused }) =>
    unused === null
      ? ok('setting', `${path} is ${value} (${from === 'environment' ? name : from})`)
      : {
          name: 'setting',
          state: 'note',
          detail: `${name} (${from}) is set, and has no effect: ${unused.why}`,
          advice: `${unused.advice}, or leave out ${name}.`,
        },
  );
}
