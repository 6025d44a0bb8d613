import { describeWithRedis } from '../../support/services/redis-server';
import { outliveAKilledStore } from './outlive-a-killed-store';
import { onRedis } from './store-servers';

describeWithRedis('with all that is kept on Redis', () => outliveAKilledStore(onRedis));
