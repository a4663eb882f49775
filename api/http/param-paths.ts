/** Paths with parameters, found by their segments: the router tries one pattern after another, of which there are 150. */

import { invalid } from './errors.ts'

type Node<T> = {
  literals: Map<string, Node<T>>
  /** Segments that are partly a parameter, as `{id}.stix`: before and after it. */
  partly: { before: string; after: string; name: string; node: Node<T> }[]
  param: { name: string; node: Node<T> } | null
  value: T | null
}

export type Found<T> = { value: T; params: Record<string, string> }

const newNode = <T>(): Node<T> => ({ literals: new Map(), partly: [], param: null, value: null })

const PARAMETER = /^([^{]*)\{(\w+)\}([^{]*)$/

export function paramPaths<T>() {
  const root = newNode<T>()

  /** The node below one for a segment as it is declared. Where names of a parameter differ, the first one makes a branch of its own. */
  function childFor(node: Node<T>, segment: string): Node<T> {
    const [, before = '', name, after = ''] = PARAMETER.exec(segment) ?? []
    if (name === undefined) {
      const child = node.literals.get(segment) ?? newNode<T>()
      node.literals.set(segment, child)
      return child
    }
    if (before === '' && after === '' && (node.param === null || node.param.name === name)) {
      node.param ??= { name, node: newNode() }
      return node.param.node
    }
    const known = node.partly.find((one) => one.before === before && one.after === after && one.name === name)
    if (known !== undefined) return known.node
    const made = { before, after, name, node: newNode<T>() }
    node.partly.push(made)
    return made.node
  }

  function find(node: Node<T>, segments: readonly string[], at: number, params: Record<string, string>): T | null {
    if (at === segments.length) return node.value
    const segment = segments[at]!
    const literal = node.literals.get(segment)
    const found = literal === undefined ? null : find(literal, segments, at + 1, params)
    if (found !== null || segment === '') return found
    for (const { before, after, name, node: child } of node.partly) {
      if (segment.length <= before.length + after.length || !segment.startsWith(before) || !segment.endsWith(after))
        continue
      const value = find(child, segments, at + 1, params)
      if (value === null) continue
      params[name] = decoded(name, segment.slice(before.length, segment.length - after.length))
      return value
    }
    if (node.param === null) return null
    const value = find(node.param.node, segments, at + 1, params)
    if (value !== null) params[node.param.name] = decoded(node.param.name, segment)
    return value
  }

  return {
    /** A path as it is declared, with `{name}` for parameters. */
    add(path: string, value: T): void {
      let node = root
      for (const segment of path.split('/')) node = childFor(node, segment)
      node.value ??= value
    },
    /**
     * What a path leads to, a literal segment before a parameter in the same place; null: nothing.
     * @throws ApiError 400 that names a parameter whose escapes are none of UTF-8
     */
    find(path: string): Found<T> | null {
      const params: Record<string, string> = {}
      const value = find(root, path.split('/'), 0, params)
      return value === null ? null : { value, params }
    },
  }
}

function decoded(name: string, segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    throw invalid(name, 'is not percent-encoded UTF-8')
  }
}
