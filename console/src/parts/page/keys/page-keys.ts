import { useEffect } from 'react'

/** A key of one page. */
export type PageKey = {
  /** What the keyboard types: `x`, `X`. */
  key: string
  /** How the help writes it; absent: as it is typed. */
  label?: string
  does: string
  /** `row`: the id of the row with the focus, where rows have one; null: none. */
  run: (row: string | null) => void
}

const registered = new Set<readonly PageKey[]>()

/** The keys of the page that is open. */
export const pageKeys = (): PageKey[] => [...registered].flat()

/** Keys that work as long as the page is open. The shell listens (`shell/header`), and lists them in its help. */
export function usePageKeys(keys: readonly PageKey[]): void {
  // After each rendering: commands are about what the page shows now.
  useEffect(() => {
    registered.add(keys)
    return () => void registered.delete(keys)
  })
}
