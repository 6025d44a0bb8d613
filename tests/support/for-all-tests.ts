/** What the tests of a file share: it is opened before the first of them and closed behind the last one. */
export function forAllTests<Shared extends { close(): Promise<unknown> }>(
  open: () => Promise<Shared>,
): Shared {
  let shared: Shared | undefined;
  beforeAll(async () => (shared = await open()));
  afterAll(() => shared?.close());
  const opened = (): Shared => {
    if (shared === undefined) throw new Error('It is opened as soon as tests begin.');
    return shared;
  };
  // It stands for what is not there yet, name by name.
  return new Proxy({} as Shared, {
    get: (_unopened, name) => Reflect.get(opened(), name) as unknown,
    set: (_unopened, name, value) => Reflect.set(opened(), name, value),
  });
}
