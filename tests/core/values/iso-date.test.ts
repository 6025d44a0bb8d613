import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { BUILT } from '../../support/build';

const DATES: Record<string, string | null> = {
  '2019': '2019',
  ' 2019-04 ': '2019-04',
  '2019-04-12T23:30:00-05:00': '2019-04-12',
  '2019-13': null,
  'Mon, 04 May 2020 23:30:00 -0500': '2020-05-04',
  '04 May 20 00:30 EST': '2020-05-04',
  'May 4, 2020': '2020-05-04',
  '3 days ago': null,
  '': null,
};


// A process keeps to the zone that it was started in.
test.each(['Asia/Tokyo', 'America/New_York'])('a date is the day that it names, in %s too', (zone) => {
  const program = `const { isoDate } = require(process.argv[1]);
    process.stdout.write(JSON.stringify(JSON.parse(process.argv[2]).map(isoDate)));`;
  const file = path.join(BUILT, 'core/values/iso-date.js');
  const args = ['-e', program, file, JSON.stringify(Object.keys(DATES))];
  const told = execFileSync(process.execPath, args, { env: { ...process.env, TZ: zone }, encoding: 'utf8' });
  expect(JSON.parse(told)).toEqual(Object.values(DATES));
});
