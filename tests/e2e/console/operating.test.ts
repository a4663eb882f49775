import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, describe } from 'vitest'
import { hasBrowser } from '../../builders/console/browser.ts'
import { openConsole } from '../../builders/console/console.ts'
import { alertsTests } from './operating/alerts.ts'
import { deskTests } from './operating/desk.ts'
import { narrowedKeysTests } from './operating/narrowed-keys.ts'
import { operationsTests } from './operating/operations.ts'
import { triageWorkTests } from './operating/triage-work.ts'

/** The work of operators and of teams, on one platform: it has no customer when the first of these begin. */
describe.skipIf(!hasBrowser())('operating in the console', () => {
  const greeting = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.end('SSH-2.0-OpenSSH_9.2p1 harrier\r\n')
  })
  afterAll(() => void greeting.close())
  const shared = openConsole(async () => {
    greeting.listen(0, '127.0.0.1')
    await once(greeting, 'listening')
    return {
      HARRIER_SCAN_ALLOW_PRIVATE: 'true',
      HARRIER_SCAN_PORTS: String((greeting.address() as AddressInfo).port),
      HARRIER_WEBHOOK_ALLOW_PRIVATE: 'true',
    }
  })
  operationsTests(shared)
  deskTests(shared)
  narrowedKeysTests(shared)
  triageWorkTests(shared)
  alertsTests(shared)
})
