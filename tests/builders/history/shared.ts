import { afterAll, describe } from 'vitest'
import type { History } from '../../../connectors/history/port.ts'
import { during, later } from '../suite/during.ts'
import { type OpenStore, type Store, stores } from './stores.ts'

/**
 * Registers the parts of a theme on each store. A start of the engine takes 0.5 CPU-seconds, and the modules of a file 2: the
 * parts share them, and each has databases of its own.
 */
export function onOneStore(parts: Readonly<Record<string, (open: OpenStore) => void>>): void {
  describe.each(stores())('$name', ({ open }) => {
    let opened: Promise<Store> | undefined
    afterAll(async () => (await opened)?.close())
    async function share(): Promise<Store> {
      opened ??= open()
      return (await opened).part()
    }
    for (const [title, part] of Object.entries(parts)) describe(title, () => part(share))
  })
}

/** A store for the tests of this `describe` and a client of a database with the tables of the migrations. */
export function migrated(open: OpenStore): { store: Store; history: History; database: () => string } {
  const store = during(open)
  // The store clears it.
  const made = during(
    () => store.migrated(),
    () => undefined,
  )
  return { store, history: later(() => made.history), database: () => made.database }
}
