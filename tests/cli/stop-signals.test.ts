import { listenForStop } from '../../src/cli/session/stop-signals';

test('the first signal stops, one forwarded for the same key press counts once, the next one leaves at once', () => {
  let time = 0;
  const signals = listenForStop(() => time);
  const leave = vi.fn();
  signals.onSecond(leave);
  try {
    process.emit('SIGINT', 'SIGINT');
    expect(signals.stopped.aborted).toBe(true);
    expect(signals.stopped.reason).toBe('SIGINT');
    time = 30;
    process.emit('SIGINT', 'SIGINT');
    expect(leave).not.toHaveBeenCalled();
    time = 2_000;
    process.emit('SIGTERM', 'SIGTERM');
    expect(leave).toHaveBeenCalledWith('SIGTERM');
  } finally {
    signals.dispose();
  }
});

test('disposing gives the signals back', () => {
  const before = process.listenerCount('SIGINT');
  const signals = listenForStop();
  expect(process.listenerCount('SIGINT')).toBe(before + 1);
  signals.dispose();
  expect(process.listenerCount('SIGINT')).toBe(before);
});
