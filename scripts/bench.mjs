// `npm run bench`: how long a report takes, and what it costs in memory and history. Every round is a fresh folder with a
// server and a worker of its own, as separate processes; the figures are medians over the rounds.
//   npm run bench -- [--runs 3] [--crowds] [--answers] [--throughput] [--growth [--most 50000]] [--pages [--most 5000]] [--followers] [--write]
// `--crowds` measures runs over very many sources alone, `--answers` answers alone, `--throughput` many runs at once alone,
// `--growth` what grows with the number of sources, `--pages` the import of pages and `--followers` many that follow a run over HTTP
// (which nothing else measures, since they take long); `--write` puts the figures into docs/benchmarks.md.
import { runTypeScript } from './run-typescript.mjs';

const { bench } = await runTypeScript('./bench/command.ts');
process.exitCode = await bench(process.argv.slice(2));
