import { expect, test } from 'vitest'
import { recordedAhead } from '../../../../../cli/wiring/open/open-audit.ts'
import type { EventLog } from '../../../../../connectors/log/port.ts'
import { type AuditedRequest, duringRequest } from '../../../../../connectors/postgres/core/port.ts'
import { auditEntry } from '../../../../builders/audit/records.ts'

const ahead = (kind: AuditedRequest['kind'] = 'ahead'): AuditedRequest => ({
  kind,
  late: false,
  decides: () => false,
  entry: () => auditEntry({ outcome: 'begun' }),
  made: null,
  found: {},
  isRefused: false,
  stored: null,
})

function world(fails = 0) {
  const done: string[] = []
  let left = fails
  const log = recordedAhead(
    { send: async (_batches: Parameters<EventLog['send']>[0]) => void done.push('sent') },
    {
      store: async (entries) => {
        if (left-- > 0) throw new Error('away')
        done.push(...entries.map(({ outcome }) => outcome))
      },
    },
  )
  return { done, send: () => log.send([]) }
}

test('the record of a request is stored before the log takes anything of it, and once', async () => {
  const { done, send } = world()
  await duringRequest(ahead(), async () => {
    await Promise.all([send(), send()])
    await send()
  })
  expect(done).toEqual(['begun', 'sent', 'sent', 'sent'])
})

test('without its record nothing is sent, and the next try stores it', async () => {
  const { done, send } = world(1)
  await duringRequest(ahead(), async () => {
    await expect(send()).rejects.toThrow('away')
    expect(done).toEqual([])
    await send()
  })
  expect(done).toEqual(['begun', 'sent'])
})

test('what no request sends, and what a request sends whose table decides, is sent as it is', async () => {
  const { done, send } = world()
  await send()
  await duringRequest(ahead('change'), send)
  expect(done).toEqual(['sent', 'sent'])
})
