import type { Client } from '@temporalio/client';
import { type ColligateClient, createColligateClient } from '../client/colligate-client';
import type { Config } from '../config/config';
import type { Stores } from '../stores/stores';
import { configuredPages } from './configured-pages';

/** A client over what is open, which reads pages and shows texts as the configuration has it; its requests are taken as they are. */
export function clientOver(
  config: Config,
  { client, taskQueue, stores }: { client: Client; taskQueue: string; stores: Stores },
): ColligateClient {
  const { content, events, responses, derived } = stores;
  const { browsers, cwd, texts } = config;
  const pages = configuredPages(config, derived);
  return createColligateClient({
    client,
    taskQueue,
    content,
    events,
    responses,
    derived,
    pages,
    browsers,
    cwd,
    texts,
  });
}
