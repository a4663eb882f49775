/** What an item of a watchlist watches (decisions 13.1, 13.2). Pure. */

import { type Network, readNetwork } from '../intelligence/compare/compare-networks.ts'
import { valueForms } from '../intelligence/compare/forms.ts'
import { entityOf } from '../intelligence/entities/named.ts'
import { normalise } from '../intelligence/entities/normalise.ts'
import { isRefusal } from '../intelligence/entities/refusal.ts'
import { Fault, fault } from '../intelligence/search/fault.ts'
import type { Read } from '../intelligence/search/shape.ts'
import { type CompiledSelector, compileSelector } from '../intelligence/selectors/compile.ts'
import { readSelector } from '../intelligence/selectors/read.ts'
import { network, suffix, tag, type } from '../intelligence/selectors/read-values.ts'
import type { Selector } from '../intelligence/selectors/selector.ts'
import { type Content, holdsNul, ITEM_KINDS, type ItemKind, MAX_ITEM_SELECTOR_BYTES } from './casework.ts'
import { compileMatch, type MatchSelector, type MatchWatch, refuseUntold, toldParts } from './match-watch.ts'

/** An item of a watchlist as it is kept: in normal form, so that it reads as itself. */
export type WatchItem = {
  kind: ItemKind
  /** Text; of the kinds `selector` and `match` a selector. */
  value: string | Selector | MatchSelector
  /** Only entities of this type. */
  type?: string
  /** Only entities at or below it, -3 to 3. */
  max_reputation?: number
}

/** The same, ready to decide. `kind` says which one of the parts is there. */
export type Watch = {
  kind: ItemKind
  /** What it names, as an alert tells it. */
  on: string
  type: string | null
  maxReputation: number | null
  /** What names are looked up by: the id of an entity, a tag or a type; the forms of a value. */
  keys: readonly string[]
  network: Network | null
  suffix: string | null
  selector: CompiledSelector | null
  /** Of the kind `match`, which no view is inside of. */
  match: MatchWatch | null
}

/** Of what an alert tells of an item, in characters: a selector may be longer. */
export const MAX_MATCHED_ON = 2_048

const ENTITY_ID = /^[a-z0-9-]{1,64}-[0-9a-f]{64}$/

/** The part that is wrong, such as `value.tags.any`, and a message that goes on after the name. */
type Refused = { ok: false; param: string; message: string }

/** Reads an item whole: its normal form, or its first fault. Never throws; an item that was read reads as itself. */
export function readWatchItem(content: Content): { ok: true; item: WatchItem } | Refused {
  try {
    return { ok: true, item: read(content) }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, param: error.param, message: error.message }
    throw error
  }
}

/** What a kept item watches; null for one that names nothing, as one of before a rule may. */
export function watchOf(content: Content): Watch | null {
  const found = readWatchItem(content)
  return found.ok ? compiled(found.item) : null
}

function read({ kind: named, value: given, type: only, max_reputation: most }: Content): WatchItem {
  const kind = ITEM_KINDS.find((one) => one === named) ?? fault('kind', `must be one of ${ITEM_KINDS.join(', ')}`)
  const ofType = only === undefined ? undefined : type(only, 'type')
  if (most !== undefined && !(Number.isInteger(most) && Number(most) >= -3 && Number(most) <= 3))
    fault('max_reputation', 'must be a whole number from -3 to 3')
  const bound = most === undefined ? {} : { max_reputation: Number(most) }
  const value = watchedIn(kind, given, ofType)
  if (ofType === undefined) return { kind, value, ...bound }
  // A network of one address is that address (ADR 258).
  const single = kind === 'value' && typeof value === 'string' ? entityOf(ofType, value) : { type: ofType, value }
  return { kind, ...single, ...bound }
}

function watchedIn(kind: ItemKind, given: unknown, ofType: string | undefined): WatchItem['value'] {
  if (kind === 'selector') return selectorIn(given)
  if (kind === 'match') {
    refuseUntold(given, 'value')
    return toldParts(selectorIn(given))
  }
  if (typeof given !== 'string') return fault('value', 'must be text')
  if (given.trim() === '') return fault('value', 'is blank')
  if (kind !== 'value') return READ[kind](given, 'value')
  if (ofType === undefined) return given.trim()
  const form = normalise(ofType, given)
  return isRefusal(form) ? fault('value', form.reason) : form
}

const READ: Record<Exclude<ItemKind, 'selector' | 'match' | 'value'>, Read<string>> = {
  entity: (given, path) => {
    const id = String(given).trim()
    return ENTITY_ID.test(id) ? id : fault(path, 'is not an entity id')
  },
  tag,
  type,
  cidr: network,
  suffix,
}

function selectorIn(given: unknown): Selector {
  const found = readSelector(given, 'value')
  if (!found.ok) return fault(found.param, found.message)
  const text = JSON.stringify(found.selector)
  if (Buffer.byteLength(text) > MAX_ITEM_SELECTOR_BYTES)
    fault('value', `is longer than ${MAX_ITEM_SELECTOR_BYTES} bytes`)
  if (holdsNul(text)) fault('value', 'contains a NUL character')
  return found.selector
}

function compiled({ kind, value, type: only, max_reputation: most }: WatchItem): Watch {
  const on = typeof value === 'string' ? value : JSON.stringify(value)
  return {
    kind,
    on: on.slice(0, MAX_MATCHED_ON).toWellFormed(),
    type: only ?? null,
    maxReputation: most ?? null,
    keys: kind === 'value' ? [...valueForms(on)] : [on],
    network: kind === 'cidr' ? networkOf(on) : null,
    suffix: kind === 'suffix' ? on : null,
    selector: typeof value === 'object' && 'wellKnown' in value ? compileSelector(value) : null,
    match: kind === 'match' && typeof value === 'object' ? compileMatch(value) : null,
  }
}

function networkOf(text: string): Network {
  const found = readNetwork(text)
  if ('reason' in found) throw new Error(`an item was not read: ${text} ${found.reason}`)
  return found
}
