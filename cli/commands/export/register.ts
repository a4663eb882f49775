import type { Command } from 'commander'
import { registerMispExport } from './misp.ts'
import type { ExportContext } from './source.ts'
import { registerStixExport } from './stix.ts'

/** Adds `export` to the program: what is known, in the documents of others (decisions 15). */
export function registerExports(program: Command, context: ExportContext): void {
  const command = program.command('export').description('export entities as a document for another platform')
  registerMispExport(command, context)
  registerStixExport(command, context)
}
