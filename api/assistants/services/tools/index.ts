import type { Tool } from '../tool.ts'
import { changes } from './changes.ts'
import { entity } from './entity.ts'
import { evidence } from './evidence.ts'
import { lookup } from './lookup.ts'
import { matches } from './matches.ts'
import { relations } from './relations.ts'
import { search } from './search.ts'
import { sources } from './sources.ts'

/** Every tool, in the order in which assistants are told of them (decisions 16.4). */
export const TOOLS: readonly Tool[] = [lookup, entity, evidence, relations, search, matches, changes, sources]
