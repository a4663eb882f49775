import { expect, test } from 'vitest'
import type { ShownAudit } from '../../../../../connectors/history/audit/port.ts'
import { asAdmin, startApi } from '../../../../builders/api/api.ts'
import { auditEntry, chained } from '../../../../builders/audit/records.ts'
import { during } from '../../../../builders/suite/during.ts'

const details = [{ what: 'entities', count: 14, first: ['a', 'b'] }]
const shown: ShownAudit[] = chained([
  auditEntry({ action: 'triage.change', subject: '', details }),
  auditEntry({ action: 'credentials.refused', outcome: 'refused', count: 40 }),
]).map(({ hash, previousHash, ...record }, offset) => ({
  ...record,
  offset,
  hash: hash.toString('hex'),
  previousHash: previousHash.toString('hex'),
}))

const api = during(() => startApi({ auditReads: { page: async () => shown } }))

test('records are listed with their places, counts and details; one without details has no such member', async () => {
  const answer = await fetch(`${api.url}/api/admin/v1/audit`, { headers: asAdmin })
  expect(answer.status).toBe(200)
  const { items } = (await answer.json()) as { items: Record<string, unknown>[] }
  expect(items).toMatchObject([
    { action: 'triage.change', subject: null, sequence: 0, count: 1, details },
    { action: 'credentials.refused', sequence: 1, count: 40, outcome: 'refused' },
  ])
  expect(Object.keys(items[1]!)).not.toContain('details')
})
