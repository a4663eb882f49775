/** A program of the build: writes what `makeCluster` makes to the file that it is given. */

import { writeFile } from 'node:fs/promises'
import { makeCluster } from './cluster.ts'

const file = process.argv[2]
if (file === undefined) throw new Error('the file argument is required')
await writeFile(file, Buffer.from(await (await makeCluster()).arrayBuffer()))
process.exit(0)
