/** What of a value is looked up for its reputation: its own entities, and what stands above it (decisions 18.2, 18.3). */

import { NAME_TYPES } from '../compare/compare-names.ts'
import { namesAbove, registrableOf } from '../compare/names-above.ts'
import { pointsAt } from '../compare/points-at.ts'
import { definitionOf } from '../entities/catalogue.ts'
import { normalise } from '../entities/normalise.ts'
import type { Detected } from '../ingest/detect.ts'
import { type LookupForm, lookupForms } from '../ingest/lookup-forms.ts'
import type { TypedValue } from '../propagation/coverage.ts'

/** What of an exact look-up may decide for what is below it. */
export type Level = { value: string; types: ReadonlySet<string> }

/** What stands above a value: entities at these levels, nearest first, then the networks around an address or a network. */
export type Above = { levels: readonly Level[]; within: TypedValue | null }

export type Asked = {
  /** As it was given. */
  value: string
  /** What it is by its form, in normal form; null: it has none, or its type refuses it. */
  subject: TypedValue | null
  /** Under which it may be known: of its own form, and as a free text. */
  own: readonly LookupForm[]
  texts: readonly LookupForm[]
  /** Whether the text has the form of an indicator. */
  indicator: boolean
  /** An address that is not public (decisions 3.2). */
  notPublic: boolean
  above: Above
}

const NAMES: ReadonlySet<string> = new Set(NAME_TYPES)
const ADDRESSES: ReadonlySet<string> = new Set(['ip'])
const NOTHING: Above = { levels: [], within: null }

/** Reads a value as a look-up reads it: in any spelling, defanged or not. Never throws. */
export function askedOf(value: string): Asked {
  const { forms, texts, detected, indicator } = lookupForms(value)
  const subject = subjectOf(detected)
  return {
    value,
    subject,
    own: forms.slice(texts).map(asStored),
    texts: forms.slice(0, texts).map(asStored),
    indicator,
    notPublic: detected?.type === 'ip' && subject === null,
    above: subject === null ? NOTHING : aboveOf(subject),
  }
}

/**
 * The same of a value that is said to be of this type; null where the type cannot have it.
 * @param text in any spelling that the type reads
 */
export function askedAs(type: string, text: string): Pick<Asked, 'subject' | 'own' | 'texts' | 'above'> | null {
  const value = definitionOf(type) === undefined ? null : normalise(type, text)
  if (typeof value !== 'string') return null
  const subject = { type, value }
  return { subject, own: [asStored({ value, types: new Set([type]) })], texts: [], above: aboveOf(subject) }
}

/** Half a surrogate pair is no UTF-8. */
const asStored = ({ value, types }: LookupForm): LookupForm => ({ value: value.toWellFormed(), types })

/** Of all types, a text may have the form of an address or a network and yet be none of ours. */
function subjectOf(detected: Detected | null): TypedValue | null {
  if (detected === null) return null
  const { type, value } = detected
  const refused = (type === 'ip' || type === 'cidr') && typeof normalise(type, value) !== 'string'
  return refused ? null : { type, value }
}

/**
 * What may decide for a value in normal form: the networks around an address or a network, the parents of a name, the host
 * of a URL and the domain of an email address with what is above them. A suffix decides for nobody below it.
 */
function aboveOf(subject: TypedValue): Above {
  const { type, value } = subject
  if (type === 'ip' || type === 'cidr') return { levels: [], within: subject }
  if (type === 'domain' || type === 'hostname') return { levels: namesAbove(value, 'all').map(nameLevel), within: null }
  if (type === 'email-address') return aboveHost(value.slice(value.lastIndexOf('@') + 1))
  if (type !== 'url') return NOTHING
  const { host, address } = pointsAt(value)
  if (host !== null) return aboveHost(host)
  if (address === null) return NOTHING
  return { levels: [{ value: address, types: ADDRESSES }], within: { type: 'ip', value: address } }
}

const nameLevel = (value: string): Level => ({ value, types: NAMES })

function aboveHost(name: string): Above {
  if (registrableOf(name, 'all') === null) return NOTHING
  return { levels: [name, ...namesAbove(name, 'all')].map(nameLevel), within: null }
}
