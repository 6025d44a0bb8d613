/** Waits for a program; where it fails, the reason is the last line of what it said, which is what it means. */
export async function inOneLine(running) {
  try {
    return await running;
  } catch (error) {
    if (error.killed) throw new Error('it took too long', { cause: error });
    const said = `${error.stderr ?? ''}`.trim().split('\n').at(-1);
    throw new Error(said || error.message, { cause: error });
  }
}
