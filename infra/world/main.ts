/** Writes the outline of the world for the console: `node infra/world/main.ts`. A test fails while the two differ. */

import { writeFileSync } from 'node:fs'
import { worldOutline } from './outline.ts'

const FILE = new URL('../../console/src/pages/attribution/map/outline.json', import.meta.url)

writeFileSync(FILE, `${JSON.stringify(worldOutline())}\n`)
