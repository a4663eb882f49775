/** Audit records as events of OCSF 1.3 (https://schema.ocsf.io/1.3.0). */

import type { AuditRecord } from './record.ts'

const VERSION = '1.3.0'

type Kind = { category: number; classId: number; className: string; activity: number; activityName: string }

const IAM = 3
const APPLICATION = 6

const iam = (classId: number, className: string, activity: number, activityName: string): Kind => ({
  category: IAM,
  classId,
  className,
  activity,
  activityName,
})

const authentication = (activity: number, name: string): Kind => iam(3002, 'Authentication', activity, name)
const account = (activity: number, name: string): Kind => iam(3001, 'Account Change', activity, name)

/** Sign-ins, by their actions. */
const AUTHENTICATION: Readonly<Record<string, Kind>> = {
  'session.start': authentication(1, 'Logon'),
  'session.open': authentication(1, 'Logon'),
  'session.end': authentication(2, 'Logoff'),
  'credentials.refused': authentication(1, 'Logon'),
}

/** Changes of users and of what they may do, by their actions. */
const ACCOUNT: Readonly<Record<string, Kind>> = {
  'user.make': account(1, 'Create'),
  'user.enable': account(2, 'Enable'),
  'user.disable': account(5, 'Disable'),
  'user.delete': account(6, 'Delete'),
  'role.give': account(7, 'Attach Policy'),
  'role.take': account(8, 'Detach Policy'),
  'groups.change': account(99, 'Other'),
  // Records of versions before this one, and of refusals.
  'user.change': account(99, 'Other'),
}

/** Of API Activity: what the word behind the dot does. */
const CREATE = new Set(['make', 'add', 'set', 'request', 'note', 'pin', 'load'])
const READ = new Set(['export', 'read', 'stream', 'call'])
const DELETE = new Set([
  'delete',
  'remove',
  'withdraw',
  'clear',
  'retract',
  'drop',
  'unnote',
  'unpin',
  'leave',
  'cancel',
])

function apiActivity(action: string): Kind {
  const word = action.slice(action.indexOf('.') + 1)
  const [activity, activityName] = CREATE.has(word)
    ? [1, 'Create']
    : READ.has(word)
      ? [2, 'Read']
      : DELETE.has(word)
        ? [4, 'Delete']
        : ([3, 'Update'] as const)
  return { category: APPLICATION, classId: 6003, className: 'API Activity', activity, activityName } as Kind
}

const kindOf = (action: string): Kind => AUTHENTICATION[action] ?? ACCOUNT[action] ?? apiActivity(action)

const STATUS: Readonly<Record<string, { status_id: number; status: string }>> = {
  success: { status_id: 1, status: 'Success' },
  refused: { status_id: 2, status: 'Failure' },
}

/** A record as one event. What has no place of its own there is in `unmapped`. */
export function ocsfEvent(record: AuditRecord, offset: number, product: { version: string }) {
  const { category, classId, className, activity, activityName } = kindOf(record.action)
  const isRefused = record.outcome === 'refused'
  const user = { uid: record.userID ?? 'unknown', type_id: record.userID === null ? 0 : 1 }
  const subject = record.subject === '' ? {} : { subject: record.subject }
  return {
    category_uid: category,
    category_name: category === IAM ? 'Identity & Access Management' : 'Application Activity',
    class_uid: classId,
    class_name: className,
    activity_id: activity,
    activity_name: activityName,
    type_uid: classId * 100 + activity,
    time: record.at,
    severity_id: isRefused ? 2 : 1,
    severity: isRefused ? 'Low' : 'Informational',
    ...(STATUS[record.outcome] ?? { status_id: 99, status: 'Other' }),
    count: record.count,
    metadata: {
      version: VERSION,
      uid: record.id,
      sequence: record.sequence,
      product: { name: 'Harrier', vendor_name: 'Harrier', version: product.version },
    },
    actor: { user },
    ...(classId === 3002 || classId === 3001 ? { user: accountOf(record, user) } : {}),
    ...(classId === 6003 ? { api: { operation: record.action, service: { name: 'harrier' } } } : {}),
    src_endpoint: { ip: record.ip },
    unmapped: {
      action: record.action,
      ...subject,
      ...(record.keyID === null ? {} : { key_id: record.keyID }),
      outcome: record.outcome,
      partition: record.partition,
      offset,
      previous_hash: record.previousHash.toString('hex'),
      hash: record.hash.toString('hex'),
      ...(record.details.length === 0 ? {} : { details: record.details }),
    },
  }
}

/** The account that is meant: of a change the subject, of a sign-in who signed in. */
const accountOf = ({ action, subject }: AuditRecord, actor: { uid: string; type_id: number }) =>
  action in ACCOUNT && subject !== '' ? { uid: subject, type_id: 1 } : actor
