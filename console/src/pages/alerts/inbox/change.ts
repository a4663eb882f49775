import { type Alert, type AlertState, stateOf } from './alerts.ts'

/** What the dialog says. */
export type AlertFields = { state: AlertState; assignee: string; note: string }

export type AlertChange = { state?: AlertState; assignee?: string | null; note?: string }

/** The members that differ from the alert; null: none does. Who was named keeps the alert only while it is assigned. */
export function changeOf(alert: Pick<Alert, 'state' | 'assignee' | 'note'>, fields: AlertFields): AlertChange | null {
  const assignee = fields.state === 'assigned' ? fields.assignee.trim() : ''
  const note = fields.note.trim()
  const change = {
    ...(fields.state === stateOf(alert) ? {} : { state: fields.state }),
    ...(assignee === (alert.assignee ?? '') ? {} : { assignee: assignee === '' ? null : assignee }),
    ...(note === (alert.note ?? '') ? {} : { note }),
  }
  return Object.keys(change).length === 0 ? null : change
}
