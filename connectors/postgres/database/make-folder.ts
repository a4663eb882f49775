/**
 * A program: makes the folder of an embedded PostgreSQL and ends. Making it takes 400 MB that WebAssembly never gives
 * back; in a process of its own they go with it.
 */

import { PGlite } from '@electric-sql/pglite'

const folder = process.argv[2]
if (folder === undefined) throw new Error('the folder argument is required')
const made = await PGlite.create({ dataDir: folder })
await made.close()
