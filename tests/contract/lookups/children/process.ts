/** A process that writes an index, or reads it, until it is killed; each line is what it wrote or saw last. */

import { writeSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { openEnvironment } from '../../../../connectors/lookups/index/environment.ts'
import { indexFolder } from '../../../../connectors/lookups/index/index-folder.ts'
import { indexStore } from '../../../../connectors/lookups/index/open-index.ts'
import { keyedEntry } from '../../../builders/lookups/keyed.ts'
import { entitiesOf, ROOM, seen } from '../numbered.ts'

const [how, root] = process.argv.slice(2) as ['read' | 'write', string]
const folder = indexFolder(root)
const say = (line: string | number) => writeSync(1, `${line}\n`)

if (how === 'write') {
  const index = indexStore(folder, ROOM, Date.now).open()
  if (index === null) throw new Error('there is no index to write to')
  for (let n = index.state().position + 1; ; n++) {
    await index.put(entitiesOf(n).map(keyedEntry), { position: n })
    say(n)
  }
} else {
  const env = openEnvironment(folder.current()!, null)
  for (;;) {
    env.refresh()
    say(seen(env))
    await turn()
  }
}
