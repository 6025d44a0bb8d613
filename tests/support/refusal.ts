/** The error of this class with which something is refused; any other outcome is thrown. */
export async function refusal<Refusal extends Error>(
  asked: Promise<unknown>,
  kind: abstract new (...given: never[]) => Refusal,
): Promise<Refusal> {
  try {
    await asked;
  } catch (error) {
    if (error instanceof kind) return error;
    throw error;
  }
  throw new Error(`it was not refused with ${kind.name}`);
}
