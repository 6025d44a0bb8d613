/** `0:07`, `12:40`, `1:02:03`. */
export function elapsedClock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const clock = [Math.floor(seconds / 60) % 60, seconds % 60].map((part, index) =>
    index === 0 && seconds < 3600 ? String(part) : String(part).padStart(2, '0'),
  );
  return seconds < 3600 ? clock.join(':') : [Math.floor(seconds / 3600), ...clock].join(':');
}
