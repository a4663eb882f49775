import type { DeltaOp, DeltaReason, FeedDelta } from '../../../schemas/feeds-out/delta.ts'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import type { FeedMember } from '../../../schemas/feeds-out/member.ts'
import { inListOrder } from '../../../schemas/feeds-out/order.ts'
import type { Boundary } from './boundary.ts'
import type { FeedStep } from './step.ts'

/** How far a list is, and how long it is. */
export type ListSize = {
  /** Of its last delta. */
  sequence: number
  items: number
  /** Entities that the feed selects, those too that the cap leaves out. */
  inside: number
}

export type SteppedList = ListSize & { deltas: FeedDelta[]; members: Map<string, FeedMember> }

export type StepRules = {
  cap: number | null
  /** Members before these steps: of those that may have left by time, and of all that are stepped on beside a boundary. */
  known: (entityId: string) => FeedMember | undefined
  /** Of a list that may reach its cap; null for the others. */
  edge: Boundary | null
}

/**
 * What steps, in their order, do to a list: its deltas, and the members to store. Pure (decisions 11.2, 11.3): one delta
 * for each entity that a step lists, changes or unlists.
 */
export function listSteps(size: ListSize, steps: readonly FeedStep[], { cap, known, edge }: StepRules): SteppedList {
  const to: SteppedList = { ...size, deltas: [], members: new Map() }
  const room = cap ?? Number.POSITIVE_INFINITY

  const tell = (op: DeltaOp, item: FeedItem, reason: DeltaReason, at: number): void => {
    to.sequence++
    if (op !== 'update') to.items += op === 'add' ? 1 : -1
    to.deltas.push({ sequence: to.sequence, op, reason, at, item })
  }
  const keep = (member: FeedMember): void => void to.members.set(member.item.entityId, member)
  const memberOf = (entityId: string): FeedMember | undefined => to.members.get(entityId) ?? known(entityId)
  const isListed = (entityId: string): boolean => edge === null || memberOf(entityId)?.state === 'listed'

  /** The cap leaves out what was listed. */
  function unlist(last: FeedMember, shown: FeedItem, at: number): void {
    const left: FeedMember = { ...last, state: 'left', reason: 'cap', at }
    tell('remove', shown, 'cap', at)
    edge!.forget(shown.entityId)
    edge!.leave(left)
    keep(left)
  }

  /** The first one that was left out takes the room. */
  function listNext(at: number): void {
    const next = edge?.bestLeft()
    if (next === undefined || to.items >= room) return
    const listed: FeedMember = { ...next, state: 'listed', reason: 'cap', at }
    edge!.forget(next.item.entityId)
    edge!.list(listed)
    tell('add', next.item, 'cap', at)
    keep(listed)
  }

  function depart(item: FeedItem, reason: DeltaReason, at: number): void {
    const listed = isListed(item.entityId)
    edge?.forget(item.entityId)
    to.inside--
    keep({ item, state: 'gone', leavesAt: null, reason, at })
    if (!listed) return
    tell('remove', item, reason, at)
    listNext(at)
  }

  function arrive(item: FeedItem, { reason, at, leavesAt }: FeedStep): void {
    to.inside++
    enter({ item, state: 'listed', leavesAt, reason, at })
  }

  /** Lists what is not listed, if there is room for it or the last listed one is worse. */
  function enter(member: FeedMember): void {
    const { item, reason, at } = member
    const last = to.items < room ? undefined : edge!.worstListed()
    if (last !== undefined && inListOrder(item, last.item) > 0) {
      const left: FeedMember = { ...member, state: 'left' }
      edge!.leave(left)
      keep(left)
      return
    }
    if (last !== undefined) unlist(last, last.item, at)
    edge?.list(member)
    tell('add', item, reason, at)
    keep(member)
  }

  function move(before: FeedItem, item: FeedItem, { reason, at, leavesAt }: FeedStep): void {
    const moved: FeedMember = { item, state: 'listed', leavesAt, reason, at }
    const listed = isListed(item.entityId)
    edge?.forget(item.entityId)
    const next = edge?.bestLeft()
    if (!listed) enter(moved)
    else if (next !== undefined && inListOrder(next.item, item) < 0) {
      // Worse than one that the cap left out: they change places.
      unlist(moved, before, at)
      listNext(at)
    } else {
      edge?.list(moved)
      if (!sameShown(before, item)) tell('update', item, reason, at)
      keep(moved)
    }
  }

  for (const step of steps) {
    let { before } = step
    if (before !== null && step.leftAt !== null) {
      // Nothing was told of its leaving if it is a member still.
      const member = memberOf(step.entityId)
      if (member !== undefined && member.state !== 'gone') depart(before, 'aged', step.leftAt)
      before = null
    }
    if (before !== null && step.after === null) depart(before, step.reason, step.at)
    else if (before === null && step.after !== null) arrive(step.after, step)
    else if (before !== null && step.after !== null) move(before, step.after, step)
  }
  return to
}

/** Fields that a delta shows; times alone are no delta. */
const sameShown = (a: FeedItem, b: FeedItem): boolean =>
  a.reputation === b.reputation &&
  a.accuracy === b.accuracy &&
  a.tags.length === b.tags.length &&
  a.tags.every((tag, i) => tag === b.tags[i])
