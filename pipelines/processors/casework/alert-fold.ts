import { type AlertWrite, alertId, alertValue, type FiredAlert, utcDay } from '../../../schemas/casework/alert.ts'
import type { AlertStep, ToldView } from './look-at.ts'

/** Of an item and an entity: alerts by their days, of which the last one fired last. */
type Gathered = {
  itemId: string
  entityId: string
  publicly: { publicly?: true }
  withdrawnBefore: boolean
  days: Map<string, FiredAlert>
}

/**
 * Steps, in their order, as the alerts that they make: one for an item, an entity and a UTC day, which repeats count up. A
 * withdrawal is of the last alert, here or in the store. The day is that on which the change was logged, so steps that are
 * made again give the same alerts.
 */
export function alertFold() {
  const gathered = new Map<string, Gathered>()
  let size = 0

  function fire(
    { item, view, readableBy, needs, change, time }: AlertStep<ToldView>,
    { days, publicly }: Gathered,
  ): void {
    const day = utcDay(time)
    const known = days.get(day)
    if (known === undefined) size++
    // What fires again is the last one again.
    days.delete(day)
    days.set(day, {
      id: known?.id ?? alertId(item.id, view.entityId, day),
      ...publicly,
      owner: item.list.owner,
      watchlistId: item.list.id,
      itemId: item.id,
      entityId: view.entityId,
      entityType: view.type,
      entityValue: alertValue(view.value),
      reputation: view.reputation,
      matchedKind: item.watch.kind,
      matchedOn: item.watch.on,
      readableBy,
      ...(needs !== undefined && needs.length > 0 && { needs }),
      count: (known?.count ?? 0) + 1,
      withdrawn: false,
      partition: change.partition,
      offset: change.offset,
    })
  }

  function withdraw(those: Gathered): void {
    const last = [...those.days.values()].at(-1)
    if (last !== undefined) last.withdrawn = true
    else if (!those.withdrawnBefore) {
      those.withdrawnBefore = true
      size++
    }
  }

  return {
    add(step: AlertStep<ToldView>): void {
      const { item, view } = step
      const publicly: Gathered['publicly'] = item.list.publicly ? { publicly: true } : {}
      const key = `${item.list.publicly ?? false} ${item.id} ${view.entityId}`
      const those = gathered.get(key) ?? {
        itemId: item.id,
        entityId: view.entityId,
        publicly,
        withdrawnBefore: false,
        days: new Map(),
      }
      gathered.set(key, those)
      if (step.does === 'fire') fire(step, those)
      else withdraw(those)
    },
    /** Alerts and withdrawals. */
    size: (): number => size,
    /** All of them; then there are none. */
    take(): AlertWrite {
      const all = [...gathered.values()]
      gathered.clear()
      size = 0
      return {
        withdrawn: all.flatMap(({ itemId, entityId, publicly, withdrawnBefore }) =>
          withdrawnBefore ? [{ itemId, entityId, ...publicly }] : [],
        ),
        fired: all.flatMap(({ days }) => [...days.values()]),
      }
    },
  }
}
