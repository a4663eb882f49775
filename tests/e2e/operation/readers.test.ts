import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll } from 'vitest'
import { onOnePlatform } from '../../builders/platform/shared.ts'
import { assistants } from './readers/assistants.ts'
import { audit } from './readers/audit.ts'
import { sql } from './readers/sql.ts'

/** Has the port that the platform wants for SQL. */
const other = createServer()
afterAll(() => void other.close())

// The first follows all changes there are.
onOnePlatform({ assistants, 'the audit log': audit, SQL: sql }, async () => {
  await once(other.listen(0, '127.0.0.1'), 'listening')
  return { HARRIER_SQL_PORT: String((other.address() as AddressInfo).port) }
})
