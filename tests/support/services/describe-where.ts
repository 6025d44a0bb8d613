/** A group of tests that is skipped where a service is missing; its title says which, and the end of `npm test` too. */
export function describeWhere(isThere: boolean, service: string, title: string, tests: () => void): void {
  if (isThere) describe(title, tests);
  else {
    describe.skip(`needs ${service}`, () => {
      describe(title, tests);
    });
  }
}
