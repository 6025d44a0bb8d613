import type { KeptSecrets } from '../kept-ports';
import type { StoreEnvironment } from './environment';

export function openSecrets(environment: StoreEnvironment): KeptSecrets {
  const secrets = environment.binaryTable('secrets');
  return {
    async settle(name, made, isWhole) {
      const seen = environment.read(() => secrets.get(name));
      if (seen !== undefined && isWhole(seen)) return Uint8Array.from(seen);
      return environment.write(() => {
        // Somebody else may have made one since.
        const found = secrets.get(name);
        if (found !== undefined && isWhole(found)) return Uint8Array.from(found);
        // A write in a transaction is not awaited: it fares as the transaction does, whose promise is.
        void secrets.put(name, Buffer.from(made));
        return made;
      });
    },
  };
}
