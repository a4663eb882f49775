/**
 * A program: makes the folder of an embedded PostgreSQL and ends. Making it takes 400 MB that WebAssembly never gives
 * back; in a process of its own they go with it.
 */

import { PGlite } from '@electric-sql/pglite'
import { packedCluster } from './cluster.ts'

const folder = process.argv[2]
if (folder === undefined) throw new Error('the folder argument is required')
const packed = await packedCluster()
const made = await PGlite.create({ dataDir: folder, ...(packed && { loadDataDir: packed }) })
await made.close()
