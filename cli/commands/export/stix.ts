import type { Command } from 'commander'
import { stix } from '../../../schemas/feeds-out/formats/exchange/stix/stix.ts'
import { asking, collect } from '../admin/context.ts'
import { type ExportContext, type ExportFlags, writeExport } from './source.ts'

/** Adds `stix` to the command `export`: a bundle, as large as the list is, in bounded memory (decisions 15.3). */
export function registerStixExport(command: Command, context: ExportContext): void {
  asking(command.command('stix'))
    .description('write a STIX 2.1 bundle with the list of a feed, or with the entities that a selector chooses')
    .option('--feed <id>', 'a published feed, as the platform serves it')
    .option('--selector <json>', 'selector of entities as JSON; @file reads it from a file')
    .option('--visible-by <group>', 'group of the reader; may be repeated; default: public', collect)
    .option('--out <file>', 'file for the bundle, replaced once the bundle is complete; default: standard output')
    .action((flags: ExportFlags) =>
      writeExport(stix, flags, context, 'not in the bundle: not in the normal form of their type'),
    )
}
