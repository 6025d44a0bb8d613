import type { PrepareStores, StoresUnderTest } from './stores-under-test';

export function secretStoreContract(name: string, prepare: PrepareStores): void {
  describe(`secret store on ${name}`, () => {
    let fixture: StoresUnderTest;
    let others: StoresUnderTest;
    beforeEach(async () => {
      [fixture, others] = await Promise.all([prepare(), prepare()]);
    });
    afterEach(async () => {
      await fixture.dispose();
      await others.dispose();
    });

    it('has one secret for the marks around sources, whoever asks, and however many at once', async () => {
      const connections = [await fixture.connect(), await fixture.connect()];
      const secrets = await Promise.all(
        [...connections, ...connections].map((stores) => stores.secrets.promptSecret()),
      );
      expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/);
      // Not compared as lists: a failure would print them.
      expect(new Set(secrets).size).toBe(1);
    });

    it('has another secret for other data', async () => {
      const secret = await (await fixture.connect()).secrets.promptSecret();
      const other = await (await others.connect()).secrets.promptSecret();
      expect(other === secret).toBe(false);
    });
  });
}
