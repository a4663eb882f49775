/** Who is told: everybody in these groups is told the same. */
export type LiveReader = { readonly key: string; readonly groups: readonly string[] }

export const readerOf = (groups: readonly string[]): LiveReader => {
  const sorted = groups.toSorted()
  return { key: JSON.stringify(sorted), groups: sorted }
}
