import { startEngine } from '../../../../../connectors/history/engine/supervisor.ts'

/** A parent of an engine, to be killed: prints the pid of its child and waits. */
const engine = await startEngine({ dataDir: process.argv[2]! })
process.stdout.write(`${engine.pid}\n`)
