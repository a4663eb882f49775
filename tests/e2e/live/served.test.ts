import { onOnePlatform } from '../../builders/platform/shared.ts'
import { parquetServed } from './served/parquet-served.ts'
import { pythonClients } from './served/python-clients.ts'

/**
 * What a platform serves, as libraries of Python read it, on embedded stores: a broker that other tests use too has records
 * and members of groups that are none of this platform. The first lists all that there is.
 */
onOnePlatform({ 'a Parquet file': parquetServed, 'streams, the socket and webhooks': pythonClients }, () => ({
  HARRIER_WEBHOOK_ALLOW_PRIVATE: 'true',
}))
