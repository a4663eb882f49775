/** Which entities of the list are selected, by their ids. */
export type Selection = { ids: ReadonlySet<string>; anchor: string | null }

export const NOTHING: Selection = { ids: new Set(), anchor: null }

/**
 * The selection after a row was chosen: it alone turns, or with shift all rows from the one that was chosen last take what
 * it becomes.
 * @param listed ids of the list, in its order
 */
export function chosen({ ids, anchor }: Selection, listed: readonly string[], id: string, shift: boolean): Selection {
  const on = !ids.has(id)
  const [from, to] = [anchor === null ? -1 : listed.indexOf(anchor), listed.indexOf(id)]
  const range = shift && from !== -1 && to !== -1 ? listed.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
  const after = new Set(ids)
  for (const one of range)
    if (on) after.add(one)
    else after.delete(one)
  return { ids: after, anchor: id }
}

/** Every entity of the list, or none when all of them are selected already. */
export const allOrNone = ({ ids }: Selection, listed: readonly string[]): Selection =>
  listed.every((id) => ids.has(id)) ? NOTHING : { ids: new Set(listed), anchor: null }
