import { type Check, pageOfChecks } from '../../../pages/page-of-checks';
import type { Routes } from '../../face';
import { sendPage, viewerOf } from './looked-at';

export interface ServiceOptions {
  /** Looks at what is configured, reachable and missing. */
  examine: () => Promise<readonly Check[]>;
}

export function servicePages({ examine }: ServiceOptions): Routes {
  return (app) => {
    app.get(
      '/service',
      { config: { scope: 'admin', page: true }, schema: { hide: true } },
      async (request, reply) => sendPage(reply, pageOfChecks(viewerOf(request), await examine())),
    );
  };
}
