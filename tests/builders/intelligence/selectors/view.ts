import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { type CompiledSelector, compileSelector } from '../../../../schemas/intelligence/selectors/compile.ts'
import { readSelector } from '../../../../schemas/intelligence/selectors/read.ts'
import type { Selector, SelectorView } from '../../../../schemas/intelligence/selectors/selector.ts'
import { NOW } from '../observation.ts'

/** A view that fills in what a test does not care about. */
export function view(given: Partial<SelectorView> = {}): SelectorView {
  const type = given.type ?? 'ip'
  const value = given.value ?? '203.0.113.7'
  return {
    entityId: entityId(type, value),
    type,
    value,
    reputation: -3,
    accuracy: 2,
    tags: [],
    wellKnown: false,
    covered: false,
    country: '',
    asn: 0,
    lastSeen: NOW,
    retracted: false,
    ...given,
  }
}

/** The selector of a body that is right. */
export function selectorOf(body: unknown): Selector {
  const read = readSelector(body)
  if (!read.ok) throw new Error(`${read.param} ${read.message}`)
  return read.selector
}

export const compiled = (body: unknown): CompiledSelector => compileSelector(selectorOf(body))
