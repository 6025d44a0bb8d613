import { checkOutside, type OutsideAnswer } from '../../app/endpoint/check-outside';
import type { Config } from '../../config/config';
import { ok, type Finding } from './doctor-finding';

const ADVICE: Record<OutsideAnswer['name'], string> = {
  langfuse:
    'Check LANGFUSE_BASE_URL, LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY. Runs go on with the prompts of the program.',
  traces: 'Check OTEL_EXPORTER_OTLP_ENDPOINT and its headers, or Langfuse’s keys. Runs go on without traces.',
};

/** Prompts and traces elsewhere. No report depends on them, so nothing here is a problem. */
export async function examineOutside(config: Config): Promise<Finding[]> {
  const answers = await checkOutside(config);
  return [
    ...answers.map(({ name, address, problem }) =>
      problem === null
        ? ok(name, `${address} answers`)
        : { name, state: 'note' as const, detail: `${address}: ${problem}`, advice: ADVICE[name] },
    ),
    ok('prompts', promptsOf(config)),
  ];
}

function promptsOf({ prompts }: Config): string {
  return prompts.provider === 'code'
    ? 'those of the program'
    : `Langfuse’s with the label ${prompts.label}, and those of the program behind them`;
}
