/** What the promise resolves to, or null where that takes longer. */
export function within(milliseconds, promise) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds, null);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
