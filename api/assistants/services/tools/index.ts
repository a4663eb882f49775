import type { Tool } from '../tool.ts'
import { changes } from './changes-tool.ts'
import { entity } from './entity.ts'
import { evidence } from './evidence-tool.ts'
import { lookup } from './lookup.ts'
import { matches } from './matches-tool.ts'
import { relations } from './relations-tool.ts'
import { search } from './search-tool.ts'
import { sources } from './sources-tool.ts'

/** Every tool, in the order in which assistants are told of them (decisions 16.4). */
export const TOOLS: readonly Tool[] = [lookup, entity, evidence, relations, search, matches, changes, sources]
