import { unusedSettings } from '../../config/setting-uses';
import type { Finding } from './doctor-finding';

/** Settings that nothing uses: whoever set one expects something of it. */
export function examineSettings(): Finding[] {
  return unusedSettings().map(({ name, from, why, advice }) => ({
    name: 'setting',
    state: 'note',
    detail: `${name} (${from}) is set, and has no effect: ${why}`,
    advice: `${advice}, or leave out ${name}.`,
  }));
}
