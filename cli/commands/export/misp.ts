import type { Command } from 'commander'
import { misp } from '../../../schemas/feeds-out/formats/exchange/misp/misp.ts'
import { asking, collect } from '../admin/context.ts'
import { type ExportContext, type ExportFlags, writeExport } from './source.ts'

/** Adds `misp` to the command `export`: an event of MISP, as large as the list is, in bounded memory (decisions-2 15.4). */
export function registerMispExport(command: Command, context: ExportContext): void {
  asking(command.command('misp'))
    .description('write a MISP event of the list of a feed, or of the entities that a selector chooses')
    .option('--feed <id>', 'a published feed, as the platform serves it')
    .option('--selector <json>', 'entities of the store that this command reaches, as JSON; @file reads it from a file')
    .option(
      '--visible-by <group>',
      'a group of the reader; default: public; repeat it for a reader in several',
      collect,
    )
    .option('--name <text>', 'the info of the event, with --selector')
    .option('--out <file>', 'replaced when the event is whole; default: the standard output')
    .action((flags: ExportFlags) => writeExport(misp, flags, context, 'not in the event: MISP has no type for them'))
}
