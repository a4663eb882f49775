import { isObject, textOf } from '../document.ts'

/** Most events of one manifest: more are refused before any of them is read. */
export const MAX_EVENTS = 250_000

/** An event that a manifest names; `stamp`: unix seconds of its last change. */
export type ManifestEntry = { uuid: string; stamp: number }

/** What of a feed cannot be read, by its name in the manifest. */
export type EventFault = { name: string; reason: string }

/** The events of a manifest, and what of it cannot be read. */
export type Manifest = { entries: ManifestEntry[]; faults: EventFault[] }

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SECONDS = /^\d{1,12}$/

/**
 * The `manifest.json` of a MISP feed: `{"<uuid>": {"timestamp": "1700000000", ...}, ...}` (decisions 15.4). A name that is
 * no UUID is never a path: it is a fault, and so is an event without a time.
 * @throws when the document is no manifest, or names more than 250,000 events
 */
export function readManifest(document: unknown): Manifest {
  if (!isObject(document))
    throw new Error('not the manifest of a MISP feed: expected {"<uuid>": {"timestamp": ...}, ...}')
  const names = Object.keys(document)
  if (names.length > MAX_EVENTS)
    throw new Error(`the manifest names ${names.length} events; at most ${MAX_EVENTS} are read`)
  const manifest: Manifest = { entries: [], faults: [] }
  const known = new Set<string>()
  for (const name of names) {
    const fault = (reason: string): void => void manifest.faults.push({ name, reason })
    const [uuid, entry] = [name.toLowerCase(), document[name]]
    const stamp = textOf(isObject(entry) ? entry.timestamp : undefined).trim()
    if (!UUID.test(uuid)) fault('its name in the manifest is not a UUID')
    else if (known.has(uuid)) fault('the manifest names it twice')
    else if (!SECONDS.test(stamp)) fault('its timestamp in the manifest is not a number of seconds')
    else manifest.entries.push({ uuid, stamp: Number(stamp) })
    known.add(uuid)
  }
  return manifest
}
