import type { Item } from '../feed.ts'
import type { States } from './states.ts'

export const COLUMNS = [
  'id',
  'type',
  'value',
  'reputation',
  'previous_reputation',
  'accuracy',
  'tags',
  'first_seen',
  'last_seen',
  'handled_at',
  'handled_by',
  'assigned_to',
  'note',
] as const

type ExportRow = Record<(typeof COLUMNS)[number], string | number>

/** The rows of a file; empty where nothing is known. @param previous reputations before the last movement, by id */
export const exportRows = (
  items: readonly Item[],
  states: States,
  previous: ReadonlyMap<string, number>,
): ExportRow[] =>
  items.map((item) => {
    const state = states.get(item.id)
    const { id, type, value, reputation, accuracy, tags, first_seen, last_seen } = item
    return {
      id,
      type,
      value,
      reputation,
      previous_reputation: previous.get(id) ?? '',
      accuracy,
      tags: tags.join(' '),
      first_seen,
      last_seen,
      handled_at: state?.handled?.at ?? '',
      handled_by: state?.handled == null ? '' : (state.handled.by.name ?? state.handled.by.userID),
      assigned_to: state?.assignee == null ? '' : (state.assignee.name ?? state.assignee.userID),
      note: state?.note ?? '',
    }
  })

export const cellsOf = (row: ExportRow): (string | number)[] => COLUMNS.map((column) => row[column])
