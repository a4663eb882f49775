import type { OutgoingMessage } from '../../../connectors/log/port.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { recordRun } from '../../../schemas/log/record-run.ts'
import { records as types } from '../../../schemas/log/records.ts'
import { othersOf, type PendingChange, withGroups } from '../../processors/intelligence/changes.ts'

/**
 * The changes of a batch, in log order, as the bytes of their records (ADR 265). Few have rows of an audience other than
 * that of their record, whose groups are read once the batch is known: these wait as they are.
 */
export function gatheredChanges(schemaId: number) {
  const written = recordRun<Change>(types.change, schemaId)
  const keys: string[] = []
  const pending: { before: number; change: PendingChange }[] = []
  const others = new Set<bigint>()
  return {
    push(change: PendingChange): void {
      const unknown = othersOf(change)
      for (const audience of unknown) others.add(audience)
      if (unknown.length > 0) pending.push({ before: written.length, change })
      else {
        written.push(withGroups(change))
        keys.push(change.change.entityId)
      }
    },
    /** The audiences whose groups `messages` asks for. */
    audiences: (): ReadonlySet<bigint> => others,
    /** @throws Error when `groups` lack one of `audiences` */
    messages(groups: ReadonlyMap<bigint, readonly string[]>): OutgoingMessage[] {
      const messages: OutgoingMessage[] = []
      const late = recordRun<Change>(types.change, schemaId)
      let next = 0
      for (let i = 0; i <= keys.length; i++) {
        for (; pending[next]?.before === i; next++) {
          const { change } = pending[next]!
          late.push(withGroups(change, groups))
          messages.push({ key: change.change.entityId, value: late.at(next) })
        }
        if (i < keys.length) messages.push({ key: keys[i]!, value: written.at(i) })
      }
      return messages
    },
  }
}

export type GatheredChanges = ReturnType<typeof gatheredChanges>
