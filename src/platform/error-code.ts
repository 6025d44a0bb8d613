/**
 * The code of an operating system's error, such as `ENOENT`, or null. It looks at the shape, because an `instanceof`
 * fails where a test runner gives modules an `Error` of their own.
 */
export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
