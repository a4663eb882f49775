import type { Command } from 'commander'
import { stix } from '../../../schemas/feeds-out/formats/exchange/stix/stix.ts'
import { asking, collect } from '../admin/context.ts'
import { type ExportContext, type ExportFlags, writeExport } from './source.ts'

/** Adds `stix` to the command `export`: a bundle, as large as the list is, in bounded memory (decisions-2 15.3). */
export function registerStixExport(command: Command, context: ExportContext): void {
  asking(command.command('stix'))
    .description('write a bundle of STIX 2.1 of the list of a feed, or of the entities that a selector chooses')
    .option('--feed <id>', 'a published feed, as the platform serves it')
    .option('--selector <json>', 'entities of the store that this command reaches, as JSON; @file reads it from a file')
    .option(
      '--visible-by <group>',
      'a group of the reader; default: public; repeat it for a reader in several',
      collect,
    )
    .option('--out <file>', 'replaced when the bundle is whole; default: the standard output')
    .action((flags: ExportFlags) =>
      writeExport(stix, flags, context, 'not in the bundle: not in the normal form of their type'),
    )
}
