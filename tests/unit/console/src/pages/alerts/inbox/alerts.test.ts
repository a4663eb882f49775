import { describe, expect, test } from 'vitest'
import {
  type Alert,
  EXPORT_COLUMNS,
  exportRows,
  matchText,
  newestOf,
  stateOf,
} from '../../../../../../../console/src/pages/alerts/inbox/alerts.ts'
import { changeOf } from '../../../../../../../console/src/pages/alerts/inbox/change.ts'
import { csv } from '../../../../../../../console/src/parts/format/csv.ts'

const alert = (given: Partial<Alert> = {}): Alert => ({
  id: '11111111-1111-8111-8111-111111111111',
  '@timestamp': '2026-11-22T00:00:00.000Z',
  watchlistID: 'w',
  itemID: 'i',
  entityID: 'ip-1',
  entityType: 'ip',
  entityValue: '203.0.113.7',
  reputation: -2,
  matchedKind: 'tag',
  matchedOn: 'c2',
  count: 2,
  lastAt: '2026-11-22T02:00:00.000Z',
  unread: true,
  ...given,
})

describe('an alert', () => {
  test('without a state is new, and says what it matched', () => {
    expect(stateOf(alert())).toBe('new')
    expect(stateOf(alert({ state: 'handled' }))).toBe('handled')
    expect(matchText(alert())).toBe('Tag: c2')
  })

  test('of an older day that came again last is the newest', () => {
    const again = alert({ lastAt: '2026-11-23T00:00:00.000Z' })
    expect(newestOf([alert(), again, alert()])).toBe(again.lastAt)
    expect(newestOf([])).toBeNull()
  })

  test('is exported as a row whose cells a spreadsheet does not run', () => {
    const row = exportRows([alert({ entityValue: '=cmd()', note: '+1', state: 'handled' })], () => '@list')
    expect(row[0]).toHaveLength(EXPORT_COLUMNS.length)
    const text = csv(EXPORT_COLUMNS, row)
    expect(text).toContain(",ip,'=cmd(),-2,tag,c2,'@list,handled,,'+1,,yes\r\n")
  })
})

describe('a change of an alert', () => {
  const fields = { state: 'new', assignee: '', note: '' } as const
  test.each([
    ['nothing', {}, fields, null],
    ['the state', {}, { ...fields, state: 'handled' }, { state: 'handled' }],
    ['who handles it', {}, { ...fields, state: 'assigned', assignee: ' Ada ' }, { state: 'assigned', assignee: 'Ada' }],
    ['no note any more', { note: 'old' }, fields, { note: '' }],
    [
      'handled, by nobody in particular',
      { state: 'assigned', assignee: 'Ada' },
      { ...fields, state: 'handled', assignee: 'Ada' },
      { state: 'handled', assignee: null },
    ],
  ] as const)('%s is sent as what differs', (_, before, to, want) =>
    expect(changeOf(alert(before as Partial<Alert>), to)).toEqual(want),
  )
})
