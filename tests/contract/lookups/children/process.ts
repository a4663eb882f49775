/**
 * A process that writes an index, or reads it, until it is killed; each line is what it wrote or saw last. One that fills it
 * ends once nothing more can be written.
 */

import { writeSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { openEnvironment } from '../../../../connectors/lookups/index/environment.ts'
import { indexFolder } from '../../../../connectors/lookups/index/index-folder.ts'
import { indexStore } from '../../../../connectors/lookups/index/open-index.ts'
import { keyedEntry } from '../../../builders/lookups/keyed.ts'
import { entitiesOf, ROOM, seen } from '../numbered.ts'

const [how, root] = process.argv.slice(2) as ['read' | 'write' | 'fill', string]
const folder = indexFolder(root)
const say = (line: string | number) => writeSync(1, `${line}\n`)

if (how === 'write') {
  const index = indexStore(folder, ROOM, Date.now).open()
  if (index === null) throw new Error('there is no index to write to')
  for (let n = index.state().position + 1; ; n++) {
    await index.put(entitiesOf(n).map(keyedEntry), { position: n })
    say(n)
  }
} else if (how === 'fill') {
  const index = indexStore(folder, ROOM, Date.now).open()!
  for (let n = index.state().position + 1; ; n++) {
    const more = Array.from({ length: 500 }, (_, i) => ({
      type: 'ip',
      value: `more-${n}-${i}`,
      wide: false,
      rows: entitiesOf(n)[0]!.rows,
    }))
    const failed = await index.put([...entitiesOf(n), ...more].map(keyedEntry), { position: n }).then(
      () => null,
      (error: Error) => error,
    )
    say(failed === null ? n : `full: ${failed.message}`)
    if (failed !== null) break
  }
  await index.close()
} else {
  const env = openEnvironment(folder.current()!, null)
  for (;;) {
    env.refresh()
    say(seen(env))
    await turn()
  }
}
