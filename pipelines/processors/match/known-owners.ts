import { PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import { type CompiledSelector, compileSelector } from '../../../schemas/intelligence/selectors/compile.ts'
import type { ChangedRow } from '../../../schemas/intelligence/state/change.ts'
import type { OwnerSettings } from '../../../schemas/match/settings.ts'
import { knownReaders, type Reader, readAlike } from '../casework/watched.ts'

/** An owner of telemetry, and the index that its events meet. */
export type KnownOwner = {
  readonly owner: string
  readonly settings: OwnerSettings
  readonly reader: Reader
  /** Owners with the same selector have the same one. */
  readonly selector: SharedSelector
}

export type SharedSelector = CompiledSelector & { readonly key: string; uses: number }

/** The highest reputation that any index may have. */
const NO_BOUND = 3
/** Nobody has an index: no reputation is at or below this. */
export const NOTHING = -4
const MAX_SHARING = 10_000

type Rows = readonly Pick<ChangedRow, 'audience'>[]

/** Everybody reads what is public, and each group adds to it (decisions 2.3). */
export const readingGroups = (groups: readonly string[]): readonly string[] =>
  groups.includes(PUBLIC) ? groups : [PUBLIC, ...groups]

/**
 * The owners of telemetry, by what they share (ADR 219): a change is looked at once for each class of readers and each
 * selector, and owners are named only where it enters or leaves an index.
 */
export function knownOwners() {
  const owners = new Map<string, KnownOwner>()
  const readers = knownReaders()
  const selectors = new Map<string, SharedSelector>()
  /** Owners that read the same of some rows by the same selector. */
  const sharing = new Map<string, readonly KnownOwner[]>()

  function take(settings: OwnerSettings): SharedSelector {
    const key = JSON.stringify(settings.selector)
    const known = selectors.get(key) ?? { ...compileSelector(settings.selector), key, uses: 0 }
    known.uses++
    selectors.set(key, known)
    return known
  }

  function remove(owner: string): void {
    const known = owners.get(owner)
    if (known === undefined) return
    owners.delete(owner)
    readers.give(known.reader)
    if (--known.selector.uses === 0) selectors.delete(known.selector.key)
    sharing.clear()
  }

  return {
    readers,
    put(settings: OwnerSettings): KnownOwner {
      const { owner, groups } = settings
      remove(owner)
      const reader = readers.take(readingGroups(groups))
      const known: KnownOwner = { owner, settings, reader, selector: take(settings) }
      owners.set(owner, known)
      sharing.clear()
      return known
    },
    remove,
    get: (owner: string): KnownOwner | undefined => owners.get(owner),
    all: (): Iterable<KnownOwner> => owners.values(),
    size: (): number => owners.size,
    selectors: (): Iterable<SharedSelector> => selectors.values(),
    /** Those that read of these rows what this reader reads, by this selector. */
    sharing(selector: SharedSelector, reader: Reader, rows: Rows): readonly KnownOwner[] {
      const key = `${selector.key}\n\n${reader.key}\n\n${rows.map(({ audience }) => audience.join('\n')).join('\n\n')}`
      const remembered = sharing.get(key)
      if (remembered !== undefined) return remembered
      if (sharing.size >= MAX_SHARING) sharing.clear()
      const found = [...owners.values()].filter(
        (one) => one.selector === selector && readAlike(one.reader, reader, rows),
      )
      sharing.set(key, found)
      return found
    },
    /** No entity with a higher reputation in all of its rows is in any index. */
    bound: (): number =>
      [...owners.values()].reduce((bound, { settings }) => Math.max(bound, boundOf(settings)), NOTHING),
  }
}

const boundOf = ({ selector }: OwnerSettings): number => selector.reputation?.lte ?? NO_BOUND

export type KnownOwners = ReturnType<typeof knownOwners>
