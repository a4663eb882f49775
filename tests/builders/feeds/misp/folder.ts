import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type MispEvent = { uuid: string; info?: string; distribution?: number; Attribute?: object[]; Object?: object[] }

/** A UUID of a small number, for events of tests. */
export const eventUuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** A MISP feed in a folder, as an instance of MISP writes it: a manifest, the events, and the hashes that nobody reads. */
export function mispFolder(folder: string) {
  const stamps: Record<string, object> = {}
  const manifest = () => writeFile(join(folder, 'manifest.json'), JSON.stringify(stamps))
  return {
    async put(event: MispEvent, timestamp: number | string): Promise<void> {
      await mkdir(folder, { recursive: true })
      const { info = `Event ${event.uuid}`, distribution = 3, ...rest } = event
      stamps[event.uuid] = { Orgc: { name: 'ACME', uuid: eventUuid(0) }, Tag: [], info, timestamp: String(timestamp) }
      await writeFile(join(folder, `${event.uuid}.json`), JSON.stringify({ Event: { info, distribution, ...rest } }))
      await writeFile(join(folder, 'hashes.csv'), `d41d8cd98f00b204e9800998ecf8427e,${event.uuid}\n`)
      await manifest()
    },
    /** Takes the event out of the manifest, and its file away. */
    async drop(uuid: string): Promise<void> {
      delete stamps[uuid]
      await rm(join(folder, `${uuid}.json`))
      await manifest()
    },
    /** What else the manifest names. */
    async name(name: string, entry: object = { timestamp: '1' }): Promise<void> {
      stamps[name] = entry
      await manifest()
    },
    /** The bytes of an event as they are given. */
    write: (uuid: string, text: string) => writeFile(join(folder, `${uuid}.json`), text),
  }
}
