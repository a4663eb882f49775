import type { Command } from 'commander'
import { misp } from '../../../schemas/feeds-out/formats/exchange/misp/misp.ts'
import { stix } from '../../../schemas/feeds-out/formats/exchange/stix/stix.ts'
import { asking, collect } from '../admin/context.ts'
import { type ExportContext, type ExportFlags, writeExport } from './source.ts'

/** The options of every document: which list it says, and who asks for it. */
const ofList = (command: Command): Command =>
  asking(command)
    .option('--feed <id>', 'a published feed, as the platform serves it')
    .option('--selector <json>', 'selector of entities as JSON; @file reads it from a file')
    .option('--visible-by <group>', 'group of the reader; may be repeated; default: public', collect)

/** Adds `stix` to the command `export`: a bundle, as large as the list is, in bounded memory (decisions 15.3). */
function registerStixExport(command: Command, context: ExportContext): void {
  ofList(command.command('stix'))
    .description('write a STIX 2.1 bundle with the list of a feed, or with the entities that a selector chooses')
    .option('--out <file>', 'file for the bundle, replaced once the bundle is complete; default: standard output')
    .action((flags: ExportFlags) =>
      writeExport(stix, flags, context, 'not in the bundle: not in the normal form of their type'),
    )
}

/** Adds `misp` to the command `export`: an event of MISP, as large as the list is, in bounded memory (decisions 15.4). */
function registerMispExport(command: Command, context: ExportContext): void {
  ofList(command.command('misp'))
    .description('write a MISP event with the list of a feed, or with the entities that a selector chooses')
    .option('--name <text>', 'name (info) of the event, with --selector')
    .option('--out <file>', 'file for the event, replaced once the event is complete; default: standard output')
    .action((flags: ExportFlags) => writeExport(misp, flags, context, 'not in the event: MISP has no type for them'))
}

/** Adds `export` to the program: what is known, in the documents of others (decisions 15). */
export function registerExports(program: Command, context: ExportContext): void {
  const command = program.command('export').description('export entities as a document for another platform')
  registerMispExport(command, context)
  registerStixExport(command, context)
}
