/** Ids within texts such as `customer:<id>`, `user:<id>` and `customer-<id>`. */

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

/** The first id of a text, in lower case; null: it has none. */
export const idIn = (text: string): string | null => UUID.exec(text)?.[0].toLowerCase() ?? null

/** The text with the name in place of its id, where the name is known. */
export function withName(text: string, names: ReadonlyMap<string, string>): string {
  const id = idIn(text)
  const name = id === null ? undefined : names.get(id)
  return name === undefined ? text : text.replace(UUID, () => name)
}
