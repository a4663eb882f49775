import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditedRequest } from '../../../../../connectors/postgres/core/port.ts'
import type { AuditEntry } from '../../../../../schemas/audit/record.ts'
import { asAdmin, type RunningApi, startApi } from '../../../../builders/api/api.ts'
import { memoryLog } from '../../../../builders/log/memory-log.ts'

let api: RunningApi
/** The record as it is stored before the log takes anything. */
const stored: AuditEntry[] = []
const store = (): void => {
  const request = auditedRequest()
  if (request !== undefined) stored.push(request.entry())
}

beforeAll(async () => {
  const log = memoryLog(1)
  const send: typeof log.send = (batches) => {
    store()
    return log.send(batches)
  }
  const page = async () => {
    store()
    return { found: 1, retracted: 1, refused: 0, before: 0, changed: 1, left: 0, next: null }
  }
  api = await startApi({ log: { ...log, send }, retractions: { page } })
})
afterAll(() => api?.close())

const post = (path: string, body: object) =>
  fetch(api.url + path, {
    method: 'POST',
    headers: { ...asAdmin, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('a well-known mark has its entity as the subject of its record', async () => {
  stored.length = 0
  const answer = await post('/api/ingest/v1/well-known', { type: 'cidr', attributes: { cidr: '198.51.100.0/24' } })
  const { id } = (await answer.json()) as { id: string }
  expect(id).toMatch(/^cidr-[0-9a-f]{64}$/)
  expect(stored).toMatchObject([{ action: 'mark.set', subject: id, outcome: 'begun' }])
})

test('a retraction has its feed', async () => {
  stored.length = 0
  const body = { feed: 'drop-list', from: '2026-01-01T00:00:00Z', preview: false, reason: 'a secret reason' }
  expect((await post('/api/admin/v1/retractions', body)).status).toBe(200)
  expect(stored).toMatchObject([{ action: 'feed.retract', subject: 'drop-list', outcome: 'begun' }])
  expect(JSON.stringify(stored)).not.toContain('secret')
})
