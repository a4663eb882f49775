import { findNodeAtLocation, type JSONPath, parseTree } from 'jsonc-parser'

/** A line and a column of a text, counted from 1. */
export type TextPosition = { line: number; column: number }

/** The value of a JSON text, or its fault; `position` is null where the browser's message has no position. */
export type ParsedJson = { value: unknown } | { message: string; position: TextPosition | null }

/** Reads JSON; never throws. */
export function parseJson(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    const reported = String((error as Error).message)
    const message = reported.replace(/^JSON\.parse:\s*/, '').replace(/ (?:in JSON )?at (?:position|line) \d.*$/s, '')
    return { message, position: positionInMessage(reported, text) }
  }
}

function positionInMessage(reported: string, text: string): TextPosition | null {
  const lines = /line (\d+) column (\d+)/.exec(reported)
  if (lines !== null) return { line: Number(lines[1]), column: Number(lines[2]) }
  const position = /position (\d+)/.exec(reported)?.[1]
  if (position !== undefined) return positionOf(text, Number(position))
  return /end of/i.test(reported) ? positionOf(text, text.length) : null
}

/** Line and column of an offset. */
export function positionOf(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}

/**
 * Where a refused parameter such as `query.must[2].term` is in JSON text: its name, or its element of a list. Of a
 * parameter that the text has only in part, the deepest part that it has; null without any.
 */
export function positionOfParam(text: string, param: string): TextPosition | null {
  const root = parseTree(text)
  if (root === undefined) return null
  const path: JSONPath = [...param.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) =>
    index === undefined ? name! : Number(index),
  )
  for (let depth = path.length; depth > 0; depth--) {
    const node = findNodeAtLocation(root, path.slice(0, depth))
    if (node !== undefined) return positionOf(text, node.parent?.type === 'property' ? node.parent.offset : node.offset)
  }
  return null
}
