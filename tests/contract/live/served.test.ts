import { onOnePlatform } from '../../builders/platform/shared.ts'
import { parquetServed } from '../feeds/parquet-served.ts'
import { pythonClients } from './python-clients.ts'

/** What a platform serves, as libraries of Python read it. The first lists all that there is. */
onOnePlatform({ 'a Parquet file': parquetServed, 'streams, the socket and webhooks': pythonClients }, () => ({
  HARRIER_WEBHOOK_ALLOW_PRIVATE: 'true',
}))
