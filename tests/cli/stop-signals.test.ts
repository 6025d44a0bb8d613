import { EventEmitter } from 'node:events';
import { listenForStop } from '../../src/cli/session/stop-signals';

test('the first signal stops, one forwarded for the same key press counts once, the next one leaves at once', () => {
  const source = new EventEmitter();
  let time = 0;
  const signals = listenForStop(source, () => time);
  const leave = vi.fn();
  signals.onSecond(leave);
  try {
    source.emit('SIGINT', 'SIGINT');
    expect(signals.stopped.aborted).toBe(true);
    expect(signals.stopped.reason).toBe('SIGINT');
    time = 30;
    source.emit('SIGINT', 'SIGINT');
    expect(leave).not.toHaveBeenCalled();
    time = 2_000;
    source.emit('SIGTERM', 'SIGTERM');
    expect(leave).toHaveBeenCalledWith('SIGTERM');
  } finally {
    signals.dispose();
  }
});

test('disposing gives the signals back', () => {
  const source = new EventEmitter();
  const signals = listenForStop(source);
  expect(source.listenerCount('SIGINT')).toBe(1);
  signals.dispose();
  expect(source.listenerCount('SIGINT')).toBe(0);
});
