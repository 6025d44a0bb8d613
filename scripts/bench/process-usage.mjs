// Memory and processor time of another process, from Linux's /proc. Elsewhere there is none, and the figures are absent.
import { readFileSync } from 'node:fs';

const SAMPLE_MS = 25;
/** Linux counts processor time in hundredths of a second, whatever the processor. */
const TICKS_A_SECOND = 100;

/**
 * Watches until `stop`, which gives the peaks in bytes, when the anonymous one was reached (milliseconds since 1970), and
 * the processor time in seconds that all threads used meanwhile. Null where the system does not tell.
 */
export function watchProcess(pid) {
  const cpuBefore = cpuSeconds(pid);
  // A process that has ended tells nothing any more: what it had used when it was last asked stands.
  let cpuLast = cpuBefore;
  const peak = { anonymousBytes: 0, anonymousAt: 0, residentBytes: 0 };
  const sample = () => {
    const memory = memoryOf(pid);
    if (memory === null) return;
    cpuLast = cpuSeconds(pid) ?? cpuLast;
    if (memory.anonymousBytes > peak.anonymousBytes) {
      peak.anonymousBytes = memory.anonymousBytes;
      peak.anonymousAt = Date.now();
    }
    peak.residentBytes = Math.max(peak.residentBytes, memory.residentBytes);
  };
  sample();
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      sample();
      if (cpuBefore === null || peak.residentBytes === 0) return null;
      return { ...peak, cpuSeconds: cpuLast - cpuBefore };
    },
  };
}

/** RssAnon leaves out mapped pages of files, which lmdb has many of and the system can take back at any time. */
export function memoryOf(pid) {
  const status = readProc(pid, 'status');
  const kilobytes = (name) => new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status ?? '')?.[1];
  const anonymous = kilobytes('RssAnon');
  const resident = kilobytes('VmRSS');
  if (anonymous === undefined || resident === undefined) return null;
  return { anonymousBytes: Number(anonymous) * 1024, residentBytes: Number(resident) * 1024 };
}

function cpuSeconds(pid) {
  const stat = readProc(pid, 'stat');
  if (stat === null) return null;
  // The name, in brackets, may itself have spaces and brackets; the numbered fields follow it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

function readProc(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null; // not Linux, or the process has ended
  }
}
