/** Opens several things, which are closed together, the last one first, and where opening the next of them fails. */
export async function openAll<Opened extends object>(
  open: (atClose: (close: () => Promise<unknown>) => void) => Promise<Opened>,
): Promise<Opened & { close(): Promise<void> }> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  try {
    return Object.assign(await open((one) => void closing.push(one)), { close });
  } catch (error) {
    await close();
    throw error;
  }
}
