import type { Store } from './log-store.ts'
import { topicOf } from './topics.ts'

type TopicPartition = { topic: string; partition: number }
type GroupMember = { id: string; topics: string[] }

/**
 * Assigns partitions: of each topic, the members that subscribed to it take turns in the order of their ids,
 * each topic beginning one member further so that topics of one partition do not all meet the same member.
 */
export function assignPartitions(
  topics: readonly { name: string; partitions: number }[],
  members: readonly GroupMember[],
): Map<string, TopicPartition[]> {
  const sorted = [...members].sort((a, b) => (a.id < b.id ? -1 : 1))
  const assigned = new Map<string, TopicPartition[]>(sorted.map(({ id }) => [id, []]))
  let turn = 0
  for (const { name, partitions } of [...topics].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const takers = sorted.filter((member) => member.topics.includes(name))
    if (takers.length === 0) continue
    for (let partition = 0; partition < partitions; partition++)
      assigned.get(takers[turn++ % takers.length]!.id)!.push({ topic: name, partition })
  }
  return assigned
}

/**
 * The state of a consumer group, as rows of `groups`:
 *   ['member', group, id]               what a member reads, until when its lease runs, and how long one does
 *   ['owner', group, topic, partition]  who has a partition, and how often it has changed hands
 *   ['offset', group, topic, partition] where the group is, and the range it has begun there
 *   ['version', group]                  moves with every change of members or owners, so that the others look (ADR 267)
 */
type MemberRow = { topics: string[]; expires: number; leaseMs?: number }
type OwnerRow = { member: string | null; epoch: number }
export type Intent = { to: number; note: string }
export type OffsetRow = { offset: number; intent: Intent | null }
export type OwnedPartition = TopicPartition & { epoch: number }

/** A member that lost its partition to another one; what it wanted to record is not recorded. */
export class FencedError extends Error {
  constructor(group: string, { topic, partition }: TopicPartition) {
    super(`topic ${topic} partition ${partition} is no longer assigned to this member of group ${group}`)
    this.name = 'FencedError'
  }
}

const after = (key: (string | number)[]) => ({ start: key, end: [...key, '\uffff'] })
const ownerKey = (group: string, { topic, partition }: TopicPartition) => ['owner', group, topic, partition]
const offsetKey = (group: string, { topic, partition }: TopicPartition) => ['offset', group, topic, partition]

export const groupVersion = (store: Store, group: string): number =>
  (store.groups.get(['version', group]) as number | undefined) ?? 0

const bumpVersion = (store: Store, group: string) =>
  store.groups.put(['version', group], groupVersion(store, group) + 1)

/**
 * Whether a lease holds. One that ends later than any lease can was taken by a clock that has been set back since: its
 * holder renews it soon if it lives, and would keep everything until that time comes again if it does not.
 */
export const leaseHolds = (expires: number, leaseMs: number, now: number): boolean =>
  expires > now && expires <= now + 2 * leaseMs

const alive = ({ expires, leaseMs = Number.POSITIVE_INFINITY }: MemberRow, now: number): boolean =>
  leaseHolds(expires, leaseMs, now)

function liveMembers(store: Store, group: string, now: number): GroupMember[] {
  const members: GroupMember[] = []
  for (const { key, value } of store.groups.getRange(after(['member', group]))) {
    const row = value as MemberRow
    if (alive(row, now)) members.push({ id: String(key[2]), topics: row.topics })
  }
  return members
}

/** Inside a transaction: enters the group. */
export function join(store: Store, group: string, member: GroupMember, now: number, leaseMs: number): void {
  renew(store, group, member, now, leaseMs)
  bumpVersion(store, group)
}

function renew(store: Store, group: string, { id, topics }: GroupMember, now: number, leaseMs: number): void {
  store.groups.put(['member', group, id], { topics, expires: now + leaseMs, leaseMs } satisfies MemberRow)
}

/**
 * Inside a transaction, one turn of a member: renews its lease, removes members whose lease ran out, and takes the
 * partitions that the assignment gives it and that no member holds. `lost`: the member itself had been removed.
 * A partition is given up by its holder after the running batch (`release`), so two members never work on one.
 */
export function takeTurn(
  store: Store,
  group: string,
  member: GroupMember,
  now: number,
  leaseMs: number,
): { lost: true } | { lost: false; desired: TopicPartition[]; owned: OwnedPartition[] } {
  if (!store.groups.get(['member', group, member.id])) return { lost: true }
  renew(store, group, member, now, leaseMs)
  evict(store, group, now)
  const members = liveMembers(store, group, now)
  const names = [...new Set(members.flatMap(({ topics }) => topics))]
  const desired =
    assignPartitions(
      names.map((name) => topicOf(store, name)),
      members,
    ).get(member.id) ?? []
  const owned: OwnedPartition[] = []
  for (const at of desired) {
    const row = (store.groups.get(ownerKey(group, at)) as OwnerRow | undefined) ?? { member: null, epoch: 0 }
    if (row.member === null) {
      const taken: OwnerRow = { member: member.id, epoch: row.epoch + 1 }
      store.groups.put(ownerKey(group, at), taken)
      owned.push({ ...at, epoch: taken.epoch })
    } else if (row.member === member.id) owned.push({ ...at, epoch: row.epoch })
  }
  return { lost: false, desired, owned }
}

function evict(store: Store, group: string, now: number): void {
  const expired = [...store.groups.getRange(after(['member', group]))].filter(
    ({ value }) => !alive(value as MemberRow, now),
  )
  for (const { key } of expired) leave(store, group, String(key[2]))
}

/** Inside a transaction: takes a member and everything it holds out of the group. */
export function leave(store: Store, group: string, member: string): void {
  store.groups.remove(['member', group, member])
  for (const { key, value } of [...store.groups.getRange(after(['owner', group]))]) {
    const row = value as OwnerRow
    if (row.member === member) store.groups.put(key, { ...row, member: null } satisfies OwnerRow)
  }
  bumpVersion(store, group)
}

/** Inside a transaction: gives a partition back; nothing when it is no longer the member's. */
export function release(store: Store, group: string, member: string, at: OwnedPartition): void {
  const row = store.groups.get(ownerKey(group, at)) as OwnerRow | undefined
  if (row?.member !== member || row.epoch !== at.epoch) return
  store.groups.put(ownerKey(group, at), { ...row, member: null } satisfies OwnerRow)
  bumpVersion(store, group)
}

export const offsetRow = (store: Store, group: string, at: TopicPartition): OffsetRow | undefined =>
  store.groups.get(offsetKey(group, at)) as OffsetRow | undefined

/** Inside a transaction: records the position, if the partition is still the member's. Throws FencedError otherwise. */
export function commitOffset(store: Store, group: string, member: string, at: OwnedPartition, row: OffsetRow): void {
  const owner = store.groups.get(ownerKey(group, at)) as OwnerRow | undefined
  if (owner?.member !== member || owner.epoch !== at.epoch) throw new FencedError(group, at)
  store.groups.put(offsetKey(group, at), row)
}

/** Inside a transaction: moves a group that has no members. Throws when it has some. */
export function moveOffsets(
  store: Store,
  group: string,
  offsets: readonly (TopicPartition & { offset: number })[],
  now: number,
): void {
  evict(store, group, now)
  const members = liveMembers(store, group, now).length
  if (members > 0) throw new Error(`group ${group} has ${members} active members; stop them before setting its offsets`)
  for (const at of offsets)
    store.groups.put(offsetKey(group, at), { offset: at.offset, intent: null } satisfies OffsetRow)
}

/** The lowest offset of a partition that a begun range still needs, whatever group began it. */
export function begunFrom(store: Store, { topic, partition }: TopicPartition): number {
  let lowest = Number.POSITIVE_INFINITY
  for (const { key, value } of store.groups.getRange(after(['offset']))) {
    const row = value as OffsetRow
    if (row.intent && key[2] === topic && key[3] === partition) lowest = Math.min(lowest, row.offset)
  }
  return lowest
}
