/** A group of tests that is skipped where a service is not to be had; `npm test` knows by its title why, and CI accepts no such skip. */
export function describeWhere(isThere: boolean, service: string, title: string, tests: () => void): void {
  if (isThere) describe(title, tests);
  else describe.skip(`needs ${service}`, () => describe(title, tests));
}
