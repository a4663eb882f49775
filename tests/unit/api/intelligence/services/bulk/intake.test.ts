import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { takeIn } from '../../../../../../api/intelligence/services/bulk/intake.ts'
import type { Identity } from '../../../../../../schemas/accounts/accounts.ts'

const USER: Identity = {
  userId: randomUUID(),
  roles: ['user', 'reporter'],
  ownGroups: ['blue'],
  groups: ['blue', 'public'],
  customerId: null,
  chargedCustomerId: null,
  disabled: false,
  builtIn: false,
  bounds: null,
  by: null,
}
const LINE = { type: 'ip', attributes: { ip: '203.0.113.7' }, reputation: -3 }

test('a failed delivery is told while the client sends no more', async () => {
  const written: string[] = []
  const never = new Promise<never>(() => undefined)
  let asked = 0
  const bytes = Buffer.from(`${JSON.stringify(LINE)}\n`)
  const taken = takeIn(
    {
      bulkLog: { send: () => Promise.reject(new Error('the log is away')) },
      encodeObservation: () => Buffer.alloc(1),
      counted: () => undefined,
      now: () => 1_770_000_000_000,
      newId: randomUUID,
    },
    {
      user: USER,
      whoNow: async () => USER,
      lines: {
        next: () => (asked++ === 0 ? Promise.resolve({ kind: 'lines', bytes }) : never),
        readAhead: () => undefined,
        arrived: async () => undefined,
        leave: () => undefined,
      },
      writer: {
        write: (text) => void written.push(text),
        hasRoom: () => true,
        open: () => undefined,
        room: async () => undefined,
        full: async () => undefined,
        flushed: async () => undefined,
        close: () => undefined,
      },
      units: { take: async () => Number.MAX_SAFE_INTEGER },
      key: null,
      before: { lines: 0, count: 0, accepted: 0, rejected: 0 },
    },
  )
  expect(await Promise.race([taken, new Promise((done) => setTimeout(done, 2_000, 'it waits'))])).toEqual({
    clean: false,
  })
  expect(asked).toBe(2)
  expect(written.join('')).toContain('publish_failed')
})
