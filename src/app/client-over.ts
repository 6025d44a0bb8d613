import type { Client } from '@temporalio/client';
import { type ColligateClient, createColligateClient } from '../client/colligate-client';
import type { Config } from '../config/config';
import type { Stores } from '../stores/stores';
import { configuredPages } from './configured-pages';

/** A client on an open connection and open stores. Pages and texts follow `config`; requests get no defaults from it. */
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
