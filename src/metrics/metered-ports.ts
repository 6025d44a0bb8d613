import type { Ports } from '../stores/stores';
import type { Metrics } from './metrics';

export function meteredPorts<Given extends Partial<Ports>>(
  ports: Given,
  metrics: Pick<Metrics, 'storeFailed'>,
): Given {
  const metered = Object.entries(ports).map(([port, made]: [string, object]) => [
    port,
    metering(made, (operation, error) => metrics.storeFailed({ port, operation, error })),
  ]);
  return Object.fromEntries(metered) as Given; // under the same names
}

function metering(port: object, tell: (operation: string, error: string) => void): object {
  return new Proxy(port, {
    get(target, operation) {
      const found: unknown = Reflect.get(target, operation);
      if (typeof found !== 'function' || typeof operation === 'symbol') return found;
      return (...given: unknown[]): unknown => {
        const made: unknown = Reflect.apply(found, target, given);
        if (made instanceof Promise)
          made.catch((error: unknown) => tell(operation, error instanceof Error ? error.name : 'unknown'));
        return made;
      };
    },
  });
}
