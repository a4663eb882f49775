import { MAX_GROUP_LENGTH, MAX_GROUPS } from '../intelligence/observations/audience.ts'
import { readSelector } from '../intelligence/selectors/read.ts'
import { DEFAULT_REVISION, MAX_RETENTION_DAYS, type OwnerSettings } from './settings.ts'

const OWNER = /^(?:customer|user):[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MEMBERS: ReadonlySet<string> = new Set([
  ...(['owner', 'revision', 'changedAt', 'selector', 'groups', 'retentionDays', 'sightings'] as const),
])

/** Settings as they stand on the log: JSON text, the same for the same settings. */
export function writeSettings({ selector, ...rest }: OwnerSettings): Buffer {
  const { owner, revision, changedAt, groups, retentionDays, sightings } = rest
  const read = readSelector(selector)
  const whole = { owner, revision, changedAt, selector: read.ok ? read.selector : selector, groups, retentionDays }
  return Buffer.from(JSON.stringify({ ...whole, sightings }))
}

/** Settings from the log, read strictly; null for whatever is none. Never throws. */
export function readSettings(bytes: Buffer): OwnerSettings | null {
  let given: unknown
  try {
    given = JSON.parse(bytes.toString())
  } catch {
    return null
  }
  if (!isObject(given) || Object.keys(given).some((name) => !MEMBERS.has(name))) return null
  const { owner, revision, changedAt, selector, groups, retentionDays, sightings } = given
  const read = readSelector(selector)
  if (!read.ok || !isOwnerKey(owner)) return null
  if (!isWhole(revision, DEFAULT_REVISION) || !isWhole(changedAt, 0)) return null
  if (!isWhole(retentionDays, 1) || retentionDays > MAX_RETENTION_DAYS) return null
  if (!isGroups(groups)) return null
  const told = sightings === null ? null : isObject(sightings) && isGroups(sightings.groups) ? sightings.groups : false
  if (told === false) return null
  return {
    owner,
    revision,
    changedAt,
    selector: read.selector,
    groups: [...groups].sort(),
    retentionDays,
    sightings: told === null ? null : { groups: [...told].sort() },
  }
}

/** Whether a text names an owner of telemetry: `customer:<UUID>` or `user:<UUID>`. */
export const isOwnerKey = (given: unknown): given is string => typeof given === 'string' && OWNER.test(given)

const isObject = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

const isWhole = (given: unknown, least: number): given is number =>
  Number.isSafeInteger(given) && Number(given) >= least

const isGroups = (given: unknown): given is string[] =>
  Array.isArray(given) &&
  given.length > 0 &&
  given.length <= MAX_GROUPS &&
  given.every((group) => typeof group === 'string' && group !== '' && group.length <= MAX_GROUP_LENGTH)
