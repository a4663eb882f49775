import { newCondition, newGroup, newModel, type SearchModel } from '../builder/model.ts'
import { readBack } from '../builder/read-back.ts'
import { type WrittenSearch, write } from '../builder/write.ts'
import type { Index } from '../question/address.ts'
import type { Json } from '../question/json.ts'
import { parseJson } from './json-position.ts'

/** An advanced search as it is being written: by the builder, or as JSON. */
export type Draft = {
  /** The text of the address that it began with. */
  source: string | null
  editor: 'builder' | 'json'
  model: SearchModel
  text: string
}

const pretty = (body: unknown): string => JSON.stringify(body, null, 2)

/** A draft of what the address says; JSON where the builder cannot show it. */
export function draftOf(source: string | null, index: Index): Draft {
  const empty = { ...newModel(), query: newGroup('all', [newCondition()]) }
  if (source === null) return { source, editor: 'builder', model: empty, text: '{}' }
  const parsed = parseJson(source)
  if (!('value' in parsed)) return { source, editor: 'json', model: empty, text: source }
  const model = readBack(parsed.value, index)
  const shown = 'query' in model
  return { source, editor: shown ? 'builder' : 'json', model: shown ? model : empty, text: pretty(parsed.value) }
}

/** The draft in the other editor; a path when the builder cannot show that part of it. */
export function switchEditor(draft: Draft, index: Index): Draft | { beyond: string } {
  if (draft.editor === 'builder') return { ...draft, editor: 'json', text: pretty(write(draft.model, index).body) }
  const parsed = parseJson(draft.text)
  if (!('value' in parsed)) return { beyond: 'JSON with a syntax error' }
  const model = readBack(parsed.value, index)
  return 'query' in model ? { ...draft, editor: 'builder', model } : model
}

/** The request body of a draft, rows of the builder included; null while its JSON has an error. */
export function bodyOf(draft: Draft, index: Index): WrittenSearch | null {
  if (draft.editor === 'builder') return write(draft.model, index)
  const parsed = parseJson(draft.text)
  const isObject = 'value' in parsed && typeof parsed.value === 'object' && parsed.value !== null
  return isObject && !Array.isArray(parsed.value) ? { body: parsed.value as Json, rows: new Map() } : null
}
