import { expect, test } from 'vitest'
import { apiRoutes } from '../../../../api/app.ts'
import { ocsfEvent } from '../../../../schemas/audit/ocsf.ts'
import { apiConfig, apiPorts } from '../../../builders/api/api.ts'
import { auditEntry, chained } from '../../../builders/audit/records.ts'

const eventOf = (given: Parameters<typeof auditEntry>[0]) =>
  ocsfEvent(chained([auditEntry(given)])[0]!, 12, { version: '1.0.0' })

test('sign-ins are Authentication, changes of accounts Account Change, the rest API Activity', () => {
  const kinds = [
    'session.start',
    'session.end',
    'user.make',
    'role.give',
    'key.make',
    'feed.export',
    'verdict.withdraw',
  ]
  expect(kinds.map((action) => eventOf({ action }).type_uid)).toEqual([
    300201, 300202, 300101, 300107, 600301, 600302, 600304,
  ])
})

test('every action of a route is an event with a class, a type that follows from it, and who did it', () => {
  const audits = apiRoutes(apiPorts(), apiConfig).map(({ audit }) => audit)
  for (const audit of audits) {
    if (audit === null || audit.kind === 'none') continue
    const event = eventOf({ action: audit.action })
    expect(event.type_uid).toBe(event.class_uid * 100 + event.activity_id)
    expect(event.category_uid).toBe(Math.floor(event.class_uid / 1000))
    expect(event.metadata).toMatchObject({ version: '1.3.0', product: { name: 'Harrier', version: '1.0.0' } })
  }
})

test('ids, the outcome and the place on the log are kept', () => {
  const event = eventOf({ userID: 'u', keyID: 'k', subject: 's', outcome: 'refused', count: 40 })
  expect(event).toMatchObject({
    severity_id: 2,
    status_id: 2,
    count: 40,
    time: 1_800_000_000_000,
    actor: { user: { uid: 'u' } },
    src_endpoint: { ip: '203.0.113.7' },
    unmapped: { subject: 's', key_id: 'k', outcome: 'refused', partition: 0, offset: 12 },
  })
  expect(eventOf({ outcome: 'begun' })).toMatchObject({ status_id: 99 })
})

test('roles and groups are kept; a record without any has no such member', () => {
  const details = [{ what: 'roles', count: 1, first: ['auth_admin'] }]
  expect(eventOf({ action: 'role.give', details })).toMatchObject({ class_uid: 3001, unmapped: { details } })
  expect(Object.keys(eventOf({ action: 'role.give' }).unmapped)).not.toContain('details')
})

test('the account of a change is its subject, that of a sign-in who signed in', () => {
  expect(eventOf({ action: 'user.disable', subject: 's', userID: 'u' })).toMatchObject({ user: { uid: 's' } })
  expect(eventOf({ action: 'session.start', subject: 's', userID: 'u' })).toMatchObject({ user: { uid: 'u' } })
})
